// Webhooks on both engines: signed events reach a real receiver, and nobody else.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { operator } from '../../src/app/first-start.ts';
import type { Manager } from '../../src/foundation/authority.ts';
import { addSeconds } from '../../src/foundation/clock.ts';
import { createEgress, parseEgressAllowance } from '../../src/foundation/egress.ts';
import { permissionErrors } from '../../src/foundation/errors.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { createDeliveries, createWebhookStore } from '../../src/webhooks/index.ts';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type ReceivedEvent, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const path = (name: string) => `/api/services/app/Webhook/${name}` as const;
const MISSING = '00000000-0000-4000-8000-000000000000';
const DAY = 86_400;

type Hook = { id: string; secret: string };
type Delivery = {
  id: string;
  eventId: string;
  type: string;
  state: string;
  tries: number;
  status: number | null;
  error: string | null;
  nextTryAt: string | null;
};

for (const engine of engines) {
  describe(`webhooks on ${engine}`, () => {
    let test: TestService;
    let receiver: WebhookReceiver;
    let admin: string;
    before(async () => {
      test = await startTestService(engine);
      receiver = await startWebhookReceiver();
      await test.createUser('thandi');
      admin = await test.admin();
    });
    after(async () => {
      await receiver.stop();
      await test.close();
    });
    beforeEach(async () => {
      admin = await test.admin();
      for (const { id } of await test.service.webhooks.list()) await call('DELETE', 'Delete', undefined, { id });
      receiver.answer((response) => response.writeHead(204).end());
      receiver.take();
    });

    async function call<Result>(
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      name: string,
      body?: unknown,
      query?: Record<string, string>,
    ): Promise<Result> {
      const answer = await test.send(method, path(name), { body, token: admin, ...(query && { query }) });
      assert.equal(answer.status, 200, answer.text);
      return answer.result as Result;
    }
    const create = (more: Record<string, unknown> = {}) =>
      call<Hook>('POST', 'Create', { url: receiver.url, actions: ['account.created'], ...more });
    const refuse = async (name: string, body: unknown, method: 'POST' | 'PUT' = 'POST') => {
      const { status, error } = await test.send(method, path(name), { body, token: admin });
      return { status, reason: error.reason, message: error.validationErrors?.[0]?.message ?? error.message };
    };
    let people = 0;
    /** Lets an event happen. */
    const happen = () => {
      people += 1;
      return test.createUser(`person${people}`);
    };
    const deliver = ({ id }: Hook) => test.service.deliveries.deliverDue(id);
    const deliveries = async ({ id }: Hook) =>
      (await call<{ items: Delivery[] }>('GET', 'GetDeliveries', undefined, { id })).items;
    const hookOf = async ({ id }: Hook) => {
      const { items } = await call<{ items: Record<string, unknown>[] }>('GET', 'GetAll');
      return items.find((one) => one.id === id) ?? assert.fail('the webhook is not listed');
    };
    /** Checks the signature for the time of the try, which `verify` of the library compares with that of this machine. */
    function verify(secret: string, { headers, body }: ReceivedEvent) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const expected = new Verifier(secret).sign(headers['webhook-id'] ?? '', at, body);
      assert.ok(headers['webhook-signature']?.split(' ').includes(expected), 'signed with this secret');
      return JSON.parse(body);
    }

    it('post each matching event once, signed, with the item of the audit trail', async () => {
      const hook = await create();
      assert.match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      await happen();
      await deliver(hook);
      await deliver(hook);
      const [event, ...more] = receiver.take();
      assert.ok(event && more.length === 0);
      // Verified as receivers do.
      const verified = new Verifier(hook.secret).verify(event.body, event.headers);
      const { type, timestamp, data } = verified as { type: string; timestamp: string; data: unknown };
      const query = { action: 'account.created', maxResultCount: 1 };
      const { result } = await test.get('/api/services/app/Audit/GetAll', { query, token: admin });
      const [entry] = result.items;
      assert.deepEqual([type, timestamp], ['account.created', entry?.at]);
      assert.deepEqual(data, { ...entry, account: { id: entry?.userId, userName: entry?.userName } });
      assert.equal(event.headers['content-type'], 'application/json; charset=utf-8');
      const [delivery] = await deliveries(hook);
      assert.deepEqual([delivery?.state, delivery?.status, delivery?.tries], ['sent', 204, 1]);
      assert.equal(delivery?.eventId, event.headers['webhook-id']);
    });

    it('post events whose entries somebody has edited, so that they hold up no other', async () => {
      const hook = await create();
      for (const edit of [{ at: 9e15 as never }, { details: '{' }]) {
        const { sql } = test.service.database;
        await sql
          .updateTable('audit')
          .set(edit)
          .where('user_id', '=', await happen())
          .execute();
      }
      await deliver(hook);
      const events = receiver.take().map(({ body }) => JSON.parse(body));
      assert.equal(events.length, 2);
      assert.ok(events.some(({ timestamp }) => timestamp === '9999-12-31T23:59:59.999Z'));
      assert.ok(events.some(({ data }) => data.details.unreadable === '{'));
    });

    it('send to each webhook what fits its patterns, under one id', async () => {
      const hooks = [
        await create({ actions: ['account.*', 'role.created'] }),
        await create({ actions: ['*'] }),
        await create({ actions: ['role.*'] }),
        await create({ isEnabled: false }),
      ];
      await happen();
      const ids = [];
      for (const hook of hooks) {
        await deliver(hook);
        const created = receiver.take().filter(({ body }) => JSON.parse(body).type === 'account.created');
        ids.push(created.map(({ headers }) => headers['webhook-id']));
      }
      assert.deepEqual(ids, [ids[0], ids[0], [], []]);
      assert.equal(ids[0]?.length, 1);
    });

    it('post each event once, though four nodes share them', async () => {
      const hook = await create();
      for (let count = 0; count < 40; count += 1) await call('POST', 'SendTest', { id: hook.id });
      const { database, webhooks, audit, chainStore } = test.service;
      const egress = createEgress({ allowance: parseEgressAllowance(''), isDevelopment: true });
      const nodes = Array.from({ length: 4 }, () =>
        createDeliveries({
          database,
          store: createWebhookStore(database),
          webhooks,
          audit,
          chainStore,
          egress,
          clock: test.clock,
          random: systemRandom,
          onFailure: (error) => assert.fail(String(error)),
        }),
      );
      await Promise.all(nodes.map((node) => node.deliverDue(hook.id)));
      const ids = receiver.take().map(({ headers }) => headers['webhook-id']);
      assert.deepEqual([ids.length, new Set(ids).size], [40, 40]);
      assert.ok((await deliveries(hook)).every(({ state, tries }) => state === 'sent' && tries === 1));
    });

    it('tell the head of the chain once an hour, whichever of the nodes comes first', async () => {
      const hook = await create({ actions: ['audit.head'] });
      const { webhooks, chainer } = test.service;
      const tell = async () => {
        await Promise.all(Array.from({ length: 4 }, () => webhooks.tellHead()));
        await deliver(hook);
        return receiver.take().map(({ body }) => JSON.parse(body));
      };
      await chainer.chainAll();
      const { result: head } = await test.get('/api/services/app/Audit/GetHead', { token: admin });
      const [event, ...more] = await tell();
      const at = new Date(test.clock.now()).toISOString();
      const data = { sequence: head.sequence, hash: head.hash, at };
      assert.deepEqual([event, more], [{ type: 'audit.head', timestamp: at, data }, []]);
      test.clock.advance(3599);
      assert.deepEqual(await tell(), []);
      test.clock.advance(1);
      assert.equal((await tell()).length, 1);
      test.clock.set(-DAY);
      assert.equal((await tell()).length, 1, 'a clock that was set back does not stop it');
      test.clock.set(DAY);
    });

    it('send nothing of a transaction that is undone', async () => {
      const hook = await create({ actions: ['role.*'] });
      const { audit, database } = test.service;
      const action = { name: 'role.created', description: '' };
      const undone = database.transaction(async (tx) => {
        await audit.record(tx, { action, outcome: 'success' });
        throw new Error('undone');
      });
      await assert.rejects(undone, /undone/);
      await deliver(hook);
      assert.deepEqual([receiver.take(), await deliveries(hook)], [[], []]);
    });

    it('try again with the same id, later each time, until the receiver accepts', async () => {
      const hook = await create();
      await happen();
      receiver.answer((response) => response.writeHead(500).end('<b>Broken</b>'));
      const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000];
      for (const wait of waits) {
        await deliver(hook);
        const [delivery] = await deliveries(hook);
        assert.deepEqual([delivery?.state, delivery?.error], ['queued', 'The receiver answered 500.']);
        const due = (Date.parse(delivery?.nextTryAt ?? '') - test.clock.now()) / 1000;
        assert.ok(due >= wait && due <= wait * 1.1 + 1, `${due} s after a wait of ${wait} s`);
        test.clock.advance(due - 1);
        await deliver(hook);
        test.clock.advance(1);
        admin = await test.admin();
      }
      receiver.answer((response) => response.writeHead(200).end());
      await deliver(hook);
      const tried = receiver.take();
      assert.equal(tried.length, waits.length + 1);
      assert.equal(new Set(tried.map(({ headers }) => headers['webhook-id'])).size, 1);
      for (const event of tried.slice(-1)) verify(hook.secret, event);
      assert.equal((await deliveries(hook))[0]?.state, 'sent');
      assert.equal((await hookOf(hook)).failingSince, null);
    });

    /** Fails the newest event until the service gives it up. */
    async function failToTheEnd(hook: Hook): Promise<Delivery | undefined> {
      receiver.answer((response) => response.writeHead(500).end());
      for (;;) {
        await deliver(hook);
        admin = await test.admin();
        const [delivery] = await deliveries(hook);
        if (!delivery?.nextTryAt) return delivery;
        test.clock.advance((Date.parse(delivery.nextTryAt) - test.clock.now()) / 1000);
      }
    }

    it('give up after the tenth try, and let an administrator deliver it again', async () => {
      const hook = await create();
      await happen();
      const failed = await failToTheEnd(hook);
      assert.deepEqual([receiver.take().length, failed?.state, failed?.tries], [10, 'failed', 10]);
      receiver.answer((response) => response.writeHead(200).end());
      await call('POST', 'Redeliver', { deliveryId: failed?.id });
      await deliver(hook);
      const [again] = receiver.take();
      assert.equal(again?.headers['webhook-id'], failed?.eventId);
      const after = await deliveries(hook);
      assert.deepEqual(
        after.map(({ id, state }) => [id, state]),
        [[failed?.id, 'sent']],
      );
    });

    it('are disabled when every try has failed for five days, and begin anew when they are enabled', async () => {
      const hook = await create();
      receiver.answer((response) => response.writeHead(500).end());
      for (let day = 0; day <= 5; day += 1) {
        await happen();
        await deliver(hook);
        admin = await test.admin();
        const { isEnabled, disabledBecause } = await hookOf(hook);
        assert.deepEqual([isEnabled, disabledBecause], day < 5 ? [true, null] : [false, 'failing'], `day ${day}`);
        test.clock.advance(DAY);
      }
      admin = await test.admin();
      const [waiting] = await deliveries(hook);
      assert.equal((await refuse('Redeliver', { deliveryId: waiting?.id })).reason, 'webhook.disabled');
      const enabled = { id: hook.id, url: receiver.url, actions: ['account.created'], isEnabled: true };
      await call('PUT', 'Update', enabled);
      await deliver(hook);
      const { isEnabled, failingSince } = await hookOf(hook);
      assert.deepEqual([isEnabled, failingSince], [true, new Date(test.clock.now()).toISOString()]);
    });

    it('get all tries for the first events that fail long after one that was given up', async () => {
      const hook = await create();
      await happen();
      await failToTheEnd(hook);
      test.clock.advance(30 * DAY);
      admin = await test.admin();
      await happen();
      await happen();
      await deliver(hook);
      const { isEnabled, failingSince } = await hookOf(hook);
      assert.deepEqual([isEnabled, failingSince], [true, new Date(test.clock.now()).toISOString()]);
      assert.equal((await deliveries(hook))[0]?.state, 'queued');
      receiver.take();
      const given = await failToTheEnd(hook);
      assert.deepEqual([given?.state, given?.tries, (await hookOf(hook)).isEnabled], ['failed', 10, true]);
    });

    it('fail only while no node reaches the receiver', async () => {
      const hook = await create();
      const elsewhere = createWebhookStore(test.service.database);
      const failingSince = async () => (await hookOf(hook)).failingSince;
      await elsewhere.setFailing(hook.id, test.clock.now());
      await happen();
      await deliver(hook);
      assert.equal(await failingSince(), null, 'this node has reached it after another one failed');

      receiver.answer((response) => response.writeHead(500).end());
      await happen();
      await deliver(hook);
      assert.notEqual(await failingSince(), null);
      await elsewhere.setFailing(hook.id, null);
      test.clock.advance(6 * DAY);
      admin = await test.admin();
      await happen();
      await deliver(hook);
      const { isEnabled, failingSince: since } = await hookOf(hook);
      const now = new Date(test.clock.now()).toISOString();
      assert.deepEqual([isEnabled, since], [true, now], 'another node has reached it after this one failed');
    });

    it('are tried no later than they can wait when the clock was ahead and is set back', async () => {
      const hook = await create();
      const refuse = (headers: Record<string, string> = {}) =>
        receiver.answer((response) => response.writeHead(503, headers).end());
      const { jobs } = test.service;
      const correct = async () => {
        for (const job of jobs) await job();
        await deliver(hook);
        return receiver.take().length;
      };
      await correct();
      test.clock.set(2 * DAY);
      await correct();
      refuse();
      await happen();
      await deliver(hook);
      assert.equal(receiver.take().length, 1);
      await happen();
      const [now, until] = [test.clock.now(), addSeconds(test.clock.now(), 8)];
      const left = await createWebhookStore(test.service.database).claim(hook.id, 1, now, until);
      assert.equal(left.length, 1, 'claimed by a node that has ended');
      test.clock.set(-2 * DAY);
      admin = await test.admin();
      await deliver(hook);
      assert.deepEqual(receiver.take(), []);
      refuse({ 'retry-after': '80000' });
      assert.equal(await correct(), 2);
      test.clock.advance(10);
      assert.equal(await correct(), 0, 'both wait as the receiver has asked');
      // As another node puts them off whose clock is ahead: within an hour.
      const { sql } = test.service.database;
      for (const [failures, sent] of [
        [2, 0],
        [1, 2],
      ] as const) {
        const later = { due_at: addSeconds(test.clock.now(), 3900), failures, last_status: null };
        await sql.updateTable('webhook_delivery').set(later).where('webhook_id', '=', hook.id).execute();
        test.clock.advance(3600);
        assert.equal(await correct(), sent, `after ${failures} failures`);
      }
    });

    it('heed Retry-After, follow no redirect, and read no long answer', async () => {
      const hook = await create();
      await happen();
      receiver.answer((response) => response.writeHead(503, { 'retry-after': '900' }).end());
      await deliver(hook);
      const [asked] = await deliveries(hook);
      assert.ok(Date.parse(asked?.nextTryAt ?? '') >= test.clock.now() + 900_000);
      test.clock.advance(1000);
      receiver.answer((response) => response.writeHead(307, { location: '/elsewhere' }).end());
      await deliver(hook);
      assert.equal((await deliveries(hook))[0]?.error, 'The receiver answered 307.');
      test.clock.advance(400);
      receiver.answer((response) => response.writeHead(200).write(Buffer.alloc(4_000_000)));
      await deliver(hook);
      assert.equal((await deliveries(hook))[0]?.state, 'sent');
      assert.deepEqual(
        receiver.take().map(({ url }) => url),
        ['/events', '/events', '/events'],
      );
    });

    it('are disabled by a receiver that is gone, and say so in the trail', async () => {
      const hook = await create();
      await happen();
      await happen();
      receiver.answer((response) => response.writeHead(410).end());
      await test.service.deliveries.deliverDue(hook.id);
      assert.deepEqual([(await hookOf(hook)).isEnabled, (await hookOf(hook)).disabledBecause], [false, 'gone']);
      const query = { action: 'webhook.disabled', maxResultCount: 10 };
      const { result } = await test.get('/api/services/app/Audit/GetAll', { query, token: admin });
      const ours = result.items.filter((one) => (one.details as { webhook: string }).webhook === hook.id);
      assert.equal(ours.length, 1, 'once, though several deliveries found it gone');
      await happen();
      await deliver(hook);
      assert.ok(receiver.take().length <= 2);
    });

    it('are not judged by a former address, and stay as they are in what an administrator does not name', async () => {
      const hook = await create();
      await happen();
      const moved = { id: hook.id, url: `${receiver.url}/moved`, actions: ['account.created'] };
      receiver.answer(async (response) => {
        await call('PUT', 'Update', moved);
        response.writeHead(410).end();
      });
      await deliver(hook);
      assert.deepEqual([(await hookOf(hook)).isEnabled, (await hookOf(hook)).disabledBecause], [true, null]);
      receiver.answer((response) => response.writeHead(410).end());
      await happen();
      await deliver(hook);
      await call('PUT', 'Update', { ...moved, description: 'for accounts' });
      const { isEnabled, disabledBecause, description } = await hookOf(hook);
      assert.deepEqual([isEnabled, disabledBecause, description], [false, 'gone', 'for accounts']);
    });

    it('leave nothing behind when they are deleted, and keep the newest hundred deliveries', async () => {
      const hooks = [await create(), await create()];
      const [kept, deleted] = hooks as [Hook, Hook];
      for (let count = 0; count < 105; count += 1) await call('POST', 'SendTest', { id: kept.id });
      await happen();
      for (const hook of hooks) await deliver(hook);
      await call('DELETE', 'Delete', undefined, { id: deleted.id });
      await test.service.webhooks.deleteExpired();
      const rows = await test.service.database.sql.selectFrom('webhook_delivery').select('webhook_id').execute();
      const ofOthers = rows.filter((row) => row.webhook_id !== kept.id);
      assert.deepEqual([rows.length - ofOthers.length, ofOthers], [100, []]);
    });

    it('deliver an event again that is older than a week, and give up those that wait for a disabled webhook', async () => {
      const hook = await create();
      await happen();
      await deliver(hook);
      const [old] = await deliveries(hook);
      test.clock.advance(8 * DAY);
      admin = await test.admin();
      receiver.take();
      receiver.answer((response) => response.writeHead(500).end());
      await call('POST', 'Redeliver', { deliveryId: old?.id });
      await test.service.webhooks.deleteExpired();
      await deliver(hook);
      test.clock.advance(6);
      await test.service.webhooks.deleteExpired();
      receiver.answer((response) => response.writeHead(204).end());
      await deliver(hook);
      assert.deepEqual(
        receiver.take().map(({ headers }) => headers['webhook-id']),
        [old?.eventId, old?.eventId],
      );
      assert.equal((await deliveries(hook))[0]?.state, 'sent');

      const disabled = await create();
      await happen();
      const change = { id: disabled.id, url: receiver.url, actions: ['account.created'], isEnabled: false };
      await call('PUT', 'Update', change);
      const counts = [];
      for (const days of [6, 2]) {
        test.clock.advance(days * DAY);
        admin = await test.admin();
        await test.service.webhooks.deleteExpired();
        counts.push((await deliveries(disabled)).length);
      }
      assert.deepEqual(counts, [1, 0]);
    });

    it('sign with both secrets for a day after a rotation', async () => {
      const hook = await create();
      const { secret } = await call<Hook>('POST', 'RotateSecret', { id: hook.id });
      assert.notEqual(secret, hook.secret);
      await happen();
      await deliver(hook);
      const [event] = receiver.take();
      assert.ok(event);
      for (const one of [hook.secret, secret]) verify(one, event);
      test.clock.advance(DAY);
      await happen();
      await deliver(hook);
      const [later] = receiver.take();
      assert.ok(later);
      verify(secret, later);
      assert.throws(() => verify(hook.secret, later));
    });

    it('send a test, and wait while they are disabled', async () => {
      const hook = await create();
      const { deliveryId } = await call<{ deliveryId: string }>('POST', 'SendTest', { id: hook.id });
      assert.equal((await deliveries(hook))[0]?.nextTryAt, new Date(test.clock.now()).toISOString());
      await deliver(hook);
      const [event] = receiver.take();
      assert.ok(event);
      assert.equal(verify(hook.secret, event).type, 'webhook.test');
      assert.equal((await deliveries(hook))[0]?.id, deliveryId);
      await happen();
      await call('PUT', 'Update', { id: hook.id, url: receiver.url, actions: ['account.created'], isEnabled: false });
      await deliver(hook);
      assert.deepEqual(receiver.take(), []);
      assert.equal((await refuse('SendTest', { id: hook.id })).reason, 'webhook.disabled');
    });

    it('refuse addresses that they do not call, and events that do not exist', async () => {
      const actions = ['signIn.*'];
      for (const url of [
        'https://10.0.0.1/',
        'http://example.com/',
        'https://169.254.169.254/',
        'https://u:p@example.com/',
        'x',
      ]) {
        assert.deepEqual((await refuse('Create', { url, actions })).reason, 'request.invalid', url);
      }
      const { message } = await refuse('Create', { url: receiver.url, actions: ['signin.password'] });
      assert.match(message, /^No event is named "signin\.password"\. Name events as/);
      for (const wrong of [[], ['signIn'], ['*.*'], ['role.*', 'role.*']]) {
        assert.equal((await refuse('Create', { url: receiver.url, actions: wrong })).reason, 'request.invalid');
      }
      const missing = { id: MISSING, url: receiver.url, actions };
      assert.equal((await refuse('Update', missing, 'PUT')).reason, 'webhook.notFound');
      assert.equal((await refuse('SendTest', missing)).reason, 'webhook.notFound');
      assert.equal((await refuse('RotateSecret', missing)).reason, 'webhook.notFound');
      assert.equal((await refuse('Redeliver', { deliveryId: MISSING })).reason, 'webhook.deliveryNotFound');
    });

    it('can be disabled when their address is not allowed any more, and an event of theirs is unknown', async () => {
      const { id } = await create({ actions: ['account.created'] });
      const { sql } = test.service.database;
      const former = { url: 'https://10.0.0.1/', actions: 'account.created account.ofAnotherVersion' };
      await sql.updateTable('webhook').set(former).where('id', '=', id).execute();
      const change = { id, url: former.url, actions: former.actions.split(' ') };
      const { reason, message } = await refuse('Update', { ...change, description: 'still enabled' }, 'PUT');
      assert.equal(reason, 'request.invalid');
      assert.match(message, /not on the public internet/);
      const disabled = await call<Record<string, unknown>>('PUT', 'Update', { ...change, isEnabled: false });
      assert.deepEqual([disabled.isEnabled, disabled.actions], [false, change.actions]);
      assert.equal((await refuse('Update', { id, isEnabled: true }, 'PUT')).reason, 'request.invalid');
      assert.equal((await refuse('Update', { id, url: 'https://10.0.0.2/' }, 'PUT')).reason, 'request.invalid');
      assert.equal((await refuse('Update', { id, actions: ['account.ofNone'] }, 'PUT')).reason, 'request.invalid');
    });

    it('tell administrators that an address leads inside the network, without that address', async () => {
      const hook = await create({ url: 'https://localhost/' });
      await happen();
      await deliver(hook);
      const [delivery] = await deliveries(hook);
      assert.match(delivery?.error ?? '', /not on the public internet/);
      assert.ok(!/127\.0\.0\.1|::1/.test(JSON.stringify(delivery)));
    });

    it('are closed to people without the permission', async () => {
      const token = await test.signIn('thandi', USER_PASSWORD);
      for (const [method, name] of [
        ['GET', 'GetAll'],
        ['POST', 'Create'],
        ['PUT', 'Update'],
        ['DELETE', 'Delete'],
        ['POST', 'RotateSecret'],
        ['POST', 'SendTest'],
        ['GET', 'GetDeliveries'],
        ['POST', 'Redeliver'],
      ] as const) {
        const { status } = await test.send(method, path(name), { token, ...(method !== 'GET' && { body: {} }) });
        assert.equal(status, 403, name);
      }
    });

    it('are changed by nobody who loses the permission before the change', async () => {
      const hook = await create();
      const { webhooks } = test.service;
      const { deliveryId } = await call<{ deliveryId: string }>('POST', 'SendTest', { id: hook.id });
      const before = [await webhooks.list(), await webhooks.listDeliveries(hook.id)];
      const by: Manager = {
        ...operator('test'),
        authorize: async () => {
          throw permissionErrors.denied();
        },
      };
      for (const change of [
        () => webhooks.create({ url: receiver.url, actions: ['*'] }, by),
        () => webhooks.update(hook.id, { description: 'changed' }, by),
        () => webhooks.rotateSecret(hook.id, by),
        () => webhooks.sendTest(hook.id, by),
        () => webhooks.redeliver(deliveryId, by),
        () => webhooks.remove(hook.id, by),
      ]) {
        await assert.rejects(change, { reason: 'permission.denied' });
      }
      assert.deepEqual([await webhooks.list(), await webhooks.listDeliveries(hook.id)], before);
    });
  });
}
