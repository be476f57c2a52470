// The feed on either engine: what readers are told of each revocation, in which pages, and for how long.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { addSeconds, toIsoString } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import type { Database } from '../storage/database.ts';
import { createRevocations, MAX_TOKEN_LIFETIME_SECONDS, type Revocation } from '../tokens/index.ts';
import { cursorAt, formatCursor, START } from './cursor.ts';
import { createRevocationFeed, type RevocationFeed } from './feed.ts';
import type { FeedItem } from './page.ts';
import { createRevocationStore, type RevocationStore } from './store.sql.ts';

const HOUR = 3600;

for (const engine of engines) {
  describe(`the feed on ${engine}`, () => {
    let database: Database;
    let clock: ReturnType<typeof createManualClock>;
    let revocations: ReturnType<typeof createRevocations>;
    let feed: RevocationFeed;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());
    beforeEach(async () => {
      await database.sql.deleteFrom('revocation').execute();
      clock = createManualClock();
      revocations = createRevocations();
      feed = createFeed(createRevocationStore(database));
      await feed.load();
    });

    const createFeed = (store: RevocationStore) =>
      createRevocationFeed({
        store,
        revocations,
        clock,
        random: systemRandom,
        onError: (error) => assert.fail(String(error)),
      });

    const revoke = (...revoked: Revocation[]) => database.transaction((tx) => revocations.record(tx, revoked));
    const ended = (sessionId: string, seconds = HOUR) =>
      ({ kind: 'session', sessionId, expiresAt: addSeconds(clock.now(), seconds) }) as const;
    const read = async (after = '') => {
      const page = await feed.read(after);
      return { ...page, sids: page.items.map(({ sid }) => sid) };
    };
    const withoutCursor = ({ cursor: _, ...item }: FeedItem) => item;

    it('tells of each revocation what it revokes, since when, and until when that matters', async () => {
      const [at, expiresAt] = [clock.now(), addSeconds(clock.now(), 60)];
      await revoke(
        { kind: 'session', sessionId: 'ended', expiresAt },
        { kind: 'superseded', sessionId: 'refreshed', generation: 3, expiresAt },
        { kind: 'key', kid: 'stolen' },
      );
      clock.advance(1);
      const issuedBefore = addSeconds(clock.now(), -(clock.now() % 1000) / 1000);
      await revoke({ kind: 'all', issuedBefore });
      const { items, complete } = await read();
      const short = { at: toIsoString(at), expiresAt: toIsoString(expiresAt) };
      const long = { at: toIsoString(at), expiresAt: toIsoString(addSeconds(at, MAX_TOKEN_LIFETIME_SECONDS)) };
      assert.deepEqual(items.map(withoutCursor), [
        { ...short, sid: 'ended', generation: 2_147_483_647 },
        { ...short, sid: 'refreshed', generation: 3 },
        { ...long, keyId: 'stolen' },
        {
          at: toIsoString(clock.now()),
          expiresAt: toIsoString(addSeconds(clock.now(), MAX_TOKEN_LIFETIME_SECONDS)),
          issuedBefore: issuedBefore / 1000,
        },
      ]);
      assert.equal(complete, true);
    });

    it('tells of the last revocation of a session alone, also those who know the former one', async () => {
      const superseded = { kind: 'superseded', sessionId: 'one', generation: 1, expiresAt: clock.now() } as const;
      await revoke(superseded, ended('other'));
      const { next } = await read();
      clock.advance(1);
      await revoke(ended('one'));
      for (const [from, sids] of [
        [next, ['one']],
        ['', ['other', 'one']],
      ] as const) {
        const { items, sids: found } = await read(from);
        assert.deepEqual(found, sids);
        const last = { at: toIsoString(clock.now()), expiresAt: toIsoString(addSeconds(clock.now(), HOUR)) };
        assert.deepEqual(withoutCursor(items.at(-1) ?? assert.fail()), {
          ...last,
          sid: 'one',
          generation: 2_147_483_647,
        });
      }
    });

    it('goes on after each item, and says nothing twice', async () => {
      await revoke(ended('a'), ended('b'), ended('c'));
      const { items, next } = await read();
      const sids = await Promise.all(items.map(async ({ cursor }) => (await read(cursor)).sids));
      assert.deepEqual(sids, [['b', 'c'], ['c'], []]);
      assert.deepEqual([(await read(next)).sids, (await read(next)).complete], [[], true]);
      await revoke(ended('d'));
      assert.deepEqual((await read(next)).sids, ['d']);
    });

    it('has a thousand items on a page, and says whether more are there', async () => {
      await revoke(...Array.from({ length: 1000 }, (_, n) => ended(`s${n}`)));
      const full = await read();
      assert.deepEqual([full.items.length, full.complete], [1000, false]);
      const rest = await read(full.next);
      assert.deepEqual([rest.items.length, rest.complete], [0, true]);
      await revoke(ended('one more'));
      assert.deepEqual((await read(full.next)).sids, ['one more']);
      assert.equal((await read()).items.length, 1000);
    });

    it('does not go on from what is no cursor, or no longer one', async () => {
      await revoke(ended('a'));
      const { next } = await read();
      await assert.rejects(read('x'), { reason: 'feed.cursorInvalid', status: 400 });
      const [epoch, position] = next.split('-');
      for (const gone of [`${epoch}x-${position}-0`, `${epoch}-${Number(position) + 1_000_000}-0`]) {
        await assert.rejects(read(gone), { reason: 'feed.cursorGone', status: 410 });
      }
      await revoke({ kind: 'all', issuedBefore: clock.now() });
      await assert.rejects(read(next), { reason: 'feed.cursorGone' });
      await revoke({ kind: 'all', issuedBefore: clock.now() });
      assert.deepEqual((await read()).sids, ['a', undefined], 'the end of all sessions stands there once');
    });

    it('goes on from a cursor that names a transaction which has long ended', async () => {
      await revoke(ended('a'));
      const [epoch, position] = (await read()).next.split('-');
      await revoke(ended('b'));
      assert.ok((await read(`${epoch}-${position}-0-1`)).sids.includes('b'));
    });

    it('ends its followers when a cursor is no longer one', async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      await feed.follow({ next: () => resolve('a page'), end: () => resolve('the end') });
      await revoke({ kind: 'all', issuedBefore: clock.now() });
      assert.equal(await promise, 'the end');
    });

    it('keeps its cursors when the service starts again', async () => {
      await revoke(ended('a'));
      const { next } = await read();
      await feed.load();
      assert.deepEqual((await read(next)).sids, []);
      await revoke(ended('b'));
      await feed.load();
      assert.deepEqual((await read(next)).sids, ['b']);
    });

    it('looks for no revocations where none can be new', async () => {
      await revoke(ended('a'));
      const store = createRevocationStore(database);
      const snapshot = await store.readSnapshot();
      const quiet = createFeed({
        ...store,
        readSnapshot: async () => snapshot,
        readAfter: () => assert.fail('no transaction has begun since'),
      });
      assert.deepEqual((await quiet.read(formatCursor(cursorAt(snapshot)))).items, []);
    });

    it('has a page on disk before a reader gets it', async () => {
      let flushes = 0;
      const observed: Database = {
        ...database,
        async transaction(work, options) {
          const result = await database.transaction(work, options);
          flushes += 1;
          return result;
        },
      };
      const { read: readObserved } = createFeed(createRevocationStore(observed));
      assert.deepEqual((await readObserved('')).items, []);
      assert.equal(flushes, 0, 'a page without revocations waits for nothing');
      await revoke(ended('a'));
      assert.equal((await readObserved('')).items.length, 1);
      // PostgreSQL shows only what is on disk.
      assert.equal(flushes, engine === 'sqlite' ? 1 : 0);
    });

    it('forgets a revocation when its tokens have expired, but not the last one', async () => {
      await revoke(ended('short', 10), ended('long', 3 * HOUR), ended('last', 10));
      clock.advance(HOUR);
      await feed.deleteExpired();
      assert.deepEqual((await read()).sids, ['short', 'long', 'last'], 'the time of an hour ago counts');
      clock.advance(HOUR);
      await feed.deleteExpired();
      assert.deepEqual((await read()).sids, ['long', 'last']);
      clock.advance(2 * HOUR);
      await feed.deleteExpired();
      clock.advance(HOUR);
      await feed.deleteExpired();
      assert.deepEqual((await read()).sids, ['last']);
    });

    it('forgets at the instant that its tokens expire, by the clock of an hour ago', async () => {
      await revoke(ended('now', HOUR), ended('later', HOUR + 1), ended('last'));
      clock.advance(HOUR);
      await feed.deleteExpired();
      clock.advance(HOUR - 1);
      await feed.deleteExpired();
      assert.equal((await read()).items.length, 3, 'less than an hour after the last look');
      clock.advance(1);
      await feed.deleteExpired();
      assert.deepEqual((await read()).sids, ['later', 'last']);
    });

    it('forgets nothing by a clock that was ahead for less than an hour', async () => {
      await revoke(ended('a'), ended('b', 3 * HOUR), ended('last'));
      clock.set(9 * HOUR);
      clock.advance(HOUR);
      await feed.deleteExpired();
      clock.set(-9 * HOUR);
      clock.advance(HOUR - 600);
      await feed.deleteExpired();
      assert.deepEqual((await read()).sids, ['a', 'b', 'last']);
      clock.advance(600);
      await feed.deleteExpired();
      assert.deepEqual((await read()).sids, ['b', 'last'], 'no later time than the present one counts');
    });

    it('looks at a thousand of them each time, and begins again at the end', async () => {
      const many = Array.from({ length: 1500 }, (_, n) => ended(`s${n}`, 10));
      await revoke(...many.slice(0, 700), ended('kept', 9 * HOUR), ...many.slice(700));
      // It knows no time that it trusts, and looks at none.
      await feed.deleteExpired();
      clock.advance(HOUR);
      await feed.deleteExpired();
      clock.advance(HOUR);
      // It has looked at the first thousand an hour ago, and goes on after them.
      const left = async () => {
        const rows = database.sql.selectFrom('revocation').select(({ fn }) => fn.countAll<number>().as('count'));
        return Number((await rows.executeTakeFirstOrThrow()).count);
      };
      const counts: number[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        await feed.deleteExpired();
        counts.push(await left());
      }
      assert.deepEqual(counts, [1001, 3, 3, 2, 2]);
    });

    it('goes on after the last one that it has looked at, and keeps that', async () => {
      await revoke(...['a', 'b', 'c', 'd', 'e'].map((sid) => ended(sid, 10)));
      clock.advance(10);
      const store = createRevocationStore(database);
      let position = START;
      for (let turn = 0; turn < 3; turn += 1) position = await store.deleteExpired(position, 2, clock.now());
      assert.deepEqual([(await read()).sids, position], [['b', 'd', 'e'], START]);
    });
  });
}
