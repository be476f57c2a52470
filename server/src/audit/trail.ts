// The audit trail: stores every occurrence in the transaction of its change, and publishes it after the commit.
import { type Clock, type Instant, runEvery } from '../foundation/clock.ts';
import type { Events, Occurrence } from '../foundation/events.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createRepetitions, type Standing } from './repetitions.ts';
import { type AuditSearch, createSearch } from './search.ts';
import type { AuditEntry, AuditStore } from './store.sql.ts';

/** How often a node writes how often something was repeated, and how many entries one transaction writes. */
const SUMMARY_MS = 10_000;
const SUMMARY_BATCH = 100;

/** An occurrence in a session. */
type OfSession = { readonly sessionId: string; readonly occurrence: Occurrence };

/** A new entry, in its transaction. */
export type NewEntry = { readonly id: number; readonly action: string };

/** Writes and reads the trail. */
export interface AuditTrail extends AuditSearch {
  /** Records an occurrence in the transaction of its change, so that both commit or neither. */
  record(tx: Tx, occurrence: Occurrence): Promise<void>;
  /** Records occurrences of one change, in their order. */
  recordAll(tx: Tx, occurrences: readonly Occurrence[]): Promise<void>;
  /** Records an occurrence that changed nothing else, such as a refusal. A limit must bound the number of such calls. */
  recordAlone(occurrence: Occurrence): Promise<void>;
  /**
   * Records an occurrence that no limit bounds, as one entry a minute for each session, action, and reason or details. When
   * the minute is over, another entry tells in its details how often it was `repeated`, and `lastAt`. Its lists have what
   * any repetition had in them. A repetition is published under the number of the first entry. Each node has its own
   * bound, which starts again at a restart.
   * @param sessionId the session, or what else repeats the occurrence.
   * @param tx the transaction of the change. Without one, the occurrence changed nothing else.
   */
  recordRepeatable(sessionId: string, occurrence: Occurrence, tx?: Tx): Promise<void>;
  /** Records the occurrences of several sessions as `recordRepeatable` does. */
  recordAllRepeatable(tx: Tx, occurrences: readonly OfSession[]): Promise<void>;
  /** Lets `tell` write what new entries cause, in their transaction. */
  subscribe(tell: (tx: Tx, entries: readonly NewEntry[]) => Promise<void>): void;
  /** Returns an entry, or `undefined` if it is not kept any more. */
  find(id: number): Promise<AuditEntry | undefined>;
  /** Writes the entries on repetitions, from each minute that is over, until `stop`. */
  start(): void;
  /** Writes the entries on all repetitions so far. */
  stop(): Promise<void>;
  /** Writes the entries on repetitions of the minutes that are over. */
  recordRepetitions(): Promise<void>;
}

export function createAuditTrail(deps: {
  database: Database;
  store: AuditStore;
  events: Events;
  clock: Clock;
  /** Receives why an entry on repetitions could not be written. It is written later. */
  onError: (error: unknown) => void;
}): AuditTrail {
  const { database, store, events, clock, onError } = deps;
  const repetitions = createRepetitions();
  const subscribers: ((tx: Tx, entries: readonly NewEntry[]) => Promise<void>)[] = [];
  let stopSummaries: (() => Promise<void>) | undefined;

  async function write(tx: Tx, occurrences: readonly Occurrence[]): Promise<number[]> {
    const ids = await store.append(tx.sql, clock.now(), occurrences);
    const entries = ids.map((id, place) => ({ id, action: occurrences[place]?.action.name ?? '' }));
    for (const tell of subscribers) await tell(tx, entries);
    return ids;
  }

  async function append(tx: Tx, occurrences: readonly Occurrence[]): Promise<number[]> {
    const entries = await write(tx, occurrences);
    for (const [place, entry] of entries.entries()) {
      const occurrence = occurrences[place];
      if (occurrence) tx.afterCommit(() => events.publish(occurrence, entry));
    }
    return entries;
  }
  const appendAlone = (occurrence: Occurrence) => database.transaction((tx) => append(tx, [occurrence]));

  /** Records occurrences with entries that stand for their repetitions. */
  async function recordFirst(tx: Tx, first: readonly { standing: Standing; occurrence: Occurrence }[]) {
    const settle = (entries: readonly number[]) => {
      for (const [place, { standing }] of first.entries()) repetitions.settle(standing, entries[place] ?? null);
    };
    tx.afterRollback(() => settle([]));
    const entries = await append(
      tx,
      first.map(({ occurrence }) => occurrence),
    );
    tx.afterCommit(() => settle(entries));
  }

  async function repeat(standing: Standing, { sessionId, occurrence }: OfSession, now: Instant) {
    const entry = await repetitions.count(standing, occurrence, now);
    if (entry === null) await recordRepeatable(sessionId, occurrence);
    else events.publish(occurrence, entry);
  }

  async function recordAllRepeatable(tx: Tx, occurrences: readonly OfSession[]) {
    const now = clock.now();
    const first = [];
    for (const one of occurrences) {
      const { sessionId, occurrence } = one;
      const known = repetitions.find(sessionId, occurrence, now);
      if (known) tx.afterCommit(() => void repeat(known, one, now).catch(onError));
      else first.push({ standing: repetitions.begin(sessionId, occurrence, now), occurrence });
    }
    if (first.length > 0) await recordFirst(tx, first);
  }

  async function recordRepeatable(sessionId: string, occurrence: Occurrence, tx?: Tx): Promise<void> {
    if (tx) return recordAllRepeatable(tx, [{ sessionId, occurrence }]);
    const now = clock.now();
    const known = repetitions.find(sessionId, occurrence, now);
    if (known) return repeat(known, { sessionId, occurrence }, now);
    const standing = repetitions.begin(sessionId, occurrence, now);
    const recorded = database.transaction((within) => recordFirst(within, [{ standing, occurrence }]));
    await recorded.catch((error) => {
      // Without a connection, the transaction has not begun.
      repetitions.settle(standing, null);
      throw error;
    });
  }

  /** @param now the end of the minutes to write. Without it, all are written. */
  async function recordRepetitions(now?: Instant) {
    for (;;) {
      const taken = repetitions.take(SUMMARY_BATCH, now);
      if (taken.length === 0) return;
      try {
        const summaries = taken.map(({ summary }) => summary);
        await database.transaction((tx) => write(tx, summaries));
      } catch (error) {
        for (const { giveBack } of taken) giveBack();
        onError(error);
        return;
      }
    }
  }

  return {
    async record(tx, occurrence) {
      await append(tx, [occurrence]);
    },
    async recordAll(tx, occurrences) {
      if (occurrences.length > 0) await append(tx, occurrences);
    },
    async recordAlone(occurrence) {
      await appendAlone(occurrence);
    },
    recordRepeatable,
    recordAllRepeatable,
    subscribe: (tell) => void subscribers.push(tell),
    async find(id) {
      const [entry] = await store.read([id]);
      return entry;
    },
    start() {
      stopSummaries = runEvery(clock, SUMMARY_MS, () => recordRepetitions(clock.now()));
    },
    async stop() {
      await stopSummaries?.();
      await recordRepetitions();
    },
    recordRepetitions: () => recordRepetitions(clock.now()),
    ...createSearch(store),
  };
}
