// Watching: how a change made on one node reaches what the others keep in memory.
import type { Clock } from '../foundation/clock.ts';
import type { Statements } from './database.ts';

/** How often each node looks: together with the reload, well within the promised 2 s. */
const LOOK_INTERVAL_MS = 1000;

/** The counters of announced changes, and who wants to know. */
export interface Watch {
  /** Calls `load` now, and again whenever the topic's counter has moved. */
  add(topic: string, load: () => Promise<void>): Promise<void>;
  /** Moves the topic's counter, in the caller's transaction. */
  count(statements: Statements, topic: string): Promise<void>;
  /** Looks at once; a failure is reported and mended by the next look. */
  look(): Promise<void>;
  stop(): void;
}

/** Reads all counters in one query each second, and reloads what has moved. */
export function createWatch(sql: Statements, clock: Clock, onError: (error: unknown) => void): Watch {
  const watched = new Map<string, { seen: number; load: () => Promise<void> }>();
  let looking = Promise.resolve();
  let isFailing = false;

  async function readCounters() {
    const rows = await sql.selectFrom('version').selectAll().execute();
    return new Map(rows.map(({ topic, number }) => [topic, number]));
  }

  async function reloadWhatMoved() {
    try {
      const counters = await readCounters();
      for (const [topic, entry] of watched) {
        const number = counters.get(topic) ?? 0;
        if (number === entry.seen) continue;
        await entry.load();
        entry.seen = number;
      }
      isFailing = false;
    } catch (error) {
      // Once for an outage, not once a second.
      if (!isFailing) onError(error);
      isFailing = true;
    }
  }

  const look = () => {
    looking = looking.then(reloadWhatMoved);
    return looking;
  };
  let stop = () => {};
  return {
    look,
    async add(topic, load) {
      if (watched.size === 0) stop = clock.every(LOOK_INTERVAL_MS, look);
      const seen = (await readCounters()).get(topic) ?? 0;
      await load();
      watched.set(topic, { seen, load });
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
