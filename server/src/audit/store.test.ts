// The contract of the audit store, on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';
import { createAuditStore } from './store.sql.ts';
import type { AuditFilter, AuditStore } from './store.ts';

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
        await store.append(database.sql, (n * 100) as Instant, {
          action: n === 3 ? { name: 'test.other', description: '' } : action,
          outcome: n % 2 ? 'success' : 'refused',
          ...(n === 2 && { reason: 'test.reason' }),
          user: { id: n, name: `user ${n}` },
          origin: { ipAddress: `192.0.2.${n}`, userAgent: 'a'.repeat(1000), frontEnd: 'default-app' },
          ...(n === 5 && { details: { list: [1, 'two'] } }),
        });
      }
      const newest = await store.append(database.sql, 600 as Instant, { action, outcome: 'success' });
      assert.equal(newest, await store.newest());
    });
    after(() => database.close());

    const ids = async (filter: AuditFilter) =>
      (await store.list(filter, { skip: 0, take: 10 })).entries.map(({ userId }) => userId);

    it('lists newest first, a page at a time, with the count of all', async () => {
      const { entries, total } = await store.list({}, { skip: 1, take: 2 });
      assert.deepEqual([entries.map(({ userId }) => userId), total], [[5, 4], 6]);
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

    it('numbers never go back, also when entries are removed', async () => {
      const newest = await store.newest();
      await database.sql.deleteFrom('audit').where('id', '=', newest).execute();
      await store.append(database.sql, 700 as Instant, { action, outcome: 'success' });
      assert.ok((await store.newest()) > newest);
    });
  });
}
