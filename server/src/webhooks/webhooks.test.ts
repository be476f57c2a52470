// Webhooks and their deliveries without the service around them: what happens between two moments, on every engine.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { beside, engines, openTestDatabase } from '../../test/support/databases.ts';
import { untilWaiting } from '../../test/support/locks.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/support/webhook-receiver.ts';
import {
  type AuditTrail,
  type ChainStore,
  createAuditStore,
  createAuditTrail,
  createChainer,
  createChainStore,
} from '../audit/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Dispatcher } from '../foundation/dispatcher.ts';
import { createEgress, type Egress, parseEgressAllowance } from '../foundation/egress.ts';
import { type Actor, createEvents } from '../foundation/events.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { Database } from '../storage/database.ts';
import { createDeliveries } from './deliveries.ts';
import { createWebhookStore, type Delivery, type StoredWebhook, type WebhookStore } from './store.sql.ts';
import { formatSecret, HEAD_EVENT } from './webhook.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';
const DAY = 86_400;
const FIVE_DAYS = 5 * DAY;
const ANSWER_MS = 15_000;
const ABORT_MS = 500;
const STOP_MS = 3000;

const action = { name: 'account.created', description: '' };
const by: Manager = {
  actor: { id: null, name: 'test' },
  origin: { ipAddress: null, userAgent: null, frontEnd: 'default-app' },
  authorize: async () => [],
};
const onError = (error: unknown) => assert.fail(String(error));
const newSecret = () => formatSecret(systemRandom.bytes(32));

