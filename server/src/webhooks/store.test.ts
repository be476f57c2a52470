// The statements of webhooks: which deliveries each one takes, on every engine.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { addSeconds, type Instant, toInstant } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';
import { createWebhookStore, type Delivery, type StoredWebhook, type WebhookStore } from './store.sql.ts';

const NOW = toInstant(1_767_225_600_000);
const SOON = addSeconds(NOW, 60);
/** Ids that come after those of `idOf`. */
const [LAST, OTHER_LAST] = ['ffffffff-0000-4000-8000-000000000000', 'ffffffff-1000-4000-8000-000000000000'];
const later = (milliseconds: number) => toInstant(NOW + milliseconds);
const accepted = { status: 204, durationMs: 12, error: null };
const refused = { status: 500, durationMs: 7, error: 'The receiver answered 500.' };
const silent = { status: null, durationMs: 15_000, error: 'The receiver did not answer within 15 s.' };

for (const engine of engines) {
  describe(`the statements of webhooks on ${engine}`, () => {
    let database: Database;
    let store: WebhookStore;
    let count = 0;
    /** The webhook of each test. */
    let hook: string;

    const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

    async function addWebhook(more: Partial<StoredWebhook> = {}): Promise<StoredWebhook> {
      count += 1;
      const webhook: StoredWebhook = {
        id: idOf(count),
        url: 'https://receiver.example/events',
        actions: ['account.created', 'signIn.*'],
        description: 'the shop',
        isEnabled: true,
        disabledBecause: null,
        failingSince: null,
        fullSince: null,
        createdAt: NOW,
        sealedSecret: 'sealed',
        sealedFormerSecret: null,
        formerUntil: null,
        ...more,
      };
      await store.add(database.sql, webhook);
      return webhook;
    }

    /** Queues an event, and returns the id of its delivery. */
    async function queue(createdAt: Instant = NOW, webhookId = hook, given?: string): Promise<string> {
      count += 1;
      const id = given ?? idOf(count);
      const event = { eventId: idOf(count + 1), type: 'account.created', auditId: null, createdAt };
      await store.queue(database.sql, [{ id, webhookId, ...event }]);
      return id;
    }

    const claim = (now: Instant = NOW, limit = 100) => store.claim(hook, limit, now, SOON);
    const claimIds = async (...given: Parameters<typeof claim>) => (await claim(...given)).map(({ id }) => id).sort();
    const claimOne = async (now: Instant = NOW): Promise<Delivery> => (await claim(now, 1))[0] ?? assert.fail('none');
    const list = (limit = 100) => store.listDeliveries(hook, limit);
    const listIds = async (limit?: number) => (await list(limit)).map(({ id }) => id);
    const read = async (id: string) => (await list()).find((one) => one.id === id) ?? assert.fail('no such delivery');
    const send = async (createdAt: Instant = NOW, given?: string) => {
      const id = await queue(createdAt, hook, given);
      await store.settle(await claimOne(createdAt), { state: 'sent', failures: 0 }, accepted);
      return id;
    };

    before(async () => {
      database = await openTestDatabase(engine);
      store = createWebhookStore(database);
    });
    beforeEach(async () => {
      hook = (await addWebhook()).id;
    });
    after(() => database.close());

    it('keep webhooks as they were given, the oldest first', async () => {
      const { sql } = database;
      const youngest = await addWebhook({ createdAt: later(1) });
      const given = {
        isEnabled: false,
        disabledBecause: 'failing',
        failingSince: NOW,
        fullSince: SOON,
        sealedFormerSecret: 'former',
        formerUntil: SOON,
      } as const;
      const last = await addWebhook({ id: LAST });
      const disabled = await addWebhook(given);
      assert.deepEqual(await store.find(sql, youngest.id), youngest);
      assert.deepEqual(await store.find(sql, disabled.id), disabled);
      const all = (await store.readAll()).map(({ id }) => id);
      assert.deepEqual(all.slice(-4), [hook, disabled.id, last.id, youngest.id]);
      assert.equal(await store.countIn(sql), all.length);

      const changed = { ...disabled, url: 'https://other.example/' };
      await store.replace(sql, changed);
      assert.deepEqual(await store.findForUpdate(sql, disabled.id), changed);
      assert.equal((await store.find(sql, youngest.id))?.url, youngest.url);
      assert.deepEqual(await store.remove(sql, disabled.id), changed);
      assert.deepEqual(
        [
          await store.remove(sql, disabled.id),
          await store.find(sql, disabled.id),
          await store.findForUpdate(sql, disabled.id),
        ],
        [undefined, undefined, undefined],
      );
      assert.equal(await store.countIn(sql), all.length - 1);
    });

    it('queue what is due at once, and was never tried', async () => {
      const id = await queue();
      const { state, dueAt, tries, failures, lastStatus, lastDurationMs, lastError } = await read(id);
      assert.deepEqual([state, dueAt, tries, failures], ['queued', NOW, 0, 0]);
      assert.deepEqual([lastStatus, lastDurationMs, lastError], [null, null, null]);
    });

    it('claim what is due of one webhook, the longest due first, while it is enabled', async () => {
      const other = await addWebhook();
      await queue(NOW, other.id);
      const [second, first] = [await queue(later(2)), await queue(later(1))];
      const third = await queue(later(3));
      assert.deepEqual(await claimIds(NOW), []);
      assert.deepEqual(await claimIds(later(2), 1), [first]);
      assert.deepEqual(await claimIds(later(2)), [second]);
      assert.deepEqual([(await read(second)).dueAt, (await read(second)).tries], [SOON, 1]);
      await store.replace(database.sql, { ...other, id: hook, isEnabled: false });
      assert.deepEqual(await claimIds(later(3)), []);
      await store.replace(database.sql, { ...other, id: hook });
      assert.deepEqual(await claimIds(later(3)), [third]);
    });

    it('tell whether something is due, and how much waits', async () => {
      const facts = async (now: Instant) => [await store.hasDue(hook, now), await store.countQueued(hook)];
      await queue(NOW, (await addWebhook()).id);
      assert.deepEqual(await facts(SOON), [false, 0]);
      await queue(later(1));
      await queue(later(2));
      assert.deepEqual(await facts(NOW), [false, 2]);
      assert.deepEqual(await facts(later(1)), [true, 2]);
      await store.settle(await claimOne(later(1)), { state: 'sent', failures: 0 }, accepted);
      await store.settle(await claimOne(later(2)), { state: 'failed', failures: 1 }, refused);
      assert.deepEqual(await facts(SOON), [false, 0]);
      assert.deepEqual(await claimIds(SOON), []);
    });

    it('settle a claim, unless another node has claimed it since', async () => {
      const id = await queue();
      const former = await claimOne();
      const dueAt = addSeconds(SOON, 60);
      const current = await claimOne(SOON);
      const again = { state: 'queued', failures: 1, dueAt } as const;
      assert.equal(await store.settle(former, { state: 'sent', failures: 0 }, accepted), false);
      await store.putOff(former, NOW);
      assert.equal((await read(id)).dueAt, SOON);
      assert.equal(await store.settle(current, again, refused), true);
      const tried = await read(id);
      assert.deepEqual([tried.state, tried.failures, tried.dueAt, tried.tries], ['queued', 1, dueAt, 2]);
      assert.deepEqual([tried.lastStatus, tried.lastDurationMs, tried.lastError], [500, 7, refused.error]);

      await store.putOff(current, NOW);
      assert.equal((await read(id)).dueAt, NOW);
      const last = await claimOne();
      assert.equal(await store.settle(last, { state: 'sent', failures: 1 }, accepted), true);
      assert.equal((await read(id)).dueAt, SOON, 'it stays as it is without another time');
      assert.equal(await store.settle(last, again, refused), false, 'settled');
      await store.putOff(last, NOW);
      assert.equal((await read(id)).dueAt, SOON, 'settled');
    });

    it('queue one again, which settles no try under way', async () => {
      const [id, other] = [await queue(), await queue()];
      const [claimed, former] = (await claim()).toSorted((a, b) => a.id.localeCompare(b.id));
      assert.ok(claimed && former);
      await store.settle(former, { state: 'failed', failures: 10 }, refused);
      const failed = await store.queueAgain(database.sql, other, later(5));
      assert.deepEqual(
        [failed?.id, failed?.state, failed?.failures, failed?.dueAt, failed?.tries],
        [other, 'queued', 0, later(5), 2],
      );
      await store.queueAgain(database.sql, id, later(5));
      assert.equal(await store.settle(claimed, { state: 'failed', failures: 1 }, refused), false);
      assert.equal(await store.queueAgain(database.sql, idOf(0), NOW), undefined);
    });

    it('list the newest of a webhook', async () => {
      const [old, young] = [await queue(), await queue(later(1), hook, LAST)];
      const same = await queue(later(1));
      await queue(SOON, (await addWebhook()).id);
      assert.deepEqual(await listIds(), [young, same, old]);
      assert.deepEqual(await listIds(2), [young, same]);
    });

    it('make due what a clock that was ahead has put off', async () => {
      const longest = { waits: [100, 1000, 2000], asked: 9000 };
      /** Puts off a delivery after these failures. */
      async function putOff(failures: number, result: typeof refused | typeof silent, milliseconds: number) {
        const id = await queue();
        await store.settle(await claimOne(), { state: 'queued', failures, dueAt: later(milliseconds) }, result);
        return id;
      }
      /** One that was not tried: its claim was renewed. */
      async function renew(milliseconds: number) {
        const id = await queue();
        await store.putOff(await claimOne(), later(milliseconds));
        return id;
      }
      const stay = [
        await renew(100),
        await putOff(1, silent, 1000),
        await putOff(2, silent, 2000),
        await putOff(3, silent, 9000),
        await putOff(1, refused, 9000),
      ];
      const move = [
        await renew(101),
        await putOff(1, silent, 1001),
        await putOff(2, silent, 2001),
        await putOff(3, silent, 9001),
        await putOff(1, refused, 9001),
      ];
      const sent = await send();
      await database.sql.updateTable('webhook_delivery').set({ due_at: SOON }).where('id', '=', sent).execute();
      const other = await addWebhook();
      const foreign = await queue(SOON, other.id);
      await store.correctDueTimes(hook, longest, NOW);
      assert.deepEqual(await claimIds(), move.sort());
      for (const id of [...stay, sent]) assert.notEqual((await read(id)).dueAt, NOW);
      hook = other.id;
      assert.equal((await read(foreign)).dueAt, SOON);
    });

    it('delete settled ones without the newest, so many at once', async () => {
      const first = await send(NOW, OTHER_LAST);
      await send(later(1));
      const [third, fourth] = [await send(later(2)), await send(later(2))];
      const waiting = await queue(SOON);
      await store.deleteSettled(hook, 2, 1);
      assert.deepEqual(await listIds(), [waiting, fourth, third, first]);
      await store.deleteSettled(hook, 2, 10);
      assert.deepEqual(await listIds(), [waiting, fourth, third]);
      await store.deleteSettled(hook, 1, 10);
      assert.deepEqual(await listIds(), [waiting, fourth]);
      await store.deleteSettled((await addWebhook()).id, 0, 10);
      assert.deepEqual(await listIds(), [waiting, fourth]);
    });

    it('delete waiting ones that are old and overdue, so many at once', async () => {
      const [before, dueBefore] = [later(1000), later(2000)];
      await queue(later(999));
      await queue(later(998));
      const young = await queue(before);
      const sent = await send(later(900));
      const putOff = async (dueAt: Instant) => {
        const id = await queue(later(500));
        const claimed = await claimOne(later(500));
        assert.equal(claimed.id, id);
        await store.putOff(claimed, dueAt);
        return id;
      };
      const due = await putOff(dueBefore);
      await putOff(later(1999));
      const other = await addWebhook();
      await queue(NOW, other.id);
      await store.deleteOld(hook, before, dueBefore, 1);
      assert.equal((await list()).length, 5);
      await store.deleteOld(hook, before, dueBefore, 10);
      assert.deepEqual((await listIds()).sort(), [young, sent, due].sort());
      assert.equal(await store.countQueued(other.id), 1);
    });

    it('delete those of a deleted webhook, so many at once, and find the next one', async () => {
      const [first, second] = [(await addWebhook()).id, (await addWebhook()).id];
      for (const id of [first, first, second]) await queue(NOW, id);
      assert.equal(await store.findNextWithDeliveries(hook), first);
      assert.equal(await store.findNextWithDeliveries(first), second);
      assert.equal(await store.findNextWithDeliveries(second), undefined);
      await store.deleteDeliveries(first, 1);
      assert.equal(await store.countQueued(first), 1);
      await store.deleteDeliveries(first, 10);
      assert.deepEqual([await store.countQueued(first), await store.countQueued(second)], [0, 1]);
    });

    it('note since when every try has failed, once', async () => {
      const failingSince = async () => (await store.find(database.sql, hook))?.failingSince;
      const other = await addWebhook({ failingSince: NOW });
      await store.setFailing(hook, NOW);
      await store.setFailing(hook, SOON);
      assert.equal(await failingSince(), NOW);
      await store.setFailing(hook, null);
      assert.equal(await failingSince(), null);
      assert.equal((await store.find(database.sql, other.id))?.failingSince, NOW);
    });

    it('know whether one waits that has failed more than twice', async () => {
      const has = () => store.hasRetried(database.sql, hook);
      await queue(NOW, (await addWebhook()).id);
      await queue();
      await database.sql.updateTable('webhook_delivery').set({ failures: 3 }).where('webhook_id', '!=', hook).execute();
      for (const [failures, state, expected] of [
        [2, 'queued', false],
        [3, 'queued', true],
        [10, 'failed', false],
      ] as const) {
        await database.sql
          .updateTable('webhook_delivery')
          .set({ failures, state })
          .where('webhook_id', '=', hook)
          .execute();
        assert.equal(await has(), expected, `${failures} failures, ${state}`);
      }
    });

    it('know whether one was accepted that was queued since', async () => {
      const has = (since: Instant) => store.hasDelivered(database.sql, hook, since);
      await queue();
      await store.settle(await claimOne(), { state: 'failed', failures: 1 }, refused);
      await queue(SOON);
      assert.equal(await has(NOW), false);
      await send(later(1));
      assert.deepEqual([await has(NOW), await has(later(1)), await has(later(2))], [true, true, false]);
      assert.equal(await store.hasDelivered(database.sql, (await addWebhook()).id, NOW), false);
    });
  });
}
