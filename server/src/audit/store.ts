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

/** Which entries to give; absent members do not narrow. `from` is inclusive, `to` exclusive. */
export type AuditFilter = {
  userId?: number;
  action?: string;
  outcome?: string;
  ipAddress?: string;
  from?: Instant;
  to?: Instant;
};

export interface AuditStore {
  /** Adds an entry, in the transaction of what it tells. @returns its number. */
  append(on: Statements, at: Instant, occurrence: Occurrence): Promise<number>;
  /** A page of the entries that match, newest first, and how many match in all. */
  list(filter: AuditFilter, page: { skip: number; take: number }): Promise<{ entries: AuditEntry[]; total: number }>;
  /** The number of the newest entry ever written; 0 before the first. */
  newest(): Promise<number>;
}
