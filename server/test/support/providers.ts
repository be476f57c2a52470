// External providers for tests: they vouch for people by access codes that are good once.
import { randomUUID } from 'node:crypto';
import {
  ExternalAuthProviderApiBase,
  type ExternalAuthUserInfo,
  type ExternalLoginProviderInfo,
} from '../../src/providers/index.ts';
import { USER_PASSWORD } from './service.ts';

/** A person with an account at a provider. */
export type Person = Omit<ExternalAuthUserInfo, 'provider'>;

export interface TestProvider {
  /** As an extension registers it. */
  readonly info: ExternalLoginProviderInfo;
  /** How many calls it received. */
  readonly counts: { asked: number };
  /** What the front end sends for a person who returns from the provider; linking sends the password beside it. */
  proofOf(person: Partial<Person>): { authProvider: string; providerKey: string; providerAccessCode: string };
  /** Runs before its next answer, which waits for it. */
  beforeAnswer(action: () => Promise<unknown>): void;
}

export function createTestProvider(name: string): TestProvider {
  const codes = new Map<string, Partial<Person>>();
  const counts = { asked: 0 };
  let act: () => Promise<unknown> = async () => {};
  const providerApiType = class extends ExternalAuthProviderApiBase {
    async getUserInfoAsync(code: string) {
      counts.asked += 1;
      const person = codes.get(code);
      codes.delete(code);
      const action = act;
      act = async () => {};
      await action();
      return person ? ({ provider: name, ...person } as ExternalAuthUserInfo) : null;
    }
  };
  return {
    info: { name, clientId: 'latchkey', clientSecret: `canary secret of ${name}`, providerApiType },
    counts,
    proofOf(person) {
      const providerAccessCode = `canary code ${randomUUID()}`;
      codes.set(providerAccessCode, person);
      return { authProvider: name, providerKey: person.providerKey ?? 'none', providerAccessCode };
    },
    beforeAnswer(action) {
      act = action;
    },
  };
}

/** A new person. */
export function createPerson(more: Partial<Person> = {}): Person {
  const providerKey = randomUUID();
  return { providerKey, name: 'Thandi', surname: 'Nkosi', emailAddress: `${providerKey}@acme.example`, ...more };
}

/** The body of a call that links a person who returns from the provider. */
export const linkBody = (provider: TestProvider, person: Partial<Person>, more: object = {}) => ({
  ...provider.proofOf(person),
  currentPassword: USER_PASSWORD,
  ...more,
});
