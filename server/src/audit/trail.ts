// The audit trail: stores every occurrence in the transaction of its change, and publishes it after the commit.
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { Events, Occurrence } from '../foundation/events.ts';
import { createRecent } from '../foundation/recent.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type AuditSearch, createSearch } from './search.ts';
import type { AuditStore } from './store.ts';

/** For this long, one entry stands for all repetitions of a refusal in a session. */
const REPEAT_SECONDS = 60;

/** Most refusals in memory, of a few hundred bytes each. A repetition of a removed one makes another entry. */
const REMEMBERED_REFUSALS = 10_000;

/** A refusal that a caller can repeat without limit. */
export type RepeatableRefusal = Occurrence & { readonly outcome: 'refused'; readonly reason: string };

/** Writes and reads the trail. */
export interface AuditTrail extends AuditSearch {
  /** Records an occurrence in the transaction of its change, so that both commit or neither. */
  record(tx: Tx, occurrence: Occurrence): Promise<void>;
  /** Records an occurrence that changed nothing else, such as a refusal. A limit must bound the number of such calls. */
  recordAlone(occurrence: Occurrence): Promise<void>;
  /**
   * Records a refusal that no limit bounds, as one entry a minute for each session, action and reason. A repetition is
   * published under the number of that entry. Each node has its own bound, which starts again at a restart.
   */
  recordRepeatable(sessionId: string, refusal: RepeatableRefusal): Promise<void>;
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
      // A clock that was set back must not extend the time without entries.
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
    ...createSearch(store),
  };
}
