// The call of the audit feed over the network: who may read, pages, long polls, and streams.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditFeedItem } from '../../src/audit/index.ts';
import { defineActions } from '../../src/foundation/events.ts';
import type { FeedPage } from '../../src/foundation/tail.ts';
import { createRunningClock } from '../support/clock.ts';
import { enginesAtLength } from '../support/databases.ts';
import { type FeedStream, openFeedStream } from '../support/feed-stream.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PATH = '/api/audit-feed';
const { done: action } = defineActions('test', { done: '' });
/** More than what sockets on both sides hold for a listener that does not read. */
const FLOOD_BATCHES = 40;
/** Half of what a listener may leave unread. */
const FLOOD_BATCH = 50;
const CHARACTERS = 10_000;

for (const engine of enginesAtLength) {
  describe(`the call of the audit feed on ${engine}`, () => {
    let test: TestService;
    let url: string;
    let key: string;
    let count = 0;
    const streams: FeedStream<AuditFeedItem>[] = [];

    before(async () => {
      test = await startTestService(engine, { clock: createRunningClock() });
      test.service.chainer.start();
      url = await test.app.listen({ port: 0, host: '127.0.0.1' });
      key = await test.createServiceKey('collector', ['audit']);
    });
    after(async () => {
      for (const stream of streams) stream.close();
      await test.service.chainer.stop();
      await test.close();
    });

    /** Writes entries with these details. @returns their reasons. */
    async function write(amount = 1, details: Record<string, unknown> = {}) {
      const reasons = Array.from({ length: amount }, () => `r${++count}`);
      const { database, audit } = test.service;
      await database.transaction(async (tx) => {
        for (const reason of reasons) await audit.record(tx, { action, outcome: 'refused', reason, details });
      });
      return reasons;
    }
    const call = (query = '', headers: Record<string, string> = {}) =>
      fetch(`${url}${PATH}${query}`, { headers: { authorization: `Bearer ${key}`, ...headers } });
    async function read(query = ''): Promise<FeedPage<AuditFeedItem>> {
      const answer = await call(query);
      assert.equal(answer.status, 200);
      return (await answer.json()) as FeedPage<AuditFeedItem>;
    }
    async function readEnd() {
      await test.service.chainer.chainAll();
      let page = await read();
      while (!page.complete) page = await read(`?after=${page.next}`);
      return page.next;
    }
    async function open(cursor: string, options: { key?: string } = {}) {
      const stream = await openFeedStream<AuditFeedItem>(url, { key, cursor, path: PATH, ...options });
      streams.push(stream);
      return stream;
    }
    /** The trail also gets, somewhat later, the refusals of calls. */
    const written = (items: readonly AuditFeedItem[]) => items.filter((item) => item.action === action.name);
    const reasonsOf = (items: readonly AuditFeedItem[]) => written(items).map(({ reason }) => reason);
    const has = (stream: FeedStream<AuditFeedItem>, reason: string | undefined) => () =>
      stream.items.some((item) => item.reason === reason);
    const followers = () => test.service.auditFeed.state().followers;
    async function untilAlone() {
      while (followers() > 0) await nextTurn();
    }

    it('needs a service key with the permission audit', async () => {
      const others = await test.createServiceKey('verifier', ['introspect', 'revocations']);
      const administrator = await test.admin();
      const refusals = { '': 401, nonsense: 401, [administrator]: 401, [others]: 403 };
      for (const [one, status] of Object.entries(refusals)) {
        const answer = await call('?wait=25', { authorization: `Bearer ${one}` });
        assert.equal(answer.status, status, one);
        assert.equal((await openFeedStream(url, { key: one, path: PATH })).status, status);
      }
      const revocations = await fetch(`${url}/api/revocations`, { headers: { authorization: `Bearer ${key}` } });
      assert.equal(revocations.status, 403);
      const introspection = await fetch(`${url}/oauth/introspect`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: new URLSearchParams({ token: administrator }),
      });
      assert.equal(introspection.status, 403);
      assert.equal(followers(), 0);
    });

    it('answers pages in JSON, compressed, that nothing keeps', async () => {
      const end = await readEnd();
      const reasons = await write(20, { text: 'x'.repeat(200) });
      await test.service.chainer.chainAll();
      const answer = await call(`?after=${end}`, { 'accept-encoding': 'gzip' });
      assert.equal(answer.headers.get('content-encoding'), 'gzip');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const page = (await answer.json()) as FeedPage<AuditFeedItem>;
      assert.deepEqual([reasonsOf(page.items), page.complete], [reasons, true]);
      assert.equal(page.next, page.items.at(-1)?.cursor);
      const { result } = await test.get('/api/services/app/Audit/GetAll', {
        token: await test.admin(),
        query: { action: action.name, maxResultCount: 1 },
      });
      const { cursor: _, sequence: __, hash, ...entry } = written(page.items).at(-1) ?? assert.fail();
      assert.deepEqual(entry, result.items[0]);
      assert.match(hash, /^[\w-]{43}$/);
    });

    it('says what is wrong with a parameter', async () => {
      for (const query of ['?wait=26', '?wait=soon', '?after=nonsense', '?wait=5&after=1-x', '?after=a&after=b']) {
        assert.equal((await call(query)).status, 400, query);
      }
      const gone = `9-${'a'.repeat(16)}`;
      for (const query of [`?after=${gone}`, `?after=${gone}&wait=25`]) {
        const answer = await call(query);
        assert.equal(answer.status, 410);
        assert.match(await answer.text(), /feed\.cursorGone/);
      }
      assert.equal((await open('nonsense')).status, 400);
      assert.equal((await open(gone)).status, 410);
      assert.equal(followers(), 0);
    });

    it('answers a long poll with the next entry, or with none in time', async () => {
      const end = await readEnd();
      const waiting = read(`?wait=25&after=${end}`);
      while (followers() === 0) await nextTurn();
      const reasons = await write();
      const { items, next } = await waiting;
      assert.deepEqual(reasonsOf(items), reasons);
      const nothing = await read(`?wait=1&after=${next}`);
      assert.deepEqual(nothing, { items: [], next, complete: true });
      await untilAlone();
    });

    it('streams what there is, a beat, and what comes', async () => {
      const end = await readEnd();
      const [first] = await write();
      await test.service.chainer.chainAll();
      const stream = await open(end);
      assert.equal(stream.headers['content-type'], 'text/event-stream');
      await stream.until(() => stream.beats.length === 1);
      assert.deepEqual(reasonsOf(stream.items), [first]);
      const [second] = await write();
      await stream.until(has(stream, second));
      assert.equal(stream.lastId, stream.items.at(-1)?.cursor);
      const resumed = await open(stream.items[0]?.cursor ?? '');
      await resumed.until(() => resumed.beats.length === 1);
      assert.deepEqual(reasonsOf(resumed.items), [second]);
      for (const one of [stream, resumed]) one.close();
      await untilAlone();
    });

    it('drops a listener that does not read, and no other', async () => {
      const end = await readEnd();
      const [slow, quick] = [await open(end), await open(end)];
      slow.pause();
      const reasons: string[] = [];
      for (let batch = 0; batch < FLOOD_BATCHES; batch += 1) {
        reasons.push(...(await write(FLOOD_BATCH, { text: 'x'.repeat(CHARACTERS) })));
        await quick.until(has(quick, reasons.at(-1)));
      }
      assert.deepEqual(reasonsOf(quick.items), reasons);
      while (followers() > 1) await nextTurn();
      slow.resume();
      await slow.ended;
      const resumed = await open(slow.lastId);
      await resumed.until(has(resumed, reasons.at(-1)));
      assert.deepEqual(reasonsOf([...slow.items, ...resumed.items]), reasons);
      for (const one of [quick, resumed]) one.close();
      await untilAlone();
    });

    it('gives nothing more to a key that was withdrawn', async () => {
      const end = await readEnd();
      const withdrawn = await test.createServiceKey('withdrawn', ['audit']);
      const stream = await open(end, { key: withdrawn });
      const poll = call(`?wait=25&after=${await readEnd()}`, { authorization: `Bearer ${withdrawn}` });
      while (followers() < 2) await nextTurn();
      const body = { name: 'withdrawn' };
      await test.post('/api/services/app/ServiceKey/Withdraw', { token: await test.admin(), body });
      await stream.ended;
      const seen = reasonsOf(((await (await poll).json()) as FeedPage<AuditFeedItem>).items);
      const [secret] = await write();
      assert.ok(![...seen, ...reasonsOf(stream.items)].includes(secret ?? ''));
      assert.equal((await call('', { authorization: `Bearer ${withdrawn}` })).status, 401);
      await untilAlone();
    });

    it('counts its listeners, and ends them when the service stops', async () => {
      const end = await readEnd();
      const stream = await open(end);
      await stream.until(() => stream.beats.length > 0);
      const poll = call(`?wait=25&after=${end}`);
      while (followers() < 2) await nextTurn();
      const metrics = await (await fetch(`${url}/metrics`)).text();
      assert.match(metrics, /^latchkey_audit_feed_listeners 2$/m);
      assert.match(metrics, /^latchkey_audit_feed_age_seconds \d/m);
      const closed = test.app.close();
      await stream.ended;
      assert.equal((await poll).status, 200);
      assert.equal(followers(), 0);
      test.app.server.closeIdleConnections();
      await closed;
    });
  });
}
