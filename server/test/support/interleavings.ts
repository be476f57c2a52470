// Interleavings: the statements of parallel calls, put into the orders that a scheduler of fast-check draws.
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import type { Database, Statements } from '../../src/storage/database.ts';

/** Stands between a service and its database while it explores; else out of the way. */
export interface Interleavings {
  /** The same database, whose transactions and statements wait for their turn. */
  around(database: Database): Database;
  /** Runs these calls at once, one statement at a time, in the order that the scheduler draws. */
  explore(scheduler: fc.Scheduler, calls: readonly (() => Promise<void>)[]): Promise<void>;
}

/** Long enough for the others to line up before the next is drawn; nothing hangs on it but how many orders there are. */
const LINE_UP_MS = 1;

/** The orders: of those who wait, one after the other goes on. */
export const anyOrder = fc.scheduler({
  async act(goOn) {
    await goOn();
    await pause(LINE_UP_MS);
  },
});

export function createInterleavings(): Interleavings {
  let scheduler: fc.Scheduler | undefined;
  const turn = async () => {
    await scheduler?.schedule(Promise.resolve());
  };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await turn();
      return result;
    },
  };
  const inTurns = (sql: Statements) => sql.withPlugin(plugin);
  return {
    around: (database) => ({
      ...database,
      sql: inTurns(database.sql),
      keyedReader(rows) {
        const read = database.keyedReader(rows);
        return async (key) => {
          await turn();
          return read(key);
        };
      },
      async transaction(work, options) {
        await turn();
        return database.transaction((tx) => work({ ...tx, sql: inTurns(tx.sql) }), options);
      },
    }),
    async explore(given, calls) {
      scheduler = given;
      try {
        await given.waitFor(Promise.all(calls.map((call) => call())));
      } finally {
        scheduler = undefined;
        // What calls have left running must not wait for ever.
        await given.waitIdle();
      }
    },
  };
}