for (const engine of engines) {
  describe(`webhooks by themselves on ${engine}`, () => {
    let database: Database;
    let receiver: WebhookReceiver;
    let clock: ManualClock;
    let audit: AuditTrail;
    let chainStore: ChainStore;
    let store: WebhookStore;
    let egress: Egress;
    let webhooks: Webhooks;
    let deliveries: Dispatcher<string>;
    /** What the deliveries of `createNode` wait for. */
    let timers: { readonly ms: number; readonly run: () => unknown }[];

    before(async () => {
      database = await openTestDatabase(engine);
      receiver = await startWebhookReceiver();
    });
    after(async () => {
      await receiver.stop();
      await database.close();
    });
    beforeEach(async () => {
      clock = createManualClock();
      timers = [];
      audit = createAuditTrail({
        database,
        store: createAuditStore(database),
        events: createEvents(onError),
        clock,
        onError,
      });
      chainStore = createChainStore(database);
      store = createWebhookStore(database);
      egress = createEgress({ allowance: parseEgressAllowance(''), isDevelopment: true });
      webhooks = createWebhooks({
        ...{ database, store, audit, chainStore, egress, clock },
        actions: [action],
        secrets: createSecrets('a secret of at least thirty-two characters', systemRandom),
        random: systemRandom,
      });
      await webhooks.load();
      deliveries = createNode();
    });
    afterEach(async () => {
      receiver.answer((response) => response.writeHead(204).end());
      receiver.take();
      for (const table of ['webhook', 'webhook_delivery', 'audit'] as const)
        await database.sql.deleteFrom(table).execute();
    });

    /** The deliveries of a node, whose timers run when the test fires them. */
    function createNode(changed: { store?: Partial<WebhookStore>; egress?: Partial<Egress> } = {}) {
      const every: Clock['every'] = (ms, run) => {
        const timer = { ms, run };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      };
      return createDeliveries({
        ...{ database, webhooks, audit, chainStore },
        store: { ...store, ...changed.store },
        egress: { ...egress, ...changed.egress },
        clock: { ...clock, every },
        random: systemRandom,
        onFailure: onError,
      });
    }
    function fire(ms: number) {
      const due = timers.filter((timer) => timer.ms === ms);
      assert.ok(due.length > 0, `a timer of ${ms} ms`);
      for (const { run } of due) run();
    }

    const create = async (more: Partial<Parameters<Webhooks['create']>[0]> = {}): Promise<string> =>
      (await webhooks.create({ url: receiver.url, actions: [action.name], ...more }, by)).webhook.id;
    const read = async (id: string): Promise<StoredWebhook> =>
      (await store.find(database.sql, id)) ?? assert.fail('no such webhook');
    const happen = (user?: Actor) =>
      database.transaction((tx) => audit.record(tx, { action, outcome: 'success', ...(user && { user }) }));
    const list = (id: string) => store.listDeliveries(id, 1000);
    const last = async (id: string): Promise<Delivery> => (await list(id))[0] ?? assert.fail('no delivery');
    const ofTrail = async (name: string) =>
      (await audit.list({ action: `webhook.${name}` }, { skip: 0, take: 100 })).entries;
    const bodies = () => receiver.take().map(({ body }) => JSON.parse(body));

    it('have what an administrator leaves out, and a secret that is given if it is one', async () => {
      const given = newSecret();
      const id = await create({ secret: given });
      const { description, isEnabled, disabledBecause, failingSince, fullSince } = await read(id);
      assert.deepEqual(
        { description, isEnabled, disabledBecause, failingSince, fullSince },
        { description: '', isEnabled: true, disabledBecause: null, failingSince: null, fullSince: null },
      );
      assert.equal((await read(await create({ description: 'the shop' }))).description, 'the shop');
      await assert.rejects(create({ secret: given.slice(0, -1) }), { reason: 'request.invalid' });
      const has = (secret: string, of = id) => database.transaction((tx) => webhooks.hasSecret(tx, of, secret));
      assert.deepEqual([await has(given), await has(newSecret()), await has(given, MISSING)], [true, false, false]);

      const readMark = async () => (await database.transaction(webhooks.readSecretMarks)).get(id);
      const mark = await readMark();
      const next = newSecret();
      await assert.rejects(webhooks.rotateSecret(id, by, 'whsec_short'), { reason: 'request.invalid' });
      assert.equal(await webhooks.rotateSecret(id, by, next), next);
      assert.deepEqual([await has(next), await has(given)], [true, false]);
      assert.notEqual(await readMark(), mark);
      assert.deepEqual(webhooks.openSecrets(await read(id)), [next, given]);
      clock.advance(DAY);
      assert.deepEqual(webhooks.openSecrets(await read(id)), [next]);
    });

    it('sign with the last two secrets: a second rotation within a day ends the first one', async () => {
      const [first, second, third] = [newSecret(), newSecret(), newSecret()];
      const id = await create({ secret: first });
      await webhooks.rotateSecret(id, by, second);
      clock.advance(DAY - 1);
      assert.deepEqual(webhooks.openSecrets(await read(id)), [second, first]);
      await webhooks.rotateSecret(id, by, third);
      assert.deepEqual(webhooks.openSecrets(await read(id)), [third, second]);
      clock.advance(DAY);
      assert.deepEqual(webhooks.openSecrets(await read(id)), [third]);
    });

    it('go on with a new secret after LATCHKEY_SECRET was lost', async () => {
      const id = await create();
      const lost = createSecrets('the secret of the service until it was lost', systemRandom);
      await store.replace(database.sql, { ...(await read(id)), sealedSecret: lost.seal('webhook', newSecret()) });
      await webhooks.sendTest(id, by);
      await deliveries.deliverDue(id);
      assert.match((await last(id)).lastError ?? '', /sealed with another LATCHKEY_SECRET: give the webhook another/);
      assert.deepEqual(receiver.take(), []);
      const next = await webhooks.rotateSecret(id, by);
      assert.deepEqual(webhooks.openSecrets(await read(id)), [next]);
      await webhooks.redeliver((await last(id)).id, by);
      await deliveries.deliverDue(id);
      assert.equal((await last(id)).state, 'sent');
    });

    it('tell in the trail what administrators do with them', async () => {
      const id = await create({ isEnabled: false });
      await webhooks.update(id, { isEnabled: true }, by);
      await webhooks.redeliver(await webhooks.sendTest(id, by), by);
      await webhooks.rotateSecret(id, by);
      await webhooks.remove(id, by);
      const { entries } = await audit.list({}, { skip: 0, take: 100 });
      const common = { webhook: id, host: new URL(receiver.url).host };
      assert.deepEqual(
        entries.map(({ action, userName, details }) => [action, userName, details]).toReversed(),
        [
          ['created', { events: action.name }],
          ['updated', { events: action.name, isEnabled: true }],
          ['tested', {}],
          ['redelivered', { type: 'webhook.test' }],
          ['secretRotated', {}],
          ['deleted', {}],
        ].map(([name, more]) => [`webhook.${name}`, 'test', { ...common, ...(more as object) }]),
      );
    });

    it('are not found once they are deleted', async () => {
      const id = await create();
      await webhooks.remove(id, by);
      for (const call of [
        () => webhooks.remove(id, by),
        () => webhooks.update(id, {}, by),
        () => webhooks.listDeliveries(id),
      ])
        await assert.rejects(call, { reason: 'webhook.notFound' });
    });

    it('go on failing when an administrator changes what has nothing to do with it', async () => {
      const id = await create();
      const since = clock.now();
      const failingAfter = async (input: Parameters<Webhooks['update']>[1]) => {
        await store.setFailing(id, since);
        await webhooks.update(id, input, by);
        return (await read(id)).failingSince;
      };
      assert.equal(await failingAfter({ description: 'the shop' }), since);
      assert.equal(await failingAfter({ isEnabled: false }), since);
      assert.equal(await failingAfter({ description: 'another shop' }), since);
      assert.equal(await failingAfter({ isEnabled: true }), null);
      assert.equal(await failingAfter({ url: `${receiver.url}/moved` }), null);
    });

    it('are disabled once by a receiver that is gone, get nothing more, and can be enabled and disabled again', async () => {
      const id = await create();
      const before = await read(id);
      await Promise.all([webhooks.noteOutcome(before, 'gone'), webhooks.noteOutcome(before, 'gone')]);
      await webhooks.noteOutcome(before, 'gone');
      const disabled = await read(id);
      assert.deepEqual([disabled.isEnabled, disabled.disabledBecause], [false, 'gone']);
      assert.deepEqual(
        (await ofTrail('disabled')).map(({ userName, details }) => [userName, details?.cause]),
        [[null, 'gone']],
      );
      await happen();
      assert.deepEqual([webhooks.listEnabled(), await list(id)], [[], []]);

      const enabled = await webhooks.update(id, { isEnabled: true }, by);
      assert.deepEqual([enabled.isEnabled, enabled.disabledBecause], [true, null]);
      await webhooks.noteOutcome(enabled, 'gone');
      assert.equal((await ofTrail('disabled')).length, 2);
      await webhooks.update(id, { isEnabled: true }, by);
      await webhooks.remove(id, by);
      await webhooks.noteOutcome(enabled, 'gone');
      assert.equal((await ofTrail('disabled')).length, 2);
    });

    it('are disabled for failing only if every node has failed for five days', async () => {
      const id = await create();
      const since = clock.now();
      const begin = async () => {
        await store.replace(database.sql, { ...(await read(id)), failingSince: since });
        return read(id);
      };
      const isFailing = async () => (await read(id)).failingSince !== null;
      const early = await begin();
      clock.advance(FIVE_DAYS - 1);
      await webhooks.noteOutcome(early, 'failed');
      clock.advance(1);
      await store.setFailing(id, null);
      await webhooks.noteOutcome(early, 'failed');
      assert.deepEqual([(await read(id)).isEnabled, await isFailing()], [true, false], 'another node has reached it');

      const failing = await begin();
      const delivery = { id: MISSING, webhookId: id, eventId: MISSING, type: action.name, auditId: null };
      await store.queue(database.sql, [{ ...delivery, createdAt: since }]);
      await database.sql.updateTable('webhook_delivery').set({ state: 'sent' }).execute();
      await webhooks.noteOutcome(failing, 'failed');
      assert.deepEqual([(await read(id)).isEnabled, await isFailing()], [true, false], 'an event has arrived since');

      await database.sql.updateTable('webhook_delivery').set({ state: 'queued', failures: 3 }).execute();
      await webhooks.noteOutcome(await begin(), 'failed');
      assert.deepEqual([(await read(id)).disabledBecause, await isFailing()], ['failing', true]);
    });

    it('send a test before events that wait, and find it when others were queued since', async () => {
      const id = await create();
      const addBacklog = async () => {
        const delivery = () => ({ id: systemRandom.uuid(), webhookId: id, eventId: MISSING, type: action.name });
        const backlog = Array.from({ length: 150 }, () => ({ ...delivery(), auditId: null, createdAt: clock.now() }));
        await store.queue(database.sql, backlog);
      };
      await addBacklog();
      clock.advance(1);
      const test = await webhooks.sendTest(id, by);
      clock.advance(1);
      await addBacklog();
      assert.equal((await webhooks.listDeliveries(id)).length, 100);
      assert.equal((await webhooks.findDelivery(test))?.state, 'queued');
      assert.equal(await webhooks.findDelivery(MISSING), undefined);
      const claimed = await store.claim(id, 1, clock.now(), addSeconds(clock.now(), 60));
      assert.deepEqual(
        claimed.map((one) => one.id),
        [test],
      );
    });

    it('fail from the first failure to the first success, however the tries overlap', async () => {
      const id = await create();
      const before = await read(id);
      await webhooks.noteOutcome(before, 'failed');
      const since = clock.now();
      clock.advance(60);
      await webhooks.noteOutcome(await read(id), 'failed');
      assert.equal((await read(id)).failingSince, since);
      await webhooks.noteOutcome(before, 'delivered');
      assert.equal((await read(id)).failingSince, null);
    });

    it('are counted by their state, every ten seconds', async () => {
      const ids = [await create(), await create(), await create()];
      const [failing = '', disabled = '', enabled = ''] = ids;
      for (let count = 0; count < 2; count += 1) await happen();
      assert.deepEqual(webhooks.backlog(), { enabled: 0, failing: 0, disabled: 0 }, 'before the first count');
      await webhooks.sendTest(failing, by);
      await webhooks.noteOutcome(await read(failing), 'failed');
      await webhooks.update(disabled, { isEnabled: false }, by);
      await webhooks.measureBacklogs();
      assert.deepEqual(webhooks.backlog(), { enabled: 2, failing: 3, disabled: 2 });
      await webhooks.sendTest(enabled, by);
      clock.advance(9);
      await webhooks.measureBacklogs();
      assert.equal(webhooks.backlog().enabled, 2);
      clock.advance(1);
      await webhooks.measureBacklogs();
      assert.equal(webhooks.backlog().enabled, 3);
      await webhooks.noteOutcome(await read(failing), 'delivered');
      assert.deepEqual(webhooks.backlog(), { enabled: 6, failing: 0, disabled: 2 });
      await store.setFailing(enabled, clock.now());
      await webhooks.load();
      assert.deepEqual(webhooks.backlog(), { enabled: 3, failing: 3, disabled: 2 }, 'as another node has noted');
    });

    it('are full no longer once few events wait, and a count ends well when they are deleted meanwhile', async () => {
      const ids = [await create(), await create()];
      const [kept = '', deleted = ''] = ids;
      for (const id of ids)
        await store.replace(database.sql, { ...(await read(id)), isEnabled: false, fullSince: clock.now() });
      await webhooks.load();
      await store.remove(database.sql, deleted);
      await webhooks.measureBacklogs();
      assert.equal((await read(kept)).fullSince, null);
      assert.deepEqual(await ofTrail('full'), []);
    });

    it('tell the head of the chain to those alone that ask for it, the first time at once', async () => {
      await happen();
      await createChainer({ database, store: chainStore, clock, random: systemRandom, onError }).chainAll();
      const other = await create();
      await webhooks.tellHead();
      assert.deepEqual(await list(other), []);
      const hook = await create({ actions: [HEAD_EVENT] });
      await webhooks.tellHead();
      await webhooks.tellHead();
      assert.deepEqual(
        [...(await list(other)), ...(await list(hook))].map(({ webhookId, type }) => [webhookId, type]),
        [[hook, HEAD_EVENT]],
      );
    });

    it('keep an event for a week, and longer while its next try is due since less than a day', async () => {
      const id = await create();
      await happen();
      const countAfter = async (seconds: number) => {
        clock.advance(seconds);
        await webhooks.deleteExpired();
        return (await list(id)).length;
      };
      assert.deepEqual([await countAfter(7 * DAY), await countAfter(1)], [1, 0]);
      await happen();
      clock.advance(8 * DAY);
      await webhooks.redeliver((await last(id)).id, by);
      assert.deepEqual([await countAfter(DAY), await countAfter(1)], [1, 0]);
    });

    if (engine === 'postgres')
      it('stay as they were read until the transaction ends', async () => {
        const ends: string[] = [];
        let creating: Promise<unknown> | undefined;
        await database.transaction(async (tx) => {
          assert.deepEqual(await webhooks.list(tx), []);
          creating = beside(() => create()).then(() => ends.push('created'));
          await untilWaiting(database);
          ends.push('read');
        });
        await creating;
        assert.deepEqual(ends, ['read', 'created']);
      });

    it('deliver by themselves while they run', async () => {
      const id = await create();
      await happen();
      deliveries.start();
      await receiver.reached(receiver.received.length + 1);
      await deliveries.stop();
      assert.equal((await last(id)).state, 'sent');
      assert.equal(webhooks.backlog().enabled, 1, 'counted before the delivery');
    });

    it('send the account of an event, or none, and how long the receiver took', async () => {
      const id = await create();
      await happen({ id: 7, name: 'thandi' });
      await happen();
      clock.advance(60);
      receiver.answer((response) => {
        clock.advance(0.25);
        response.writeHead(200).end();
      });
      await deliveries.deliverDue(id);
      const accounts = bodies().map(({ data }) => data.account);
      assert.deepEqual(accounts.filter(Boolean), [{ id: 7, userName: 'thandi' }]);
      assert.equal(accounts.length, 2);
      for (const { lastError, lastDurationMs } of await list(id)) {
        assert.equal(lastError, null);
        assert.ok([250, 500].includes(lastDurationMs ?? 0), `${lastDurationMs} ms for answers at the same time`);
      }
    });

    it('send one event after the other over one connection', async () => {
      const id = await create();
      const ports = new Set<number | undefined>();
      receiver.answer((response) => {
        ports.add(response.socket?.remotePort);
        response.writeHead(204).end();
      });
      for (let count = 0; count < 3; count += 1) {
        await webhooks.sendTest(id, by);
        await deliveries.deliverDue(id);
      }
      assert.deepEqual([receiver.take().length, ports.size], [3, 1]);
    });

    it('give up an event that the trail keeps no more', async () => {
      const id = await create({ actions: ['*'] });
      await happen();
      const auditId = (await last(id)).auditId;
      const event = { id: MISSING, webhookId: id, eventId: MISSING, type: HEAD_EVENT, auditId };
      await store.queue(database.sql, [{ ...event, createdAt: clock.now() }]);
      await database.sql.deleteFrom('audit').execute();
      await deliveries.deliverDue(id);
      for (const { state, failures, lastStatus, lastDurationMs, lastError } of await list(id)) {
        assert.deepEqual([state, failures, lastStatus, lastDurationMs], ['failed', 0, null, 0]);
        assert.match(lastError ?? '', /does not keep this event/);
      }
      assert.deepEqual(receiver.take(), []);
    });

    it('say why a receiver was not reached, without its address', async () => {
      receiver.answer((response) => response.writeHead(999).end());
      for (const [url, expected] of [
        ['http://127.0.0.1:9/', /^The receiver cannot be reached: ECONNREFUSED\.$/],
        [receiver.url, /^The receiver cannot be reached: Error\.$/],
        ['https://localhost/', /not on the public internet/],
      ] as const) {
        const id = await create({ url });
        await webhooks.sendTest(id, by);
        await deliveries.deliverDue(id);
        const { state, lastStatus, lastError } = await last(id);
        assert.deepEqual([state, lastStatus], ['queued', null], url);
        assert.match(lastError ?? '', expected);
      }
    });

    it('wait fifteen seconds for an answer', async () => {
      const id = await create();
      await webhooks.sendTest(id, by);
      receiver.answer(() => {});
      const answered = receiver.reached(receiver.received.length + 1);
      const silent = deliveries.deliverDue(id);
      await answered;
      fire(ANSWER_MS);
      await silent;
      const expected = 'The receiver did not answer within 15 s.';
      assert.deepEqual([(await last(id)).failures, (await last(id)).lastError], [1, expected]);

      clock.advance(10);
      const asked = Promise.withResolvers<void>();
      const deaf = createNode({
        egress: {
          fetch: () => {
            asked.resolve();
            return new Promise(() => {});
          },
        },
      }).deliverDue(id);
      await asked.promise;
      fire(ANSWER_MS);
      fire(ABORT_MS);
      await deaf;
      assert.deepEqual([(await last(id)).failures, (await last(id)).lastError], [2, expected]);
    });

    it('count a try that this node has ended by its stop as none', async () => {
      const id = await create();
      await webhooks.sendTest(id, by);
      receiver.answer(() => {});
      const asked = receiver.reached(receiver.received.length + 1);
      deliveries.start();
      await asked;
      const stopped = deliveries.stop();
      fire(STOP_MS);
      await stopped;
      const { state, failures, dueAt, lastError } = await last(id);
      assert.deepEqual([state, failures, dueAt, lastError], ['queued', 0, clock.now(), null]);
      assert.equal((await read(id)).failingSince, null);
    });

    it('send nothing to a webhook that is disabled or deleted after an event was claimed', async () => {
      for (const end of [
        (id: string) => webhooks.update(id, { isEnabled: false }, by),
        (id: string) => webhooks.remove(id, by),
      ]) {
        const id = await create();
        await webhooks.sendTest(id, by);
        const claim: WebhookStore['claim'] = async (...given) => {
          const claimed = await store.claim(...given);
          if (claimed.length > 0) await end(id);
          return claimed;
        };
        await createNode({ store: { claim } }).deliverDue(id);
        const { state, tries, dueAt } = await last(id);
        assert.deepEqual([state, tries, dueAt > clock.now()], ['queued', 1, true]);
      }
      assert.deepEqual(receiver.take(), []);
    });

    it('judge a receiver by no try that was claimed again meanwhile', async () => {
      const id = await create();
      const deliveryId = await webhooks.sendTest(id, by);
      receiver.answer(async (response) => {
        receiver.answer((next) => next.writeHead(204).end());
        await webhooks.redeliver(deliveryId, by);
        response.writeHead(410).end();
      });
      await deliveries.deliverDue(id);
      assert.deepEqual([(await read(id)).isEnabled, (await last(id)).state], [true, 'sent']);
    });

    it('try no event again whose receiver is gone, and wait longer after each failure', async () => {
      const id = await create();
      await webhooks.sendTest(id, by);
      for (const [status, state, wait] of [
        [500, 'queued', 5],
        [500, 'queued', 300],
        [410, 'failed', undefined],
      ] as const) {
        receiver.answer((response) => response.writeHead(status).end());
        await deliveries.deliverDue(id);
        const delivery = await last(id);
        assert.deepEqual(
          [delivery.state, delivery.lastStatus, delivery.lastError],
          [state, status, `The receiver answered ${status}.`],
        );
        if (wait === undefined) continue;
        assert.ok(delivery.dueAt >= addSeconds(clock.now(), wait));
        assert.ok(delivery.dueAt <= addSeconds(clock.now(), wait * 1.1 + 1));
        clock.advance(wait * 1.1 + 1);
      }
    });
  });
}
