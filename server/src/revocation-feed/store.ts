// The interface of the revocation store.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { Position, Snapshot } from './position.ts';

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
  /** Adds a revocation. That of a session replaces the session's former one. */
  record(on: Statements, revocation: { tokens: RevokedTokens; at: Instant; expiresAt: Instant }): Promise<void>;
  /** Deletes the revocations of sessions, and begins another epoch. */
  restart(on: Statements, epoch: string): Promise<void>;
  /** Makes the first epoch, if there is none. */
  begin(epoch: string): Promise<void>;
  /** Returns what the database shows now. */
  readSnapshot(): Promise<Snapshot>;
  /** Returns the revocations after a position, in their order. At most `limit`. Leaves out those without a live token. */
  readAfter(position: Position, limit: number, now: Instant): Promise<StoredRevocation[]>;
  /** Returns the revocations that the snapshot does not show, in their order. */
  readSince(snapshot: Snapshot): Promise<StoredRevocation[]>;
  /**
   * Looks at the `limit` revocations after a number, and deletes those whose tokens have expired.
   * @returns the number of the last one looked at; 0 after the end.
   */
  deleteExpired(after: number, limit: number, now: Instant): Promise<number>;
}
