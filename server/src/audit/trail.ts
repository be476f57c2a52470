// The audit trail: every occurrence is written with what it tells of, and published once that is durable.
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { Events, Occurrence } from '../foundation/events.ts';
import { createRecent } from '../foundation/recent.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createSearch, type Found, type Search } from './search.ts';
import type { AuditStore } from './store.ts';

/** One entry stands for the same refusal of the same session for this long. */
const REPEAT_SECONDS = 60;

/** Refusals that are remembered at most, a few hundred bytes each; a repetition of a forgotten one costs an entry. */
const REMEMBERED_REFUSALS = 10_000;

/** A refusal that the caller can repeat without a limit. */
export type RepeatableRefusal = Occurrence & { readonly outcome: 'refused'; readonly reason: string };

/** Writes and reads the trail. */
export interface AuditTrail {
  /** Records within the caller's transaction: both happen or neither. */
  record(tx: Tx, occurrence: Occurrence): Promise<void>;
  /** Records something that changed nothing else, such as a refusal; its calls must be limited in number. */
  recordAlone(occurrence: Occurrence): Promise<void>;
  /**
   * Records a refusal that changed nothing, where neither a rate limit nor a number of attempts bounds the calls: one
   * entry a minute for each session, action and reason. A repetition is published under the number of that entry.
   * The bound holds for each node, and anew after a restart.
   */
  recordRepeatable(sessionId: string, refusal: RepeatableRefusal): Promise<void>;
  /** A page of the entries that match, newest first; no more than 100,000 entries are looked at. */
  list(search: Search, page: { skip: number; take: number }): Promise<Found>;
}

export function createAuditTrail(deps: {
  database: Database;
  store: AuditStore;
  events: Events;
  clock: Clock;
}): AuditTrail {
  const { database, store, events, clock } = deps;
  const refusals = createRecent<{ at: Instant; entry: Promise<number> }>(REMEMBERED_REFUSALS);

  async function append(tx: Tx, occurrence: Occurrence): Promise<number> {
    const entry = await store.append(tx.sql, clock.now(), occurrence);
    tx.afterCommit(() => events.publish(occurrence, entry));
    return entry;
  }
  const appendAlone = (occurrence: Occurrence) => database.transaction((tx) => append(tx, occurrence));

  return {
    async record(tx, occurrence) {
      await append(tx, occurrence);
    },
    async recordAlone(occurrence) {
      await appendAlone(occurrence);
    },
    async recordRepeatable(sessionId, refusal) {
      const key = `${sessionId} ${refusal.action.name} ${refusal.reason}`;
      const now = clock.now();
      const first = refusals.get(key);
      // A clock that was set back must not prolong the silence.
      if (first && now >= first.at && now < addSeconds(first.at, REPEAT_SECONDS)) {
        events.publish(refusal, await first.entry);
        return;
      }
      const entry = appendAlone(refusal);
      refusals.keep(key, { at: now, entry }, addSeconds(now, REPEAT_SECONDS), now);
      await entry.catch((error) => {
        refusals.forget(key);
        throw error;
      });
    },
    list: createSearch(store),
  };
}
