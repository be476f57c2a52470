// The plans of statements: whether an index finds their rows. A table of a test is empty, so that times say nothing.
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../../src/storage/database.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createMigratedUrl, type Engine, PATIENT } from './databases.ts';

/** A database, and the plan of the last statement that was sent to it, as JSON. */
export type Planned = { readonly database: Database; readonly explainLast: () => Promise<string> };

/** @param without ways that PostgreSQL is not to take, because it would scan an empty table. */
export async function openWithPlans(
  context: TestContext,
  engine: Engine,
  without: readonly ('seqscan' | 'bitmapscan' | 'sort')[],
): Promise<Planned> {
  const seen: string[] = [];
  const url = await createMigratedUrl(engine);
  const database = await openDatabase(url, {
    timeLimits: PATIENT,
    onStatement: ({ sql: text }) => void seen.push(text),
  });
  context.after(() => database.close());
  const client = engine === 'postgres' ? new pg.Client(url) : undefined;
  await client?.connect();
  context.after(() => client?.end());
  for (const way of without) await client?.query(`set enable_${way} = off`);
  return {
    database,
    async explainLast() {
      const last = seen.at(-1) ?? '';
      if (client) return JSON.stringify((await client.query(`explain (generic_plan) ${last}`)).rows);
      const { rows } = await sql`explain query plan ${sql.raw(last)}`.execute(database.sql);
      seen.pop();
      return JSON.stringify(rows);
    },
  };
}
