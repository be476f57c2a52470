// The bounds of webhooks on one node and on two: a backlog that grows no further, and what tells administrators of it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createWebhookStore } from '../../src/webhooks/index.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app/Webhook';
const FULL = 100_000;
const RESUMED = 90_000;
const MOST = 50;

for (const [name, start] of Object.entries(setUps)) {
  describe(`the backlog of a webhook on ${name}`, () => {
    let nodes: SetUp;
    let test: TestService;
    let token: string;
    let id: string;
    before(async () => {
      nodes = await start();
      test = nodes.here;
      token = await test.admin();
    });
    after(() => nodes.close());
    beforeEach(async () => {
      const body = { url: 'http://127.0.0.1:9/events', actions: ['account.created'] };
      id = (await test.post(`${API}/Create`, { token, body })).result.id;
    });

    /** Counts anew, as the dispatcher of each node does every ten seconds. */
    async function measure() {
      test.clock.advance(10);
      await Promise.all([nodes.here, nodes.there].map(({ service }) => service.webhooks.measureBacklogs()));
    }
    /** Lets so many events wait for the webhook. */
    async function fill(count: number) {
      const { database } = test.service;
      const now = sql`cast(${test.clock.now()} as bigint)`;
      await sql`
        with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${count})
        insert into webhook_delivery (id, webhook_id, event_id, type, state, created_at, due_at, tries, failures)
        select ${id} || '-' || n, ${id}, ${id} || '-' || n, 'account.created', 'queued', ${now}, ${now}, 0, 0 from counted
      `.execute(database.sql);
    }
    const queued = () => createWebhookStore(test.service.database).countQueued(id);
    const hook = async () => {
      const { result } = await test.get(`${API}/GetAll`, { token });
      return result.items.find((one) => one.id === id) ?? assert.fail('the webhook is not listed');
    };
    const entries = async (action: string) => {
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token, query: { action } });
      return result.items.filter(({ details }) => (details as { webhook: string }).webhook === id);
    };
    const gauge = async (state: string) => {
      const { text } = await test.get('/metrics', { ip: '127.0.0.1' });
      const [, value] =
        new RegExp(`^latchkey_webhook_events_queued\\{state="${state}"\\} (\\d+)$`, 'm').exec(text) ?? [];
      return Number(value);
    };
    let people = 0;
    const happen = () => {
      people += 1;
      return test.createUser(`person${people}`);
    };

    it('grows no further than its bound, says so once, and takes events again when a tenth is sent', async () => {
      await fill(FULL - 1);
      await measure();
      assert.equal((await hook()).fullSince, null);
      await happen();
      assert.equal(await queued(), FULL);
      await measure();
      assert.notEqual((await hook()).fullSince, null);
      await measure();
      assert.ok(Date.parse(String((await hook()).fullSince)) <= test.clock.now());
      assert.equal((await entries('webhook.full')).length, 1);
      await happen();
      assert.equal(await queued(), FULL);

      const remove = async (count: number) => {
        const on = test.service.database.sql;
        const some = on.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', id).limit(count);
        await on.deleteFrom('webhook_delivery').where('id', 'in', some).execute();
      };
      await remove(FULL - RESUMED);
      await measure();
      await happen();
      assert.equal(await queued(), RESUMED);
      await remove(1);
      await measure();
      assert.equal((await hook()).fullSince, null);
      await happen();
      assert.equal(await queued(), RESUMED);
      assert.equal((await entries('webhook.full')).length, 1);
    });

    it('is a metric, by the state of the webhook', async () => {
      await happen();
      await measure();
      assert.ok((await gauge('enabled')) >= 1);
      assert.equal(await gauge('disabled'), 0);
      const body = { id, url: 'http://127.0.0.1:9/events', actions: ['account.created'], isEnabled: false };
      await test.send('PUT', `${API}/Update`, { token, body });
      await measure();
      assert.equal(await gauge('disabled'), 1);
    });

    it('tells in the trail who sent a test', async () => {
      await test.post(`${API}/SendTest`, { token, body: { id } });
      const [entry, ...more] = await entries('webhook.tested');
      assert.deepEqual([entry?.userName, more], ['admin', []]);
      assert.deepEqual(entry?.details, { webhook: id, host: '127.0.0.1:9' });
    });

    it('is one of fifty at most, though administrators make them at the same time on each node', async () => {
      const body = { url: 'http://127.0.0.1:9/events', actions: ['role.*'] };
      const create = (node: TestService, by = token) => node.post(`${API}/Create`, { token: by, body });
      // Calls of one administrator wait for each other anyway.
      const tokens: string[] = [];
      for (let index = 0; index < 10; index += 1) {
        await test.createUser(`admin${index}`, { roleNames: ['Administrator'] });
        tokens.push(await test.signIn(`admin${index}`));
      }
      const list = async () => (await test.get(`${API}/GetAll`, { token })).result.items;
      const free = MOST - 5 - (await list()).length;
      for (let made = 0; made < free; made += 1) assert.equal((await create(test)).status, 200);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => create(index % 2 ? nodes.here : nodes.there, tokens[index % 10])),
      );
      const refused = answers.filter(({ status }) => status !== 200);
      assert.deepEqual([(await list()).length, refused.length], [MOST, 15]);
      for (const { status, error } of refused) assert.deepEqual([status, error.reason], [409, 'webhook.tooMany']);
      for (const one of await list()) {
        await test.send('DELETE', `${API}/Delete`, { token, query: { id: one.id } });
      }
    });
  });
}
