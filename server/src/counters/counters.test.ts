// Counters: no count is lost or added twice, by a failure, by several nodes, or by the cleanup job.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';
import { createCounterStore, createCounters, HOUR_MS, startOfHour } from './index.ts';

const DAY_SECONDS = 86_400;
const fail = (error: unknown) => assert.fail(String(error));

for (const engine of engines) {
  describe(`counters on ${engine}`, () => {
    let database: Database;
    const clock = createManualClock();
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    const createNode = () => createCounters({ store: createCounterStore(database), clock, onError: fail });
    const all = (hours = 1) => {
      const hour = startOfHour(clock.now());
      return createNode().sum((hour - (hours - 1) * HOUR_MS) as Instant, (hour + HOUR_MS) as Instant);
    };

    it('adds what several nodes count at the same time', async () => {
      const nodes = [createNode(), createNode(), createNode()];
      for (let round = 0; round < 20; round += 1) {
        for (const [index, node] of nodes.entries()) {
          // In another order on each node: locks that are taken in the order of the counts would wait for each other.
          const parts = ['password', 'pin', 'passkey'];
          for (const part of index % 2 ? parts : parts.toReversed()) node.count('signIn', part);
          node.count('refusal', 'pin.invalid');
        }
        await Promise.all(nodes.map((node) => node.flush()));
      }
      const counts = (await all()).map(({ figure, part, count }) => `${figure} ${part} ${count}`);
      assert.deepEqual(counts.toSorted(), [
        'refusal pin.invalid 60',
        'signIn passkey 60',
        'signIn password 60',
        'signIn pin 60',
      ]);
    });

    it('keeps the counts that it could not add, and adds them once', async () => {
      clock.advance(3600);
      const errors: unknown[] = [];
      const store = createCounterStore(database);
      let isDown = true;
      const node = createCounters({
        store: {
          ...store,
          async add(counts) {
            if (isDown) throw new Error('down');
            await store.add(counts);
          },
        },
        clock,
        onError: (error) => errors.push(error),
      });
      node.count('signIn', 'password');
      await node.flush();
      node.count('signIn', 'password');
      await node.flush();
      assert.deepEqual([errors.length, await all()], [1, []], 'an outage is reported once');
      isDown = false;
      await node.stop();
      await node.stop();
      assert.deepEqual(await all(), [{ figure: 'signIn', part: 'password', count: 2 }]);
    });

    it('stops when the counts under way are stored', async () => {
      clock.advance(3600);
      const store = createCounterStore(database);
      const held = Promise.withResolvers<void>();
      const add: typeof store.add = async (counts) => {
        await held.promise;
        await store.add(counts);
      };
      let flush: () => unknown = () => {};
      const every = (_: number, task: () => unknown) => {
        flush = task;
        return () => {};
      };
      const node = createCounters({ store: { ...store, add }, clock: { ...clock, every }, onError: fail });
      node.start();
      node.count('signIn', 'password');
      flush();
      let isStopped = false;
      const stopping = node.stop().then(() => {
        isStopped = true;
      });
      await new Promise(setImmediate);
      assert.equal(isStopped, false);
      held.resolve();
      await stopping;
      assert.deepEqual(await all(), [{ figure: 'signIn', part: 'password', count: 1 }]);
    });

    it('counts an occurrence in its own hour, also when it is added later', async () => {
      clock.advance(3600);
      const node = createNode();
      node.count('lockout', 'account');
      clock.advance(3600);
      node.count('lockout', 'account');
      await node.flush();
      assert.deepEqual(await all(), [{ figure: 'lockout', part: 'account', count: 1 }]);
      assert.deepEqual(
        (await all(2)).map(({ count }) => count),
        [2],
      );
    });

    it('keeps two periods of 30 days, and since when it counts', async () => {
      const node = createNode();
      const begun = startOfHour(clock.now());
      await database.sql.deleteFrom('hourly_count').execute();
      await Promise.all([node.load(), createNode().load()]);
      node.count('signIn', 'password');
      await node.flush();
      clock.advance(61 * DAY_SECONDS);
      await node.load();
      await node.deleteExpired();
      assert.equal((await all(61 * 24 + 1)).length, 1, 'after 61 days');
      clock.advance(2 * DAY_SECONDS);
      node.count('signIn', 'pin');
      await node.flush();
      await node.deleteExpired();
      await node.deleteExpired();
      assert.deepEqual(
        (await all(70 * 24)).map(({ part }) => part),
        ['pin'],
      );
      assert.equal(await node.findBeginning(), begun);
      const [row] = await database.sql.selectFrom('hourly_count').selectAll().where('figure', '=', 'start').execute();
      assert.equal(Number(row?.count), 0);
    });
  });
}
