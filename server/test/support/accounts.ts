// Accounts and sessions by the hundred, created through the service's parts without hashing a password for each.
import { newAccount } from '../../src/accounts/index.ts';
import { operator } from '../../src/app/first-start.ts';
import { freshAddress, type TestService, USER_PASSWORD } from './service.ts';

/** An account created for one round of a test; its password is {@link USER_PASSWORD}. */
export type TestAccount = { id: number; userName: string };

export interface TestAccounts {
  add(roleNames?: string[]): Promise<TestAccount>;
  /** Opens a session, as a sign-in does. @returns its first token. */
  open(account: TestAccount): Promise<string>;
}

let accounts = 0;

/** Creates accounts and sessions on this node. */
export async function createTestAccounts({ service }: TestService): Promise<TestAccounts> {
  const hash = await service.passwords.hash(USER_PASSWORD);
  return {
    async add(roleNames = []) {
      accounts += 1;
      const userName = `person${accounts}`;
      const input = newAccount(userName, { name: 'Per', surname: 'Son', roleNames });
      const { id } = await service.administration.create(input, { hash }, operator('test'));
      return { id, userName };
    },
    async open({ id, userName }) {
      const subject = { id, userName, fullName: 'Per Son', email: null, roles: [] };
      const origin = { ipAddress: freshAddress(), userAgent: null, frontEnd: 'default-app' };
      const sign = { amr: ['pwd'], mustChangePassword: false, origin } as const;
      const issued = await service.database.transaction((tx) => service.sessions.open(tx, subject, sign));
      return issued.accessToken;
    },
  };
}
