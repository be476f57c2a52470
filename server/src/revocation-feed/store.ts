// The interface of the revocation store.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { Cursor, Position, Snapshot } from './cursor.ts';

/** The tokens that a row revokes: those of a session below a generation, those of a key, or those issued before an instant. */
export type RevokedTokens =
  | { readonly sessionId: string; readonly generation: number }
  | { readonly keyId: string }
  | { readonly issuedBefore: Instant };

/** A revocation as stored. */
export type StoredRevocation = {
  readonly position: Position;
  readonly at: Instant;
  readonly expiresAt: Instant;
  readonly tokens: RevokedTokens;
};

export interface RevocationStore {
  /** Adds revocations in their order. That of a session replaces the session's former one. */
  record(on: Statements, revocations: readonly Omit<StoredRevocation, 'position'>[]): Promise<void>;
  /** Begins another epoch, and deletes the revocations of all tokens issued before an instant. */
  restart(on: Statements, epoch: string): Promise<void>;
  /** Makes the first epoch, if there is none. Moves revocations that were copied from another database to the start. */
  begin(epoch: string): Promise<void>;
  /** Returns what the database shows now. */
  readSnapshot(): Promise<Snapshot>;
  /**
   * Returns the revocations that a reader at the cursor has not read, at most `limit`: those of the transactions that
   * were running, then those after its position, each in their order. They are on disk.
   */
  readAfter(cursor: Omit<Cursor, 'epoch'>, limit: number): Promise<StoredRevocation[]>;
  /**
   * Looks at the `limit` revocations after a position, and deletes those whose tokens have expired.
   * @returns the position of the last one looked at, or the start after the end.
   */
  deleteExpired(after: Position, limit: number, now: Instant): Promise<Position>;
}
