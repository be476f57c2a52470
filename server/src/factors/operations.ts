// Factor operations: enrollments that a caller has begun. Each works once, for its purpose and account.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Tx } from '../storage/database.ts';
import type { FactorOperation, FactorOperationStore, FactorPurpose } from './store.sql.ts';

/** How long an enrollment may take. */
export const ENROLLMENT_SECONDS = 300;
const CLEANUP_BATCH = 500;

export interface FactorOperations {
  /** Begins an operation. @returns its id, a UUID. The store keeps only a keyed hash of it. */
  begin(tx: Tx, purpose: FactorPurpose, accountId: number, content: string): Promise<string>;
  /** Returns the content of an open operation. */
  find(operationId: string, purpose: FactorPurpose, accountId: number): Promise<string | undefined>;
  /** Ends an open operation. @returns its content, to one of several parallel calls. */
  take(tx: Tx, operationId: string, purpose: FactorPurpose, accountId: number): Promise<string | undefined>;
  /** Ends the account's operations: all of them, or those of one purpose. */
  endOfAccount(tx: Tx, accountId: number | readonly number[], purpose?: FactorPurpose): Promise<void>;
  /** Ends the operations of all accounts. */
  endAll(tx: Tx): Promise<void>;
  /** Deletes one batch of expired operations. */
  deleteExpired(): Promise<void>;
}

export function createFactorOperations(deps: {
  store: FactorOperationStore;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): FactorOperations {
  const { store, secrets, clock, random } = deps;
  const macOf = (operationId: string) => secrets.mac('factor-operation', operationId);
  const contentFor = (found: FactorOperation | undefined, purpose: FactorPurpose, accountId: number) =>
    found?.purpose === purpose && found.accountId === accountId ? found.content : undefined;

  return {
    async begin(tx, purpose, accountId, content) {
      const operationId = random.uuid();
      const expiresAt = addSeconds(clock.now(), ENROLLMENT_SECONDS);
      await store.add(tx.sql, { mac: macOf(operationId), purpose, accountId, content, expiresAt });
      return operationId;
    },
    async find(operationId, purpose, accountId) {
      return contentFor(await store.find(macOf(operationId), clock.now()), purpose, accountId);
    },
    async take(tx, operationId, purpose, accountId) {
      return contentFor(await store.take(tx.sql, macOf(operationId), clock.now()), purpose, accountId);
    },
    endOfAccount: (tx, accountId, purpose) => store.deleteOfAccount(tx.sql, accountId, purpose),
    endAll: (tx) => store.deleteAll(tx.sql),
    deleteExpired: () => store.deleteExpired(clock.now(), CLEANUP_BATCH),
  };
}
