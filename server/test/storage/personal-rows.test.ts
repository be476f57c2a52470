// The rows of a person are found by an index in every table that grows with accounts, and so are those that jobs delete.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createBudgetStore } from '../../src/budgets/store.sql.ts';
import { toInstant } from '../../src/foundation/clock.ts';
import { createLockoutStore } from '../../src/lockout/store.sql.ts';
import type { Person } from '../../src/persons/person.ts';
import { personalTables } from '../../src/persons/personal-data.ts';
import { createPersonStore } from '../../src/persons/store.sql.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createMigratedUrl, engines, PATIENT } from '../support/databases.ts';

/** They grow with the changes of administrators alone. */
const SMALL = ['setting_value', 'setting_change', 'external_provider_change'];

const now = toInstant(1_700_000_000_000);
const person: Person = {
  accountId: [1],
  lockoutSubject: ['account:1'],
  pinSubject: ['account:1'],
  userName: ['ann'],
  address: ['ann@example.com'],
  createdAt: now,
};

for (const engine of engines) {
  describe(`what is looked for among many rows on ${engine}`, () => {
    it('is found by an index', async (context) => {
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
      // The planner would scan an empty table. The test checks whether it can use an index.
      await client?.query('set enable_seqscan = off');
      async function explain(text: string): Promise<string> {
        if (client) return JSON.stringify((await client.query(`explain (generic_plan) ${text}`)).rows);
        return JSON.stringify((await sql`explain query plan ${sql.raw(text)}`.execute(database.sql)).rows);
      }
      await createLockoutStore(database).deleteUnknown(now, 500);
      assert.match(await explain(seen.at(-1) ?? ''), /lockout_unknown/);
      await createBudgetStore(database).deleteExpired(now, 500);
      assert.match(await explain(seen.at(-1) ?? ''), /pin_budget_started_at/);
      const scanned: string[] = [];
      const persons = createPersonStore(database);
      for (const table of personalTables) {
        await persons.read(table, person);
        const plan = await explain(seen.at(-1) ?? '');
        if (/SCAN |Seq Scan/.test(plan)) scanned.push(table.name);
      }
      assert.deepEqual(scanned, SMALL);
    });
  });
}
