// The rows of a person are found by an index in every table that grows with accounts, and so are those that jobs look for.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { createBudgetStore } from '../../src/budgets/store.sql.ts';
import { addSeconds, toInstant } from '../../src/foundation/clock.ts';
import { createLockoutStore } from '../../src/lockout/store.sql.ts';
import type { Person } from '../../src/persons/person.ts';
import { personalTables } from '../../src/persons/personal-data.ts';
import { createPersonStore } from '../../src/persons/store.sql.ts';
import { createSignOutStore } from '../../src/sign-outs/index.ts';
import { createWebhookStore } from '../../src/webhooks/store.sql.ts';
import { engines } from '../support/databases.ts';
import { openWithPlans } from '../support/plans.ts';

/** They grow with the changes of administrators alone. */
const SMALL = ['setting_value', 'setting_change', 'external_provider_change'];

/** Rows beside those that are looked for: with fewer, a scan would be as fast. */
const MANY = 2000;

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

    it('is found by an index when it is due, though many others wait', async (context) => {
      const { database, explainLast } = await openWithPlans(context, engine, []);
      const [signOuts, webhooks] = [createSignOutStore(database), createWebhookStore(database)];
      const many = Array.from({ length: MANY }, (_, n) => String(n));
      const later = addSeconds(now, 3600);
      const times = { endedAt: now, tokensEndAt: now, settledAt: null };
      const named = { applicationName: null, grantId: '1', sessionId: '1', accountId: 1 };
      const common = { ...named, tries: 1, failures: 1, ...times };
      const waiting = { ...common, applicationId: 'silent', state: 'pending', dueAt: later } as const;
      const settled = { ...common, applicationId: 'other', state: 'confirmed', dueAt: now } as const;
      const toSignOuts = (id: string) => [
        { ...waiting, id: `waiting${id}` },
        { ...settled, id: `settled${id}` },
      ];
      await signOuts.add(database.sql, many.flatMap(toSignOuts));
      const event = { type: 'account.created', auditId: 1 };
      const toDeliveries = (eventId: string) => [
        { ...event, eventId, id: `waiting${eventId}`, webhookId: 'silent', createdAt: later },
        { ...event, eventId, id: `settled${eventId}`, webhookId: 'other', createdAt: now },
      ];
      await webhooks.queue(database.sql, many.flatMap(toDeliveries));
      const sent = database.sql
        .updateTable('webhook_delivery')
        .set({ state: 'sent' })
        .where('webhook_id', '=', 'other');
      await sent.execute();
      await sql`analyze`.execute(database.sql);
      assert.deepEqual(await signOuts.listDue(now), []);
      const ofApplication = {
        sqlite: /SEARCH sign_out USING INDEX sign_out_due \(application_id=\? AND due_at<\?\)/,
        postgres: /sign_out_due on sign_out.*\(\(application_id = application\.id\) AND \(due_at <= \$1\)\)/,
      };
      assert.match(await explainLast(), ofApplication[engine]);
      assert.equal(await webhooks.hasDue('other', now), false);
      const ofWebhook = {
        sqlite: /SEARCH webhook_delivery USING INDEX webhook_delivery_due \(webhook_id=\? AND due_at<\?\)/,
        postgres: /webhook_delivery_due on webhook_delivery.*\(\(webhook_id = \$1\) AND \(due_at <= \$2\)\)/,
      };
      assert.match(await explainLast(), ofWebhook[engine]);
    });
  });
}
