// The audit store, on both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Database } from '../storage/database.ts';
import { type AuditFilter, type AuditStore, createAuditStore } from './store.sql.ts';

const action = { name: 'test.happened', description: '' };

for (const engine of engines) {
  describe(`audit store on ${engine}`, () => {
    let database: Database;
    let store: AuditStore;
    before(async () => {
      database = await openTestDatabase(engine);
      store = createAuditStore(database);
      assert.equal(await store.newest(), 0);
      for (let n = 1; n <= 5; n++) {
        await append(n * 100, {
          action: n === 3 ? { name: 'test.other', description: '' } : action,
          outcome: n % 2 ? 'success' : 'refused',
          ...(n === 2 && { reason: 'test.reason' }),
          user: { id: n, name: `user ${n}` },
          origin: { ipAddress: `192.0.2.${n}`, userAgent: 'a'.repeat(1000), frontEnd: 'default-app' },
          ...(n === 5 && { details: { list: [1, 'two'] } }),
        });
      }
      const newest = await append(600, { action, outcome: 'success' });
      assert.equal(newest, await store.newest());
    });
    after(() => database.close());

    const append = async (at: number, occurrence: Occurrence) =>
      (await store.append(database.sql, at as Instant, [occurrence]))[0] ?? assert.fail();
    const find = async (filter: AuditFilter) => store.read((await store.scan(filter, undefined, 10)).matches);
    const ids = async (filter: AuditFilter) => (await find(filter)).map(({ userId }) => userId);

    it('scans newest first, from one place to the next', async () => {
      const first = await store.scan({}, undefined, 2);
      const second = await store.scan({}, first.last, 2);
      const third = await store.scan({}, second.last, 3);
      assert.deepEqual([first.matches.length, second.matches.length, third.matches.length], [2, 2, 2]);
      assert.deepEqual([second.last?.at, third.last], [300, undefined]);
      const entries = await store.read([...third.matches, ...first.matches, ...second.matches]);
      assert.deepEqual(
        entries.map(({ userId }) => userId),
        [null, 5, 4, 3, 2, 1],
      );
    });

    it('scans no more entries than the limit, whether they match or not', async () => {
      const none = { outcome: 'success', ipAddress: '192.0.2.2', userId: 2 };
      assert.deepEqual(await store.scan(none, undefined, 10), { matches: [], last: undefined });
      const { matches, last } = await store.scan({ action: 'test.happened', outcome: 'refused' }, undefined, 2);
      assert.deepEqual([matches, last?.at], [[], 500], 'neither 600 nor 500 was refused');
      assert.equal((await store.scan({ action: 'test.happened', outcome: 'refused' }, last, 3)).matches.length, 2);
    });

    it('orders by time first, and entries of the same time by number', async () => {
      const at = (instant: number) => append(instant, { action: late, outcome: 'success' });
      const late = { name: 'test.late', description: '' };
      const [one, two, three] = [await at(50), await at(40), await at(50)];
      const all = { action: late.name };
      assert.deepEqual((await store.scan(all, undefined, 10)).matches, [three, one, two]);
      assert.deepEqual((await store.scan(all, { at: 50 as Instant, id: three }, 10)).matches, [one, two]);
      assert.deepEqual((await store.scan(all, await store.findPlace(two), 10)).matches, []);
      await database.sql.deleteFrom('audit').where('action', '=', late.name).execute();
      assert.equal((await store.findPlace(three))?.id, one - 1, 'the nearest before it');
      assert.equal(await store.findPlace(0), undefined);
    });

    it('reads an entry with all members', async () => {
      const entries = await find({ userId: 5 });
      assert.deepEqual(
        { ...entries[0], id: 0, userAgent: entries[0]?.userAgent?.length },
        {
          id: 0,
          at: 500,
          action: 'test.happened',
          outcome: 'success',
          reason: null,
          userId: 5,
          userName: 'user 5',
          ipAddress: '192.0.2.5',
          frontEnd: 'default-app',
          userAgent: 256,
          details: { list: [1, 'two'] },
        },
      );
    });

    it('narrows by account, action, outcome, address and time', async () => {
      assert.deepEqual(await ids({ userId: 2 }), [2]);
      assert.deepEqual(await ids({ action: 'test.other' }), [3]);
      assert.deepEqual(await ids({ outcome: 'refused' }), [4, 2]);
      assert.deepEqual(await ids({ ipAddress: '192.0.2.1' }), [1]);
      assert.deepEqual(await ids({ from: 200 as Instant, to: 400 as Instant }), [3, 2]);
      assert.deepEqual(await ids({ userId: 2, outcome: 'success' }), []);
    });

    it('never uses a number again, also when entries are deleted', async () => {
      const newest = await store.newest();
      await database.sql.deleteFrom('audit').where('id', '=', newest).execute();
      await append(700, { action, outcome: 'success' });
      assert.ok((await store.newest()) > newest);
    });
  });
}
