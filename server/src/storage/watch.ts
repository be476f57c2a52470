// Watching: how nodes notice that another node has changed data that they keep in memory.
import type { Clock } from '../foundation/clock.ts';
import { isOutage } from '../foundation/errors.ts';
import { createOutageReport, type OutageReport } from '../foundation/outage-report.ts';
import type { Statements } from './database.ts';

/** How often each node polls. Together with the reload it stays well within the promised 2 s. */
const POLL_INTERVAL_MS = 1000;

/** Watches the counters of announced changes. */
export interface Watch {
  /** Calls `load` now, and again after each change of the topic's counter. */
  add(topic: string, load: () => Promise<void>): Promise<void>;
  /** Increments the topic's counter, in the caller's transaction. */
  count(statements: Statements, topic: string): Promise<void>;
  /** Polls at once. Reports a failure; the next poll tries again. */
  poll(): Promise<void>;
  stop(): void;
}

/** Reads all counters in one query each second, and reloads the topics that have changed. */
export function createWatch(sql: Statements, clock: Clock, onError: (error: unknown) => void): Watch {
  const watched = new Map<string, { seen: number; load: () => Promise<void>; report: OutageReport }>();
  let polling = Promise.resolve();
  const report = createOutageReport(onError);

  async function readCounters() {
    const rows = await sql.selectFrom('version').selectAll().execute();
    return new Map(rows.map(({ topic, number }) => [topic, number]));
  }

  async function reloadChanged() {
    try {
      const counters = await readCounters();
      for (const [topic, entry] of watched) {
        const number = counters.get(topic) ?? 0;
        if (number === entry.seen) continue;
        try {
          await entry.load();
          entry.seen = number;
          entry.report.worked();
        } catch (error) {
          // In an outage, each further topic would wait for the database. Another failure is of this topic alone.
          if (isOutage(error)) throw error;
          entry.report.failed(error);
        }
      }
      report.worked();
    } catch (error) {
      report.failed(error);
    }
  }

  const poll = () => {
    polling = polling.then(reloadChanged);
    return polling;
  };
  let stop = () => {};
  return {
    poll,
    async add(topic, load) {
      if (watched.size === 0) stop = clock.every(POLL_INTERVAL_MS, poll);
      const seen = (await readCounters()).get(topic) ?? 0;
      await load();
      watched.set(topic, { seen, load, report: createOutageReport(onError) });
    },
    async count(statements, topic) {
      await statements
        .insertInto('version')
        .values({ topic, number: 1 })
        .onConflict((conflict) =>
          conflict.column('topic').doUpdateSet((eb) => ({ number: eb('version.number', '+', 1) })),
        )
        .execute();
    },
    stop: () => stop(),
  };
}
