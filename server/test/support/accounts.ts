// Accounts and sessions by the hundred, created through the service's parts without hashing a password for each.
import { newAccount } from '../../src/accounts/index.ts';
import { operator } from '../../src/app/first-start.ts';
import type { SignedIn } from '../../src/foundation/authority.ts';
import type { Tx } from '../../src/storage/database.ts';
import { freshAddress, type TestService, USER_PASSWORD } from './service.ts';

/** An account created for one round of a test; its password is {@link USER_PASSWORD}. */
export type TestAccount = { id: number; userName: string };

/** A signed-in owner as a route hands them to a journey, and the token of the session. */
export type TestOwner = SignedIn & { readonly token: string };

/** How a session begins, where it differs from a sign-in with the password. */
type TestStart = { mustEnroll?: boolean; passkeyId?: string; amr?: string[] };

export interface TestAccounts {
  add(roleNames?: string[]): Promise<TestAccount>;
  /** Opens a session, as a sign-in does. @returns its first token. */
  open(account: TestAccount, start?: TestStart): Promise<string>;
  /** Opens a session, and returns its owner. The owner is authorized while the session is open. */
  signIn(account: TestAccount, start?: TestStart): Promise<TestOwner>;
}

let added = 0;

/** Creates accounts and sessions on this node. */
export async function createTestAccounts({ service }: TestService): Promise<TestAccounts> {
  const hash = await service.passwords.hash(USER_PASSWORD);
  const accounts: TestAccounts = {
    async add(roleNames = []) {
      added += 1;
      const userName = `person${added}`;
      const input = newAccount(userName, { name: 'Per', surname: 'Son', roleNames });
      const { id } = await service.administration.create(input, { hash }, operator('test'));
      return { id, userName };
    },
    async open({ id, userName }, start = {}) {
      const subject = { id, userName, fullName: 'Per Son', email: null, roles: [] };
      const origin = { ipAddress: freshAddress(), userAgent: null, frontEnd: 'default-app' };
      const sign = { amr: ['pwd'], mustChangePassword: false, origin, ...start } as const;
      const issued = await service.database.transaction((tx) => service.sessions.open(tx, subject, sign));
      return issued.accessToken;
    },
    async signIn(account, start) {
      const token = await accounts.open(account, start);
      const { accountId, sessionId } = await service.sessions.check(token);
      const authorize: SignedIn['authorize'] = async (tx) => {
        // The core hands its own transaction on.
        await service.sessions.requireOpen(tx as Tx, sessionId);
        return [];
      };
      return { accountId, sessionId, token, authorize };
    },
  };
  return accounts;
}
