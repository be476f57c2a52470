// The contract of the store of external logins, on every engine.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { createAccountStore, newAccount } from '../accounts/index.ts';
import type { Instant } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import type { Database } from '../storage/database.ts';
import { createExternalLoginStore } from './store.sql.ts';

const RACERS = 50;
const NOW = 1_767_225_600_000 as Instant;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

for (const engine of engines) {
  describe(`links to external providers on ${engine}`, () => {
    const store = createExternalLoginStore(systemRandom);
    let database: Database;
    let count = 0;
    let ann: number;
    let bob: number;

    async function addAccount(name: string): Promise<number> {
      const accounts = createAccountStore(database, systemRandom);
      const account = { ...newAccount(`${name}${count}`), passwordHash: null };
      return (await accounts.add(database.sql, account, NOW)) ?? assert.fail('the name is taken');
    }

    const add = (accountId: number, providerKey: string, { provider = 'Acme', linkedAt = NOW } = {}) =>
      store.add(database.sql, { provider, providerKey, accountId, linkedAt });
    const find = (providerKey: string, provider = 'Acme') => store.find(database.sql, { provider, providerKey });
    const keysOf = async (accountId: number) =>
      (await store.list(database.sql, accountId)).map(({ providerKey }) => providerKey);

    before(async () => {
      database = await openTestDatabase(engine);
    });
    beforeEach(async () => {
      count += 1;
      [ann, bob] = [await addAccount('ann'), await addAccount('bob')];
    });
    after(() => database.close());

    it('finds the account that an identity is linked to', async () => {
      const key = `key${count}`;
      assert.equal(await find(key), undefined);
      assert.equal(await add(ann, key), true);
      assert.equal(await find(key), ann);
    });

    it('treats another provider, and every other spelling of provider or key, as another identity', async () => {
      const key = `Keyé${count}`;
      await add(ann, key);
      const others = [key.toLowerCase(), key.toUpperCase(), key.normalize('NFD'), ` ${key}`, `${key} `, `${key}%`, '%'];
      for (const other of [...others, 'Keyé_', '__proto__', '']) assert.equal(await find(other), undefined, other);
      for (const provider of ['acme', 'ACME', 'Acme ', 'Globex', ''])
        assert.equal(await find(key, provider), undefined);
      assert.equal(await add(bob, key.toLowerCase()), true);
      assert.equal(await add(bob, key, { provider: 'Globex' }), true);
      assert.deepEqual([await find(key), await find(key.toLowerCase()), await find(key, 'Globex')], [ann, bob, bob]);
    });

    it('links an identity once, even to another account', async () => {
      const key = `key${count}`;
      await add(ann, key);
      for (const id of [ann, bob]) assert.equal(await add(id, key), false);
      assert.equal(await find(key), ann);
      assert.deepEqual([await keysOf(ann), await keysOf(bob)], [[key], []]);
    });

    it(`links an identity once when ${RACERS} callers try at the same time`, async () => {
      const key = `key${count}`;
      const tries = Array.from({ length: RACERS }, (_, racer) => {
        const id = racer % 2 ? ann : bob;
        return racer % 3 ? add(id, key) : database.transaction((tx) => store.add(tx.sql, link(id, key)));
      });
      assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
      const links = [...(await keysOf(ann)), ...(await keysOf(bob))];
      assert.deepEqual(links, [key]);
    });

    const link = (accountId: number, providerKey: string) => ({
      provider: 'Acme',
      providerKey,
      accountId,
      linkedAt: NOW,
    });

    it('lists an account’s links with all their members, oldest first', async () => {
      const later = (NOW + 1000) as Instant;
      await add(ann, `b${count}`, { linkedAt: later });
      await add(ann, `a${count}`, { provider: 'Globex' });
      await add(bob, `c${count}`);
      const links = await store.list(database.sql, ann);
      assert.ok(links.every(({ id }) => UUID.test(id)));
      assert.deepEqual(
        links.map(({ id: _, ...rest }) => rest),
        [
          { provider: 'Globex', providerKey: `a${count}`, accountId: ann, linkedAt: NOW },
          { provider: 'Acme', providerKey: `b${count}`, accountId: ann, linkedAt: later },
        ],
      );
      assert.deepEqual(await store.list(database.sql, 0), []);
    });

    it('removes a login once, and only for its owner', async () => {
      await add(ann, `a${count}`);
      await add(ann, `b${count}`);
      const [first, second] = await store.list(database.sql, ann);
      const id = first?.id ?? assert.fail();
      for (const [owner, other] of [
        [bob, id],
        [ann, id.toUpperCase()],
        [ann, ''],
      ] as const) {
        assert.equal(await store.remove(database.sql, owner, other), undefined);
      }
      const removals = await Promise.all(Array.from({ length: 20 }, () => store.remove(database.sql, ann, id)));
      assert.deepEqual(
        removals.filter((removed) => removed !== undefined),
        [first],
      );
      assert.deepEqual(await store.list(database.sql, ann), [second]);
      assert.equal(await add(bob, first?.providerKey ?? ''), true);
    });

    it('deletes the links of an account with the account, and links no missing account', async () => {
      await add(ann, `a${count}`);
      await createAccountStore(database, systemRandom).remove(database.sql, ann);
      assert.equal(await find(`a${count}`), undefined);
      await assert.rejects(add(ann, `a${count}`));
      assert.equal(await add(bob, `a${count}`), true);
    });

    it('does nothing outside its transaction', async () => {
      const failing = database.transaction(async (tx) => {
        assert.equal(await store.add(tx.sql, link(ann, `key${count}`)), true);
        assert.equal(await store.find(tx.sql, link(ann, `key${count}`)), ann);
        throw new Error('undone');
      });
      await assert.rejects(failing, { message: 'undone' });
      assert.equal(await find(`key${count}`), undefined);
    });
  });
}
