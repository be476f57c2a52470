// The interface of the audit store.
import type { Instant } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Statements } from '../storage/database.ts';

/** One audit entry. Numbers can have gaps and are never used again. */
export type AuditEntry = {
  id: number;
  at: Instant;
  action: string;
  outcome: string;
  reason: string | null;
  userId: number | null;
  userName: string | null;
  ipAddress: string | null;
  frontEnd: string | null;
  userAgent: string | null;
  details: Record<string, unknown> | null;
};

/** The entries to find. Absent members match all. `from` is inclusive, `to` exclusive. */
export type AuditFilter = {
  userId?: number;
  /** One action, or any of several. */
  action?: string | readonly string[];
  outcome?: string;
  reason?: string;
  ipAddress?: string;
  frontEnd?: string;
  from?: Instant;
  to?: Instant;
};

/** The place of an entry in the trail, which is ordered by time, then by number. */
export type Place = { readonly at: Instant; readonly id: number };

export interface AuditStore {
  /** Adds entries in the transaction of the changes that they record. @returns their numbers, in the same order. */
  append(on: Statements, at: Instant, occurrences: readonly Occurrence[]): Promise<number[]>;
  /**
   * Scans at most `limit` entries, newest first, that are older than `before`. An index narrows them by time and user.
   * @returns the numbers of the matching entries, and the last scanned place, or no place if it reached the end.
   */
  scan(
    filter: AuditFilter,
    before: Place | undefined,
    limit: number,
  ): Promise<{ matches: number[]; last: Place | undefined }>;
  /** Reads these entries, newest first. */
  read(ids: readonly number[]): Promise<AuditEntry[]>;
  /** Returns the place of the entry with this number, or of the nearest one before it if it does not exist. */
  findPlace(id: number): Promise<Place | undefined>;
  /**
   * Deletes at most `limit` entries from before an instant, oldest first. Never deletes the newest entry, whose number
   * shows whether a database was restored from a backup.
   * @returns how many.
   */
  deleteExpired(before: Instant, limit: number): Promise<number>;
  /** Returns the number of the newest entry, or 0 without entries. */
  newest(): Promise<number>;
}
