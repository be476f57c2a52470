// Authenticators: one app for an account. The service accepts each time step once (RFC 6238, 5.2; ASVS 6.5.1).
import type { Clock, Instant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import { type Secrets, UnsealError } from '../foundation/secrets.ts';
import type { Statements, Tx } from '../storage/database.ts';
import type { FactorOperations } from './operations.ts';
import type { AuthenticatorStore } from './store.sql.ts';
import { createTotpSecret, findTotpStep, stepAt, toTotpUri } from './totp.ts';

/** What an app needs to know, shown once. `uri` is the content of the QR code; `secret` is base32. */
export type NewAuthenticator = { operationId: string; secret: string; uri: string };

export type EnrolledAuthenticator = { enrolledAt: Instant; lastUsedAt: Instant | null };

export interface Authenticators {
  find(on: Statements, accountId: number): Promise<EnrolledAuthenticator | undefined>;
  /** Returns those of the accounts that have one. */
  findOwners(on: Statements, accountIds: readonly number[]): Promise<number[]>;
  /** Begins an enrollment, in place of one that was begun before. `issuer` and `label` are what the app shows. */
  begin(tx: Tx, accountId: number, shown: { issuer: string; label: string }): Promise<NewAuthenticator>;
  /**
   * Enrolls the authenticator if the code is right. It replaces a former one.
   * @returns `wrong` for a wrong or used code: roll back, because it has ended the operation. `over`: the operation is used,
   * superseded or ended, or it has expired.
   */
  confirm(tx: Tx, accountId: number, operationId: string, code: string): Promise<'enrolled' | 'wrong' | 'over'>;
  /** Verifies a code, and uses up its time step. Of several parallel calls one gets `true`. With a secret that cannot be opened, none does. */
  verify(tx: Tx, accountId: number, code: string): Promise<boolean>;
  /** Returns the secrets of the accounts that have an authenticator, in base32, for another service to take over. @throws UnsealError */
  reveal(on: Statements, accountIds: readonly number[]): Promise<RevealedAuthenticator[]>;
  /** Takes over authenticators of another service. Codes up to the present time step do not count: they may be used there. */
  adopt(tx: Tx, authenticators: readonly RevealedAuthenticator[]): Promise<void>;
  /** @returns whether there was one. */
  remove(tx: Tx, accountId: number): Promise<boolean>;
}

/** An authenticator with its secret, in base32. */
export type RevealedAuthenticator = {
  readonly accountId: number;
  readonly secret: string;
  readonly enrolledAt: Instant;
};

const LABEL = 'authenticator';

export function createAuthenticators(deps: {
  store: AuthenticatorStore;
  operations: FactorOperations;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  /** Receives the account whose authenticator cannot be opened, once. */
  onUnopened: (accountId: number) => void;
}): Authenticators {
  const { store, operations, secrets, clock, random, onUnopened } = deps;
  const purpose = 'enroll-authenticator';
  const unopened = new Set<number>();

  function noteUnopened(accountId: number) {
    if (unopened.has(accountId)) return;
    unopened.add(accountId);
    onUnopened(accountId);
  }

  return {
    find: (on, accountId) => store.find(on, accountId),
    findOwners: (on, accountIds) => store.findOwners(on, accountIds),

    async begin(tx, accountId, { issuer, label }) {
      const secret = createTotpSecret(random);
      await operations.endOfAccount(tx, accountId, purpose);
      const operationId = await operations.begin(tx, purpose, accountId, secrets.seal(LABEL, secret));
      return { operationId, secret, uri: toTotpUri(secret, issuer, label) };
    },

    async confirm(tx, accountId, operationId, code) {
      const now = clock.now();
      const sealed = await operations.take(tx, operationId, purpose, accountId);
      if (sealed === undefined) return 'over';
      const step = findTotpStep(secrets.unseal(LABEL, sealed), code, now);
      const isEnrolled = step !== undefined && (await store.enroll(tx.sql, accountId, sealed, step, now));
      return isEnrolled ? 'enrolled' : 'wrong';
    },

    async verify(tx, accountId, code) {
      const now = clock.now();
      const authenticator = await store.find(tx.sql, accountId);
      if (!authenticator) return false;
      const secret = secrets.tryUnseal(LABEL, authenticator.sealedSecret);
      if (secret === undefined) {
        noteUnopened(accountId);
        return false;
      }
      const step = findTotpStep(secret, code, now);
      return step !== undefined && (await store.useStep(tx.sql, accountId, step, now));
    },

    async reveal(on, accountIds) {
      const stored = await store.findAll(on, accountIds);
      return stored.map(({ accountId, sealedSecret, enrolledAt }) => {
        const secret = secrets.tryUnseal(LABEL, sealedSecret);
        if (secret === undefined)
          throw new UnsealError(undefined, `The secret of the authenticator app of account ${accountId}`);
        return { accountId, secret, enrolledAt };
      });
    },

    async adopt(tx, authenticators) {
      const sealed = authenticators.map(({ secret, ...one }) => ({
        ...one,
        sealedSecret: secrets.seal(LABEL, secret),
      }));
      await store.add(tx.sql, sealed, stepAt(clock.now()));
    },

    remove: (tx, accountId) => store.remove(tx.sql, accountId),
  };
}
