// The stores of rate limits: the common tests on each store, and the tests of one store.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { createRateLimits } from './limits.ts';
import { rateLimitingSetting } from './settings.ts';
import { rateLimitStoreContract } from './store.contract.ts';
import { createMemoryRateLimitStore } from './store.memory.ts';
import { createSqlRateLimitStore } from './store.sql.ts';
import type { RateLimitStore } from './store.ts';

const start = 1_700_000_000_000 as Instant;
const limits = { limit: 10, windowSeconds: 60, retryAfterSeconds: 0 };

rateLimitStoreContract('memory', async () => ({ store: createMemoryRateLimitStore(), close: async () => {} }));

for (const engine of engines) {
  rateLimitStoreContract(engine, async () => {
    const database = await openTestDatabase(engine);
    return { store: createSqlRateLimitStore(database.sql), close: () => database.close() };
  });

  rateLimitStoreContract(`${engine}, each request at a node with an empty cache`, async () => {
    const database = await openTestDatabase(engine);
    const newNode = () => createSqlRateLimitStore(database.sql);
    const store: RateLimitStore = {
      take: (...request) => newNode().take(...request),
      giveBack: (...request) => newNode().giveBack(...request),
      standingRefusal: (...request) => newNode().standingRefusal(...request),
      deleteExpired: (...past) => newNode().deleteExpired(...past),
    };
    return { store, close: () => database.close() };
  });

  describe(`rate limits shared by nodes on ${engine}`, () => {
    it('allow exactly the limit of 200 parallel requests on two nodes', async (t) => {
      const database = await openTestDatabase(engine);
      t.after(() => database.close());
      const nodes = [createSqlRateLimitStore(database.sql), createSqlRateLimitStore(database.sql)];
      const decisions = await Promise.all(
        Array.from({ length: 100 }, () => nodes.map((node) => node.take('login', '192.0.2.1', limits, start))).flat(),
      );
      assert.equal(decisions.filter(({ allowed }) => allowed).length, 10);
      assert.equal(decisions.filter(({ firstRefusal }) => firstRefusal).length, 1);
    });

    it('report a refusal that stands under the current limits, without counting it', async (t) => {
      const database = await openTestDatabase(engine);
      t.after(() => database.close());
      await checkStandingRefusals(createSqlRateLimitStore(database.sql));
    });

    it('count a request again whose refusal ended before it was read', async (t) => {
      const database = await openTestDatabase(engine);
      t.after(() => database.close());
      const one = { ...limits, limit: 1 };
      const store = createSqlRateLimitStore(database.sql);
      for (const _ of ['let through', 'refused']) await store.take('login', '192.0.2.1', one, start);
      let meanwhile = async () => void (await store.take('login', '192.0.2.1', one, addSeconds(start, 60)));
      const interrupted = database.sql.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          const act = meanwhile;
          meanwhile = async () => {};
          await act();
          return result;
        },
      });
      const late = await createSqlRateLimitStore(interrupted).take('login', '192.0.2.1', one, addSeconds(start, 59));
      assert.deepEqual([late.allowed, late.firstRefusal, late.retryAfterSeconds], [false, true, 61]);
    });

    it('are deleted a minute after their end, when no node needs them any more', async (t) => {
      const database = await openTestDatabase(engine);
      t.after(() => database.close());
      const clock = createManualClock();
      const settings = { read: () => rateLimitingSetting.default } as unknown as SettingReader;
      const rateLimits = createRateLimits({ store: createSqlRateLimitStore(database.sql), settings, clock });
      await rateLimits.take('login', '192.0.2.1');
      clock.advance(120);
      assert.equal(await rateLimits.deleteExpired(), 0);
      clock.advance(0.001);
      assert.equal(await rateLimits.deleteExpired(), 1);
    });

    it('are kept until the first refusal has ended, too', async (t) => {
      const database = await openTestDatabase(engine);
      t.after(() => database.close());
      const store = createSqlRateLimitStore(database.sql);
      const refusedAt = addSeconds(start, 10);
      for (const now of [start, refusedAt]) await store.take('login', '192.0.2.1', { ...limits, limit: 1 }, now);
      assert.equal(await store.deleteExpired(addSeconds(refusedAt, 100), 100), 0);
      assert.equal(await store.deleteExpired(addSeconds(refusedAt, 100.001), 100), 1);
    });

    it('are deleted five hundred at a time, so that no request waits for long', async (t) => {
      const database = await openTestDatabase(engine);
      t.after(() => database.close());
      const removed: (bigint | undefined)[] = [];
      const watched = database.sql.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          removed.push(result.numAffectedRows);
          return result;
        },
      });
      const store = createSqlRateLimitStore(database.sql);
      for (let n = 0; n < 1001; n += 1) await store.take('login', `address ${n}`, limits, start);
      assert.equal(await createSqlRateLimitStore(watched).deleteExpired(addSeconds(start, 61), 60), 1001);
      assert.deepEqual(removed, [500n, 500n, 1n]);
    });

    it('keep a refusal without the database, and fail for requests that they cannot count', async () => {
      const database = await openTestDatabase(engine);
      const store = createSqlRateLimitStore(database.sql);
      const one = { ...limits, limit: 1 };
      await store.take('login', '192.0.2.1', one, start);
      await store.take('login', '192.0.2.1', one, start);
      await database.close();
      assert.equal((await store.take('login', '192.0.2.1', one, addSeconds(start, 59))).retryAfterSeconds, 1);
      await assert.rejects(store.take('login', '192.0.2.1', one, addSeconds(start, 60)));
      await assert.rejects(store.take('login', '192.0.2.1', limits, start));
      await assert.rejects(store.take('login', '192.0.2.2', one, start));
    });
  });
}

async function checkStandingRefusals(store: RateLimitStore) {
  const one = { ...limits, limit: 1 };
  const standing = (seconds: number, now = one) =>
    store.standingRefusal('otp', '192.0.2.6', now, addSeconds(start, seconds));
  assert.equal(standing(0), undefined);
  await store.take('otp', '192.0.2.6', one, start);
  assert.equal(standing(1), undefined);
  const refused = await store.take('otp', '192.0.2.6', one, addSeconds(start, 10));
  assert.deepEqual(standing(10), { ...refused, firstRefusal: false });
  assert.equal(standing(59)?.retryAfterSeconds, 1);
  assert.equal(store.standingRefusal('login', '192.0.2.6', one, start), undefined);
  assert.deepEqual([standing(10, { ...one, limit: 2 }), standing(60)], [undefined, undefined]);
  assert.equal((await store.take('otp', '192.0.2.6', { ...one, limit: 2 }, addSeconds(start, 11))).remaining, 0);
}

describe('rate limits in memory', () => {
  it('report a refusal that stands under the current limits, without counting it', () =>
    checkStandingRefusals(createMemoryRateLimitStore()));

  it('remove the least recently used addresses when full, and never one that keeps sending requests', async () => {
    const store = createMemoryRateLimitStore(100);
    const one = { ...limits, limit: 1 };
    await store.take('login', 'silent', one, start);
    for (let n = 0; n < 1000; n += 1) {
      await store.take('login', `other ${n}`, one, start);
      assert.equal((await store.take('login', 'busy', one, start)).allowed, n === 0);
    }
    assert.equal((await store.take('login', 'silent', one, start)).allowed, true);
    for (let n = 0; n < 1000; n += 1) {
      await store.take('login', `later ${n}`, one, start);
      assert.ok(store.standingRefusal('login', 'busy', one, start), 'a look at the refusal keeps it, too');
    }
    assert.ok((await store.deleteExpired(addSeconds(start, 60), 60)) <= 100);
  });
});
