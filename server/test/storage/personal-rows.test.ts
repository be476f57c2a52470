// The rows of a person are found by an index in every table that grows with accounts, and so are those that jobs delete.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBudgetStore } from '../../src/budgets/store.sql.ts';
import { toInstant } from '../../src/foundation/clock.ts';
import { createLockoutStore } from '../../src/lockout/store.sql.ts';
import type { Person } from '../../src/persons/person.ts';
import { personalTables } from '../../src/persons/personal-data.ts';
import { createPersonStore } from '../../src/persons/store.sql.ts';
import { engines } from '../support/databases.ts';
import { openWithPlans } from '../support/plans.ts';

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
      const { database, explainLast } = await openWithPlans(context, engine, ['seqscan']);
      await createLockoutStore(database).deleteUnknown(now, 500);
      assert.match(await explainLast(), /lockout_unknown/);
      await createBudgetStore(database).deleteExpired(now, 500);
      assert.match(await explainLast(), /pin_budget_started_at/);
      const scanned: string[] = [];
      const persons = createPersonStore(database);
      for (const table of personalTables) {
        await persons.read(table, person);
        const plan = await explainLast();
        if (/SCAN |Seq Scan/.test(plan)) scanned.push(table.name);
      }
      assert.deepEqual(scanned, SMALL);
    });
  });
}
