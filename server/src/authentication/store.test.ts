// The store of sign-ins that wait for a second factor, on both engines.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { createAccountStore, newAccount } from '../accounts/index.ts';
import { addSeconds } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import type { Database } from '../storage/database.ts';
import { createLoginFlowStore } from './store.sql.ts';

const RACERS = 20;

for (const engine of engines) {
  describe(`sign-ins that wait for a second factor on ${engine}`, () => {
    const now = createManualClock().now();
    const soon = addSeconds(now, 0.001);
    let database: Database;
    let flows: ReturnType<typeof createLoginFlowStore>;
    let own: number;
    let other: number;

    before(async () => {
      database = await openTestDatabase(engine);
      flows = createLoginFlowStore(database);
      const accounts = createAccountStore(database, systemRandom);
      const add = (name: string) => accounts.add(database.sql, { ...newAccount(name, {}), passwordHash: null }, now);
      own = (await add('ann')) ?? assert.fail();
      other = (await add('ben')) ?? assert.fail();
    });
    after(() => database.close());
    beforeEach(() => flows.deleteAll(database.sql));

    const flowOf = (mac: string, accountId = own) => ({
      mac,
      accountId,
      frontEnd: 'portal',
      completed: ['password', 'pin'],
      passwordVersion: 3,
      lockoutSubject: `account:${accountId}`,
      expiresAt: soon,
    });
    const add = (mac: string, accountId = own) => flows.add(database.sql, flowOf(mac, accountId));
    const find = (mac: string, at = now) => flows.find(database.sql, mac, at);
    const left = async () => {
      const rows = await database.sql.selectFrom('login_flow').select('mac').orderBy('mac').execute();
      return rows.map(({ mac }) => mac);
    };

    it('are found by their token until they expire', async () => {
      await add('a');
      await add('b', other);
      assert.deepEqual(await find('a'), flowOf('a'));
      assert.deepEqual(await find('b'), flowOf('b', other));
      assert.equal(await find('c'), undefined);
      assert.equal(await find('a', soon), undefined);
    });

    it('are taken once, alone, and not after they have expired', async () => {
      await add('a');
      await add('b');
      assert.equal(await flows.take(database.sql, 'a', soon), false);
      const taken = await Promise.all(Array.from({ length: RACERS }, () => flows.take(database.sql, 'a', now)));
      assert.equal(taken.filter(Boolean).length, 1);
      assert.deepEqual(await left(), ['b']);
    });

    it('end with those of their account, and all together', async () => {
      for (const mac of ['a', 'b']) await add(mac);
      for (const mac of ['c', 'd']) await add(mac, other);
      await flows.deleteOfAccount(database.sql, own);
      assert.deepEqual(await left(), ['c', 'd']);
      await flows.deleteAll(database.sql);
      assert.deepEqual(await left(), []);
    });

    it('are cleaned up when they have expired, a batch at a time', async () => {
      for (const mac of ['a', 'b', 'c']) await add(mac);
      await flows.add(database.sql, { ...flowOf('d'), expiresAt: addSeconds(soon, 1) });
      await flows.deleteExpired(soon, 2);
      assert.equal((await left()).length, 4);
      const later = addSeconds(soon, 0.001);
      await flows.deleteExpired(later, 2);
      assert.equal((await left()).length, 2);
      await flows.deleteExpired(later, 2);
      assert.deepEqual(await left(), ['d']);
    });
  });
}
