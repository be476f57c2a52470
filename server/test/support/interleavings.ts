// Interleavings: runs the statements of parallel calls in the orders that a scheduler of fast-check draws.
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import type { Database, Statements } from '../../src/storage/database.ts';

/** Sits between a service and its database while it explores; passes everything through otherwise. */
export interface Interleavings {
  /** The same database, with transactions and statements that wait for their turn. */
  around(database: Database): Database;
  /** Runs these calls at once, one statement at a time, in the order that the scheduler draws. */
  explore(scheduler: fc.Scheduler, calls: readonly (() => Promise<void>)[]): Promise<void>;
}

/** Long enough for the others to queue up before the next draw. Only the number of orders depends on it. */
const LINE_UP_MS = 1;

/** The order: picks which waiting statement runs next. */
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
        // Work that the calls left running must not wait forever.
        await given.waitIdle();
      }
    },
  };
}
