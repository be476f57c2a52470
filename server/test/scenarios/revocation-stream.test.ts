// The call of the revocation feed over the network: pages, long polls, and streams to many listeners.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { endAllSessions } from '../../src/app/restore-check.ts';
import { addSeconds } from '../../src/foundation/clock.ts';
import type { FeedPage } from '../../src/revocation-feed/index.ts';
import { createRunningClock } from '../support/clock.ts';
import { enginesAtLength } from '../support/databases.ts';
import { type FeedStream, openFeedStream } from '../support/feed-stream.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PATH = '/api/revocations';
/** More than what sockets on both sides hold for a listener that does not read: each has more than this many bytes. */
const FLOOD = 15_000;
const BYTES = 1200;
const LISTENERS = 300;

for (const engine of enginesAtLength) {
  describe(`the call of the revocation feed on ${engine}`, () => {
    let test: TestService;
    let url: string;
    let key: string;
    let count = 0;
    const streams: FeedStream[] = [];

    before(async () => {
      test = await startTestService(engine, { clock: createRunningClock() });
      url = await test.app.listen({ port: 0, host: '127.0.0.1' });
      key = await test.createServiceKey('shop', ['revocations']);
    });
    after(async () => {
      for (const stream of streams) stream.close();
      await test.close();
    });
    function newIds(amount: number, length = 36) {
      count += amount;
      return Array.from({ length: amount }, (_, index) => String(count - index).padStart(length, '0'));
    }
    async function revoke(...ids: string[]) {
      const { database, revocations, clock } = test.service;
      const expiresAt = addSeconds(clock.now(), 3600);
      await database.transaction((tx) =>
        revocations.record(
          tx,
          ids.map((sessionId) => ({ kind: 'session', sessionId, expiresAt })),
        ),
      );
    }
    const call = (query = '', headers: Record<string, string> = {}) =>
      fetch(`${url}${PATH}${query}`, { headers: { authorization: `Bearer ${key}`, ...headers } });
    async function read(query = ''): Promise<FeedPage> {
      const answer = await call(query);
      assert.equal(answer.status, 200);
      return (await answer.json()) as FeedPage;
    }
    async function readAll() {
      const pages = [await read()];
      while (!pages.at(-1)?.complete) pages.push(await read(`?after=${pages.at(-1)?.next}`));
      return { items: pages.flatMap(({ items }) => items), next: pages.at(-1)?.next ?? '' };
    }
    const readEnd = async () => (await readAll()).next;
    async function open(cursor?: string, query?: string) {
      const stream = await openFeedStream(url, { key, ...(cursor && { cursor }), ...(query && { query }) });
      streams.push(stream);
      return stream;
    }
    const has = (stream: FeedStream, id: string) => () => stream.items.some(({ sid }) => sid === id);
    const followers = () => test.service.feed.state().followers;
    async function untilAlone() {
      while (followers() > 0) await nextTurn();
    }

    it('needs a service key with its permission, sent as bearer or by Basic', async () => {
      const basic = (password: string) => `Basic ${Buffer.from(`service:${password}`).toString('base64')}`;
      for (const authorization of ['', 'Bearer nonsense', `Bearer lks_${'A'.repeat(43)}`, basic('nonsense')]) {
        const answer = await call('', { authorization });
        assert.equal(answer.status, 401, authorization);
        const stream = await openFeedStream(url, { key: authorization.slice(7) });
        assert.equal(stream.status, 401);
      }
      const answer = await call('', { authorization: `Bearer ${await test.createServiceKey('gate', ['introspect'])}` });
      assert.equal(answer.status, 403);
      assert.equal((await call('', { authorization: basic(key) })).status, 200);
      assert.equal(followers(), 0);
    });

    it('says what is wrong with a parameter', async () => {
      const wrong = {
        'wait=26': /wait/,
        'wait=-1': /wait/,
        'wait=soon': /wait/,
        [`after=${'a'.repeat(6001)}`]: /after/,
      };
      for (const [query, message] of Object.entries({ ...wrong, 'after=a&after=b': /after/ })) {
        const answer = await call(`?${query}`);
        assert.equal(answer.status, 400, query);
        assert.match(((await answer.json()) as { error: { details: string } }).error.details, message);
      }
      for (const query of ['?after=nonsense', '?after=-1-1', '?wait=5&after=%00']) {
        assert.equal((await call(query)).status, 400, query);
      }
      assert.equal((await openFeedStream(url, { key, cursor: 'nonsense' })).status, 400);
      const distances = Array.from({ length: 500 }, (_, n) => (10 ** 15 - 2 - n).toString(36));
      const longest = `0a1b2c3d4e5f-${10 ** 15 - 1}-0-${distances.join('.')}`;
      for (const cursor of ['0a1b2c3d4e5f-5-0', longest]) {
        assert.equal((await call(`?after=${cursor}`)).status, 410);
        assert.equal((await openFeedStream(url, { key, cursor })).status, 410);
      }
      const post = await fetch(`${url}${PATH}`, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
      assert.equal(post.status, 405);
      assert.equal(
        (await fetch(`${url}/API/Revocations`, { headers: { authorization: `Bearer ${key}` } })).status,
        200,
      );
      assert.equal(followers(), 0);
    });

    it('compresses pages for clients that accept it', async () => {
      await revoke(...newIds(50));
      for (const [accepted, encoding] of Object.entries({
        'br, gzip': 'gzip',
        'GZIP;q=0.5': 'gzip',
        'gzip;q=0': null,
        identity: null,
        br: null,
      })) {
        const answer = await call('', { 'accept-encoding': accepted });
        assert.equal(answer.headers.get('content-encoding'), encoding, accepted);
        assert.equal(((await answer.json()) as FeedPage).items.length >= 50, true);
      }
    });

    it('answers a long poll with the next revocation, or with none in time', async () => {
      const end = await readEnd();
      const [id = ''] = newIds(1);
      const waiting = read(`?wait=25&after=${end}`);
      while (followers() === 0) await nextTurn();
      await revoke(id);
      const { items, next, complete } = await waiting;
      assert.deepEqual([items.map(({ sid }) => sid), complete], [[id], true]);
      // Its cursor moves with the transactions of other databases on the server.
      const nothing = await read(`?wait=1&after=${next}`);
      assert.deepEqual([nothing.items, nothing.complete], [[], true]);
      const aborted = new AbortController();
      const poll = fetch(`${url}${PATH}?wait=25&after=${next}`, {
        headers: { authorization: `Bearer ${key}` },
        signal: aborted.signal,
      });
      while (followers() === 0) await nextTurn();
      aborted.abort();
      await assert.rejects(poll);
      await untilAlone();
    });

    it('gives a long poll no revocation after its key was withdrawn', async () => {
      const end = await readEnd();
      const withdrawn = await test.createServiceKey('withdrawn', ['revocations']);
      const poll = call(`?wait=25&after=${end}`, { authorization: `Bearer ${withdrawn}` });
      while (followers() === 0) await nextTurn();
      const stream = await openFeedStream(url, { key: withdrawn });
      await test.post('/api/services/app/ServiceKey/Withdraw', {
        token: await test.admin(),
        body: { name: 'withdrawn' },
      });
      // Its end shows that the node knows of the withdrawal.
      await stream.ended;
      await revoke(...newIds(1));
      const page = await (await poll).json();
      assert.deepEqual((page as FeedPage).items, []);
    });

    it('streams what there is, a beat, and what comes', async () => {
      const end = await readEnd();
      const [first = '', second = ''] = newIds(2);
      await revoke(first);
      const stream = await open(end);
      assert.equal(stream.headers['content-type'], 'text/event-stream');
      assert.equal(stream.headers['cache-control'], 'no-store');
      assert.equal(stream.headers['x-content-type-options'], 'nosniff');
      await stream.until(() => stream.beats.length === 1);
      assert.deepEqual(
        stream.items.map(({ sid }) => sid),
        [first],
      );
      assert.match(stream.beats[0] ?? '', /^: -?\d+ \d{4}-\d\d-\d\dT[\d:.]+Z$/);
      await revoke(second);
      await stream.until(has(stream, second));
      assert.equal(stream.lastId, stream.items.at(-1)?.cursor);
      const resumed = await open(stream.lastId, `?after=${end}`);
      await resumed.until(() => resumed.beats.length === 1);
      assert.deepEqual(resumed.items, [], 'the header wins over the parameter');
      const byParameter = await open(undefined, `?after=${end}`);
      await byParameter.until(has(byParameter, second));
      for (const one of [stream, resumed, byParameter]) one.close();
      await untilAlone();
    });

    it('has a beat every two seconds', async () => {
      const stream = await open(await readEnd());
      await stream.until(() => stream.beats.length === 2);
      const [first = 0, second = 0] = stream.beats.map((beat) => Number(beat.split(' ')[1]));
      // On a busy machine, a beat tells of a moment well before it was sent.
      assert.ok(second - first >= 1000, `${first} and ${second}`);
      stream.close();
      await untilAlone();
    });

    it('gives a listener everything, though much is revoked while it starts', async () => {
      const ids = newIds(5000);
      await revoke(...ids.slice(0, 3000));
      const stream = await open();
      for (let from = 3000; from < ids.length; from += 100) await revoke(...ids.slice(from, from + 100));
      await stream.until(has(stream, ids.at(-1) ?? ''));
      const seen = new Set(stream.items.map(({ sid }) => sid));
      assert.deepEqual(
        ids.filter((id) => !seen.has(id)),
        [],
      );
      stream.close();
      await untilAlone();
    });

    it('drops a listener that does not read, and no other', async () => {
      const end = await readEnd();
      const [slow, quick] = [await open(end), await open(end)];
      slow.pause();
      const ids = newIds(FLOOD, BYTES);
      for (let from = 0; from < ids.length; from += 2000) await revoke(...ids.slice(from, from + 2000));
      await quick.until(has(quick, ids.at(-1) ?? ''));
      assert.equal(new Set(quick.items.map(({ sid }) => sid)).size, FLOOD);
      while (followers() > 1) await nextTurn();
      slow.resume();
      await slow.ended;
      const resumed = await open(slow.lastId);
      await resumed.until(has(resumed, ids.at(-1) ?? ''));
      const seen = new Set([...slow.items, ...resumed.items].map(({ sid }) => sid));
      assert.ok(ids.every((id) => seen.has(id)));
      for (const one of [quick, resumed]) one.close();
      await untilAlone();
    });

    it('serves many listeners at once', async () => {
      const end = await readEnd();
      const many = await Promise.all(Array.from({ length: LISTENERS }, () => open(end)));
      const [id = ''] = newIds(1);
      await revoke(id);
      await Promise.all(many.map((stream) => stream.until(has(stream, id))));
      assert.equal(followers(), LISTENERS);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      assert.match(metrics, new RegExp(`^latchkey_feed_listeners ${LISTENERS}$`, 'm'));
      assert.match(metrics, /^latchkey_feed_age_seconds \d/m);
      for (const stream of many) stream.close();
      await untilAlone();
    });

    it('ends streams and polls when all sessions end, and then refuses their cursors', async () => {
      const end = await readEnd();
      const stream = await open(end);
      await stream.until(() => stream.beats.length > 0);
      const poll = call(`?wait=25&after=${end}`);
      while (followers() < 2) await nextTurn();
      await endAllSessions(test.service, 'test');
      await stream.ended;
      assert.ok([200, 410].includes((await poll).status));
      assert.equal((await call(`?after=${end}`)).status, 410);
      assert.equal((await openFeedStream(url, { key, cursor: end })).status, 410);
      assert.ok((await readAll()).items.some(({ issuedBefore }) => issuedBefore !== undefined));
    });

    it('ends streams and polls when the service stops', async () => {
      const end = await readEnd();
      const stream = await open(end);
      await stream.until(() => stream.beats.length > 0);
      const poll = call(`?wait=25&after=${end}`);
      while (followers() < 2) await nextTurn();
      const closed = test.app.close();
      await stream.ended;
      assert.equal((await poll).status, 200);
      assert.equal(followers(), 0);
      test.app.server.closeIdleConnections();
      await closed;
    });
  });
}
