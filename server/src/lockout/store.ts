// The port of what is known of failed attempts.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { LockoutState } from './lockout.ts';

export interface LockoutStore {
  /** The subject's state, locked against everybody else until the transaction ends; all zero for a new subject. */
  readForUpdate(on: Statements, subject: string, now: Instant): Promise<LockoutState>;
  /** Writes the state of a subject that was claimed in the same transaction. */
  save(on: Statements, subject: string, state: LockoutState, now: Instant): Promise<void>;
  /** Until when each of these subjects is locked; subjects without a lock are left out. */
  readLocks(subjects: readonly string[], now: Instant): Promise<Map<string, Instant>>;
  /** Drops up to `limit` subjects that belong to no account and were not touched since `before`. */
  deleteUnknown(before: Instant, limit: number): Promise<void>;
}
