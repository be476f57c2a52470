// Assertion operations: the use of a passkey that a caller has begun. The challenge holds what binds it to its purpose,
// account and expiry, so that the service stores an operation only when it is used.
import { timingSafeEqual } from 'node:crypto';
import { addSeconds, type Clock, type Instant, toInstant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Tx } from '../storage/database.ts';
import type { PasskeyStore } from './store.passkeys.sql.ts';

const LIFETIME_SECONDS = 300;
/** The clocks of nodes may differ. A node must not forget an operation that another node still accepts. */
const KEPT_SECONDS = 60;
const CLEANUP_BATCH = 500;

/** What an assertion is for. An answer to an operation of one purpose is never accepted for another. */
export type AssertionPurpose = 'sign-in' | 'second-factor' | 'reauthenticate';

/** `accountId` is absent for a sign-in: the passkey tells the account. */
export type AssertionOperation = { id: string; purpose: AssertionPurpose; accountId: number | undefined };

export interface AssertionOperations {
  /** Begins an operation. @returns its id, a UUID, and the challenge for the passkey. Stores nothing. */
  begin(purpose: AssertionPurpose, accountId: number | undefined): { operationId: string; challenge: string };
  /**
   * Returns when the operation expires, also if it has.
   * @param challenge what the passkey has signed.
   * @returns `undefined` if it is not the challenge of this operation.
   */
  findExpiry(operation: AssertionOperation, challenge: string): Instant | undefined;
  /** Uses up an operation. @returns `true` to one of several parallel calls, `false` if it is used or has expired. */
  use(tx: Tx, operationId: string, expiresAt: Instant): Promise<boolean>;
  /** Deletes one batch of used operations that have expired. */
  deleteExpired(): Promise<void>;
}

export function createAssertionOperations(deps: {
  store: PasskeyStore;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): AssertionOperations {
  const { store, secrets, clock, random } = deps;
  const challengeOf = ({ id, purpose, accountId }: AssertionOperation, expiresAt: number) =>
    `${expiresAt}.${secrets.mac('assertion-challenge', [id, purpose, accountId, expiresAt].join(' '))}`;

  return {
    begin(purpose, accountId) {
      const id = random.uuid();
      const expiresAt = addSeconds(clock.now(), LIFETIME_SECONDS);
      return { operationId: id, challenge: challengeOf({ id, purpose, accountId }, expiresAt) };
    },

    findExpiry(operation, challenge) {
      const given = Buffer.from(challenge);
      const expiresAt = Number.parseInt(challenge, 10);
      const right = Buffer.from(challengeOf(operation, expiresAt));
      const isRight = given.length === right.length && timingSafeEqual(given, right);
      return isRight ? toInstant(expiresAt) : undefined;
    },

    async use(tx, operationId, expiresAt) {
      if (expiresAt <= clock.now()) return false;
      return store.useOperation(tx.sql, secrets.mac('assertion-operation', operationId), expiresAt);
    },

    deleteExpired: () => store.deleteExpired(addSeconds(clock.now(), -KEPT_SECONDS), CLEANUP_BATCH),
  };
}
