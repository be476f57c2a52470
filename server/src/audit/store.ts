// The port of the audit trail.
import type { Instant } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Statements } from '../storage/database.ts';

/** One row of the trail; numbered without gaps being promised, never reused. */
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

/** Which entries to find; absent members do not narrow. `from` is inclusive, `to` exclusive. */
export type AuditFilter = {
  userId?: number;
  action?: string;
  outcome?: string;
  ipAddress?: string;
  from?: Instant;
  to?: Instant;
};

/** The place of an entry in the trail, which is ordered by time, then by number. */
export type Place = { readonly at: Instant; readonly id: number };

export interface AuditStore {
  /** Adds an entry, in the transaction of what it tells. @returns its number. */
  append(on: Statements, at: Instant, occurrence: Occurrence): Promise<number>;
  /**
   * Looks at no more than `most` entries, newest first, from just before a place on. An index narrows them by time and user.
   * @returns the numbers of the entries that match, and the last place it looked at; no place when it reached the end.
   */
  scan(
    filter: AuditFilter,
    before: Place | undefined,
    most: number,
  ): Promise<{ matches: number[]; last: Place | undefined }>;
  /** These entries, newest first. */
  read(ids: readonly number[]): Promise<AuditEntry[]>;
  /** The place of the entry with this number, or of the nearest before it; nothing when there is none. */
  findPlace(id: number): Promise<Place | undefined>;
  /**
   * Removes entries from before an instant, oldest first, and never the newest of all: its number tells how far the
   * database has come. @returns how many, `most` at most.
   */
  deleteExpired(before: Instant, most: number): Promise<number>;
  /** The number of the newest entry ever written; 0 before the first. */
  newest(): Promise<number>;
}
