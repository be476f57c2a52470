// The audit trail: every occurrence is written with what it tells of, and published once that is durable.
import type { Clock } from '../foundation/clock.ts';
import type { Events, Occurrence } from '../foundation/events.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { AuditEntry, AuditFilter, AuditStore } from './store.ts';

/** Writes and reads the trail. */
export interface AuditTrail {
  /** Records within the caller's transaction: both happen or neither. */
  record(tx: Tx, occurrence: Occurrence): Promise<void>;
  /** Records something that changed nothing else, such as a refusal. */
  recordAlone(occurrence: Occurrence): Promise<void>;
  list(filter: AuditFilter, page: { skip: number; take: number }): Promise<{ entries: AuditEntry[]; total: number }>;
}

export function createAuditTrail(deps: {
  database: Database;
  store: AuditStore;
  events: Events;
  clock: Clock;
}): AuditTrail {
  const { database, store, events, clock } = deps;
  const record = async (tx: Tx, occurrence: Occurrence) => {
    const entry = await store.append(tx.sql, clock.now(), occurrence);
    tx.afterCommit(() => events.publish(occurrence, entry));
  };
  return {
    record,
    recordAlone: (occurrence) => database.transaction((tx) => record(tx, occurrence)),
    list: (filter, page) => store.list(filter, page),
  };
}
