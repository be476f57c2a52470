// Counters: how often something happened, by hour. Each node counts in memory, and adds its counts to the database.
import { addSeconds, type Clock, type Instant, runEvery, toInstant } from '../foundation/clock.ts';
import { createOutageReport } from '../foundation/outage-report.ts';
import { type Count, type Figure, HOUR_MS, type HourlyCount, startOfHour } from './figure.ts';
import type { CounterStore } from './store.sql.ts';

/** How often a node adds its counts to the database. A node that is killed loses the counts of this time. */
const FLUSH_MS = 2000;

/** Two periods of 30 days, for a comparison of the second with the first, and the days that time zones may add. */
const KEPT_SECONDS = 62 * 86_400;

export interface Counters {
  /** Counts one occurrence, in memory. `part` is one of a short list. */
  count(figure: Figure, part: string): void;
  /** Records since when the service counts. */
  load(): Promise<void>;
  /** Adds the counts of this node to the database every {@link FLUSH_MS}, until `stop`. */
  start(): void;
  /** Adds the counts of this node to the database, for the last time. */
  stop(): Promise<void>;
  /** Adds the counts of this node to the database now. If that fails, the node keeps them for the next time. */
  flush(): Promise<void>;
  /** Returns the sums of the hours from `from` (inclusive) to `to` (exclusive). Other nodes' last two seconds may lack. */
  sum(from: Instant, to: Instant): Promise<Count[]>;
  /** Returns the first hour that was counted. */
  findBeginning(): Promise<Instant | undefined>;
  /** Cleanup job: deletes the oldest hour that no period needs any more. */
  deleteExpired(): Promise<void>;
}

export function createCounters(deps: {
  store: CounterStore;
  clock: Clock;
  /** Receives why counts could not be added. */
  onError: (error: unknown) => void;
}): Counters {
  const { store, clock, onError } = deps;
  let waiting = new Map<string, HourlyCount>();
  let stopFlushing: (() => Promise<void>) | undefined;
  const report = createOutageReport(onError);

  function add({ hour, figure, part, count }: HourlyCount) {
    const key = `${hour} ${figure} ${part}`;
    waiting.set(key, { hour, figure, part, count: (waiting.get(key)?.count ?? 0) + count });
  }

  async function flush() {
    if (waiting.size === 0) return;
    const counts = [...waiting.values()];
    waiting = new Map();
    try {
      await store.add(counts);
      report.worked();
    } catch (error) {
      for (const count of counts) add(count);
      report.failed(error);
    }
  }

  return {
    count: (figure, part) => add({ hour: startOfHour(clock.now()), figure, part, count: 1 }),
    load: () => store.begin(startOfHour(clock.now())),
    start() {
      stopFlushing = runEvery(clock, FLUSH_MS, flush);
    },
    async stop() {
      await stopFlushing?.();
      await flush();
    },
    flush,
    sum: store.sum,
    findBeginning: store.findBeginning,
    deleteExpired: () => store.deleteOldest(toInstant(addSeconds(clock.now(), -KEPT_SECONDS) - HOUR_MS)),
  };
}
