// Counts a service's PostgreSQL statements: work that differs for known and unknown names would show in time.
import pg from 'pg';

export interface StatementCount {
  /** Statements since the last reset. */
  read(): number;
  reset(): void;
}

/** Counts the statements of this process until the test ends. */
export function countStatements(context: { after(run: () => void): void }): StatementCount {
  const { query } = pg.Client.prototype;
  let count = 0;
  const counted = function (this: pg.Client, ...args: unknown[]) {
    const { text = String(args[0]) } = args[0] as { text?: string };
    // Each node polls for changes by other nodes once a second, in addition to any call.
    if (!text.includes('from "version"')) count += 1;
    return Reflect.apply(query, this, args);
  };
  Object.assign(pg.Client.prototype, { query: counted });
  context.after(() => Object.assign(pg.Client.prototype, { query }));
  return {
    read: () => count,
    reset: () => {
      count = 0;
    },
  };
}
