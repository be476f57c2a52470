// The order of revocations on PostgreSQL, where transactions commit in another order than that of their ids: none is skipped,
// none is delayed, and a reader can go on from every cursor.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { createManualClock } from '../../test/support/clock.ts';
import { openPatiently, PATIENT } from '../../test/support/databases.ts';
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts';
import { addSeconds } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import type { Database } from '../storage/database.ts';
import { openDatabase } from '../storage/open.ts';
import { createRevocations } from '../tokens/index.ts';
import { parseCursor } from './cursor.ts';
import { createRevocationFeed, PAGE_SIZE, type RevocationFeed } from './feed.ts';
import type { FeedItem } from './page.ts';
import { createRevocationStore } from './store.sql.ts';

const clock = createManualClock();
const revocations = createRevocations();
const onError = (error: unknown) => assert.fail(String(error));
const orders = [
  [0, 1],
  [1, 0],
] as const;
const createFeed = (database: Database) =>
  createRevocationFeed({ store: createRevocationStore(database), revocations, clock, random: systemRandom, onError });
const sidsOf = (items: readonly FeedItem[]) => items.map(({ sid }) => sid);

describe('revocations on PostgreSQL', () => {
  let server: TestPostgres;
  let url: string;
  let database: Database;
  let feed: RevocationFeed;
  let count = 0;
  const clients = new Set<pg.Client>();

  before(async () => {
    // Cursors list the running transactions of a whole server: those of this file would be in the cursors of other tests.
    server = await startPostgres({ autovacuum: 'off' });
    url = server.socketUrl;
    database = await openPatiently(url);
    feed = createFeed(database);
    await feed.load();
  });
  after(async () => {
    // A test that fails leaves transactions open, which would keep the process alive.
    for (const client of clients) await client.end();
    await database?.close();
    await server?.stop();
  });
  beforeEach(() => database.sql.deleteFrom('revocation').execute());

  const revocationOf = (sessionId: string) =>
    ({ kind: 'session', sessionId, expiresAt: addSeconds(clock.now(), 60) }) as const;
  const revoke = (...ids: string[]) => database.transaction((tx) => revocations.record(tx, ids.map(revocationOf)));
  const newId = () => {
    count += 1;
    return `session${count}`;
  };

  /** Begins a transaction that does nothing else. It has an id when it has written. */
  async function begin() {
    const client = new pg.Client(url);
    clients.add(client);
    await client.connect();
    await client.query('begin');
    return {
      takeId: () => client.query('select pg_current_xact_id()'),
      async takeNumber() {
        const { rows } = await client.query<{ number: string }>("select nextval('revocation_number') number");
        return Number(rows[0]?.number);
      },
      record: (sid: string, number?: number) =>
        client.query(
          `insert into revocation (number, transaction_id, at, session_id, generation, expires_at)
          values (coalesce($2, nextval('revocation_number')), pg_current_xact_id()::text::bigint, 0, $1, 1, 1)`,
          [sid, number],
        ),
      async end(how: 'commit' | 'rollback' = 'commit') {
        await client.query(how);
        await client.end();
        clients.delete(client);
      },
    };
  }

  /** Reads all pages after a cursor. */
  async function readAll(after: string) {
    const items: FeedItem[] = [];
    for (let cursor = after, pages = 0; ; pages += 1) {
      assert.ok(pages < 20, 'the pages come to an end');
      const page = await feed.read(cursor);
      assert.ok(page.items.length <= PAGE_SIZE);
      items.push(...page.items);
      if (page.complete) return { items, next: page.next };
      cursor = page.next;
    }
  }

  async function assertResumable(items: readonly FeedItem[]) {
    for (const [index, { cursor }] of items.entries()) {
      const rest = sidsOf((await readAll(cursor)).items);
      assert.deepEqual(rest, sidsOf(items.slice(index + 1)), 'a reader goes on after each item');
    }
  }

  for (const ids of orders) {
    for (const numbers of orders) {
      for (const commits of orders) {
        it(`are read once when transactions get ids as ${ids}, numbers as ${numbers}, and commit as ${commits}`, async () => {
          const writers = [await begin(), await begin()];
          const names = [newId(), newId()];
          let { next } = await readAll('');
          for (const index of ids) await writers[index]?.takeId();
          for (const index of numbers) await writers[index]?.record(names[index] ?? '');
          ({ next } = await readAll(next));
          for (const index of commits) {
            await writers[index]?.end();
            const { items, next: end } = await readAll(next);
            assert.deepEqual(sidsOf(items), [names[index]], 'what has committed, at once and once');
            const [item] = items;
            const others = sidsOf((await readAll(item?.cursor ?? '')).items);
            assert.deepEqual(others, [], 'the cursor of an item is after it');
            next = end;
          }
          const { items } = await readAll('');
          assert.deepEqual(new Set(sidsOf(items)), new Set(names));
          await assertResumable(items);
        });
      }
    }
  }

  it('come at once, once, and from every cursor, while a transaction of another program lasts', async () => {
    const foreign = await begin();
    await foreign.takeId();
    const late = newId();
    await foreign.record(late);
    const names = Array.from({ length: PAGE_SIZE + 200 }, newId);
    const cursors: string[] = [];
    const read: unknown[] = [];
    let next = '';
    for (let from = 0; from < names.length; from += 300) {
      await revoke(...names.slice(from, from + 300));
      const { items, next: end } = await readAll(next);
      read.push(...sidsOf(items));
      cursors.push(...items.filter((_, index) => index % 97 === 0).map(({ cursor }) => cursor), end);
      next = end;
    }
    assert.deepEqual(read, names);
    assert.deepEqual((await feed.read(next)).items, [], 'a poll waits');
    assert.deepEqual(sidsOf((await readAll('')).items), names);
    await foreign.end();
    for (const cursor of cursors) {
      const { number } = parseCursor(cursor) ?? assert.fail(cursor);
      const rest = new Set(sidsOf((await readAll(cursor)).items));
      assert.ok(rest.has(late));
      const unread = await database.sql.selectFrom('revocation').select('session_id').where('number', '>', number);
      for (const { session_id: id } of number > 0 ? await unread.execute() : []) assert.ok(rest.has(id ?? ''));
    }
    assert.deepEqual(sidsOf((await readAll(next)).items), [late]);
  });

  it('of one transaction come in the order of their numbers, also if PostgreSQL reads them as they are stored', async (t) => {
    const planned = new URL(url);
    planned.searchParams.set('options', '-c enable_indexscan=off -c enable_bitmapscan=off');
    const scanning = await openDatabase(planned.href, { timeLimits: PATIENT });
    t.after(() => scanning.close());
    const writer = await begin();
    const names = Array.from({ length: 4 }, newId);
    const numbers: number[] = [];
    for (const _ of names) numbers.push(await writer.takeNumber());
    for (const index of [2, 0, 3, 1]) await writer.record(names[index] ?? '', numbers[index]);
    await writer.end();
    const { items } = await createFeed(scanning).read('');
    assert.deepEqual(sidsOf(items), names);
    await assertResumable(items);
  });

  it('of one late transaction fill several pages', async () => {
    const large = await begin();
    await large.takeId();
    await revoke(newId());
    const { next } = await readAll('');
    const names = Array.from({ length: 2 * PAGE_SIZE + 5 }, newId);
    for (const name of names) await large.record(name);
    const others = Array.from({ length: PAGE_SIZE }, newId);
    await revoke(...others);
    await large.end();
    const { items, next: end } = await readAll(next);
    for (const name of [...names, ...others]) assert.ok(items.some(({ sid }) => sid === name));
    assert.deepEqual((await readAll(end)).items, []);
  });

  it('have short cursors, however many transactions are running', async () => {
    const foreign = await Promise.all(Array.from({ length: 30 }, begin));
    const names: string[] = [];
    for (const { takeId } of foreign) {
      await takeId();
      names.push(newId());
      await revoke(names.at(-1) ?? '');
    }
    const { items, next } = await readAll('');
    assert.deepEqual(sidsOf(items), names);
    for (const { cursor } of items) assert.ok(cursor.length < 200, cursor);
    assert.equal(Math.max(...items.map(({ cursor }) => parseCursor(cursor)?.running.length ?? 0)), 20);
    const late = foreign.map(() => newId());
    await Promise.all(foreign.map(({ record }, index) => record(late[index] ?? '')));
    await Promise.all(foreign.map(({ end }, index) => end(index % 3 === 0 ? 'rollback' : 'commit')));
    const committed = late.filter((_, index) => index % 3 !== 0);
    for (const { cursor } of [{ cursor: next }, ...items]) {
      const rest = new Set(sidsOf((await readAll(cursor)).items));
      for (const name of committed) assert.ok(rest.has(name));
      assert.ok(late.every((name) => committed.includes(name) || !rest.has(name)));
    }
  });

  it('come at once, and once, while more transactions last than the cursor of an item lists', async () => {
    const foreign = await Promise.all(Array.from({ length: 30 }, begin));
    for (const { takeId } of foreign) await takeId();
    const batches: FeedItem[] = [];
    let arrived = () => {};
    const leave = await feed.follow({
      next({ page }) {
        batches.push(...page.items);
        arrived();
      },
      end: () => assert.fail('the epoch is the same'),
    });
    let { next } = await readAll('');
    for (const size of [1, 1, PAGE_SIZE + 200, 1]) {
      const names = Array.from({ length: size }, newId);
      const { length } = batches;
      await revoke(...names);
      const { items, next: end } = await readAll(next);
      assert.deepEqual(sidsOf(items), names);
      next = end;
      while (batches.length < length + size) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
      assert.deepEqual(sidsOf(batches.slice(length)), names, 'followers get them');
    }
    const all = await readAll('');
    assert.deepEqual(sidsOf(all.items), sidsOf(batches));
    const resumed = await readAll(all.items.at(-1)?.cursor ?? '');
    assert.deepEqual((await readAll(resumed.next)).items, [], 'the last item is enough to go on');
    leave();
    await Promise.all(foreign.map(({ end }) => end()));
  });

  it('that were copied from another server come first, and its cursors are refused', async () => {
    await revoke(newId());
    const { next } = await readAll('');
    const copied = newId();
    const given = { at: clock.now(), expires_at: clock.now(), key_id: null, issued_before: null, generation: 1 };
    await database.sql
      .insertInto('revocation')
      .values({ ...given, session_id: copied, transaction_id: 900_000_000_000, number: 1 })
      .execute();
    // A copied row has another writer.
    await database.sql
      .updateTable('revocation_epoch')
      .set((eb) => ({ epoch: eb.ref('epoch') }))
      .execute();
    await feed.load();
    await assert.rejects(feed.read(next), { reason: 'feed.cursorGone' });
    const { items, next: end } = await readAll('');
    assert.equal(items[0]?.sid, copied);
    assert.deepEqual((await readAll(end)).items, []);
    const later = newId();
    await revoke(later);
    assert.deepEqual(sidsOf((await readAll(end)).items), [later]);
  });
});
