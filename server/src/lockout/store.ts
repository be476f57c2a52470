// The interface of the lockout store.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { LockoutState } from './lockout.ts';

export interface LockoutStore {
  /** Returns the subject's state, all zero for a new subject, and locks it until the transaction ends. */
  readForUpdate(on: Statements, subject: string, now: Instant): Promise<LockoutState>;
  /** Stores the state of a subject that the same transaction has locked. */
  save(on: Statements, subject: string, state: LockoutState, now: Instant): Promise<void>;
  delete(on: Statements, subjects: readonly string[]): Promise<void>;
  /** Returns the end of each lock on these subjects. Subjects without a lock are left out. */
  readLocks(subjects: readonly string[], now: Instant): Promise<Map<string, Instant>>;
  /** Returns how many accounts are locked, up to `most`. Locks of security questions and second factors do not count. */
  countLockedAccounts(now: Instant, most: number): Promise<number>;
  /** Deletes up to `limit` subjects without account that were last used before `before`. */
  deleteUnknown(before: Instant, limit: number): Promise<void>;
}
