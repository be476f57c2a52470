// Service keys without the service around them, on every engine.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { beside, engines, openTestDatabase } from '../../test/support/databases.ts';
import { untilWaiting } from '../../test/support/locks.ts';
import type { Manager } from '../foundation/authority.ts';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { Actor, Occurrence } from '../foundation/events.ts';
import type { Permission } from '../foundation/permissions.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { Database, Tx } from '../storage/database.ts';
import { formatServiceKey, SERVICE_KEY_BYTES } from './service-key.ts';
import { createServiceKeys, type ServiceKeys } from './service-keys.ts';
import { createServiceKeyStore, type ServiceKeyStore } from './store.sql.ts';

const MANAGING = ['manage', 'Pages.Users'] as const;
const actor: Actor = { id: null, name: 'test' };
const origin: Manager['origin'] = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
const holding = (...held: readonly string[]): Manager => ({ actor, origin, authorize: async () => held });
const by = holding();
const newKey = () => formatServiceKey(systemRandom.bytes(SERVICE_KEY_BYTES));

for (const engine of engines) {
  describe(`service keys by themselves on ${engine}`, () => {
    let database: Database;
    let clock: ManualClock;
    let keys: ServiceKeys;
    let recorded: Occurrence[];
    /** What is reported as having failed. */
    let failures: unknown[];
    /** What the store does in another way. */
    let changed: Partial<ServiceKeyStore>;

    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());
    beforeEach(async () => {
      clock = createManualClock();
      recorded = [];
      failures = [];
      changed = {};
      keys = createServiceKeys({
        database,
        store: withChanges(createServiceKeyStore(database)),
        record: async (_, occurrence) => void recorded.push(occurrence),
        secrets: createSecrets('a secret of at least thirty-two characters', systemRandom),
        clock,
        random: systemRandom,
        onError: (error) => void failures.push(error),
      });
      await keys.load();
    });
    afterEach(async () => void (await database.sql.deleteFrom('service_key').execute()));

    const withChanges = (store: ServiceKeyStore) =>
      new Proxy(store, { get: (own, name) => Reflect.get({ ...own, ...changed }, name) });

    const create = (name: string, key?: string) => keys.create({ name, permissions: ['introspect'], key }, by);
    const createManaging = (name: string) => keys.create({ name, permissions: MANAGING }, holding(...MANAGING));
    const namesInUse = async () => (await keys.list()).map(({ name }) => name);
    const lastUse = async () => (await keys.list())[0]?.lastUsedAt;
    async function findManager(key: string, permission: Permission = 'Pages.Users') {
      return (await keys.findManager(key, permission)) ?? assert.fail('no key that manages');
    }

    it('are listed without what is stored of their text, the oldest first', async () => {
      const later = { name: 'shop', permissions: ['introspect', 'audit'] as const };
      await create('stock');
      const madeAt = clock.now();
      clock.advance(1);
      await keys.create(later, by);
      await create('books');
      assert.deepEqual(await keys.list(), [
        { name: 'stock', permissions: ['introspect'], createdAt: madeAt, lastUsedAt: null },
        { name: 'books', permissions: ['introspect'], createdAt: clock.now(), lastUsedAt: null },
        { ...later, createdAt: clock.now(), lastUsedAt: null },
      ]);
    });

    it('have a text that the service makes, or the one that is given, which is no other’s', async () => {
      const given = newKey();
      await assert.rejects(create('shop', given.slice(0, -1)), { reason: 'request.invalid' });
      assert.equal(await create('shop', given), given);
      await assert.rejects(create('stock', given), { reason: 'request.invalid' });
      const made = await create('stock');
      const next = newKey();
      assert.equal(await create('books', next), next);
      assert.equal((await keys.authenticate(given, 'introspect')).name, 'shop');
      assert.equal((await keys.authenticate(made, 'introspect')).name, 'stock');
    });

    it('are made and withdrawn by whom they name in the trail, and only once', async () => {
      await keys.create({ name: 'shop', permissions: ['introspect', 'audit'] }, by);
      await assert.rejects(create('shop'), { reason: 'serviceKey.duplicate' });
      await keys.withdraw('shop', by);
      await assert.rejects(keys.withdraw('shop', by), { reason: 'serviceKey.notFound' });
      const entry = { outcome: 'success', user: actor, origin };
      const named = recorded.map(({ action, ...more }) => ({ action: action.name, ...more }));
      assert.deepEqual(named, [
        { action: 'serviceKey.created', ...entry, details: { name: 'shop', permissions: 'introspect audit' } },
        { action: 'serviceKey.withdrawn', ...entry, details: { name: 'shop' } },
      ]);
    });

    it('are not made when that fails in another way than by a name in use', async () => {
      changed = { add: () => Promise.reject(new Error('away')) };
      await assert.rejects(create('shop'), /away/);
    });

    it('are made by those only who hold what the key manages with', async () => {
      const input = { name: 'crm', permissions: MANAGING };
      for (const held of [[], ['users:resetPassword']]) {
        await assert.rejects(keys.create(input, holding(...held)), { reason: 'permission.denied' });
      }
      await assert.rejects(keys.create({ ...input, permissions: ['manage'] }, holding(...MANAGING)), {
        reason: 'request.invalid',
      });
      assert.deepEqual(await namesInUse(), []);
      await keys.create(input, holding('Pages.Users', 'users:resetPassword'));
      assert.deepEqual(await namesInUse(), ['crm']);
    });

    it('are not changed by a caller whose right has ended', async () => {
      await create('shop');
      const ended: Manager = { ...by, authorize: () => Promise.reject(new Error('ended')) };
      await assert.rejects(keys.create({ name: 'stock', permissions: ['audit'] }, ended), /ended/);
      await assert.rejects(keys.withdraw('shop', ended), /ended/);
      assert.deepEqual(await namesInUse(), ['shop']);
    });

    it('are changed as part of the transaction that the change joins', async () => {
      await create('shop');
      const undone = database.transaction(async (tx) => {
        await keys.create({ name: 'stock', permissions: ['audit'] }, { ...by, joins: tx });
        await keys.withdraw('shop', { ...by, joins: tx });
        assert.deepEqual(
          (await keys.list(tx)).map(({ name }) => name),
          ['stock'],
        );
        throw new Error('undone');
      });
      await assert.rejects(undone, /undone/);
      assert.deepEqual(await namesInUse(), ['shop']);
    });

    it('have marks that tell one key from another and reveal neither', async () => {
      const [shop, stock] = [await create('shop'), await create('stock')];
      await database.transaction(async (tx) => {
        const marks = await keys.readSecretMarks(tx);
        assert.deepEqual([...marks.keys()].sort(), ['shop', 'stock']);
        assert.notEqual(marks.get('shop'), marks.get('stock'));
        for (const mark of marks.values()) assert.ok(!mark.includes(shop.slice(4)) && !mark.includes(stock.slice(4)));
        assert.equal(await keys.isKey(tx, 'shop', shop), true);
        assert.equal(await keys.isKey(tx, 'shop', stock), false);
        assert.equal(await keys.isKey(tx, 'stock', shop), false);
      });
    });

    it('authenticate with the permission that they have, and nothing else does', async () => {
      const key = await create('shop');
      const { whenWithdrawn: _, ...shown } = await keys.authenticate(key, 'introspect');
      assert.deepEqual(shown, {
        ...{ name: 'shop', permissions: ['introspect'] },
        ...{ createdAt: clock.now(), lastUsedAt: null },
      });
      await assert.rejects(keys.authenticate(key, 'audit'), {
        reason: 'serviceKey.forbidden',
        by: { id: null, name: 'service key shop' },
      });
      let looks = 0;
      const { find } = createServiceKeyStore(database);
      changed = {
        find: (mac) => {
          looks += 1;
          return find(mac);
        },
      };
      for (const wrong of [undefined, '', key.slice(1), `${key}A`]) {
        await assert.rejects(keys.authenticate(wrong, 'introspect'), { reason: 'serviceKey.invalid' });
        assert.equal(await keys.findManager(wrong ?? '', 'Pages.Users'), undefined);
      }
      assert.equal(looks, 0);
      await assert.rejects(keys.authenticate(newKey(), 'introspect'), { reason: 'serviceKey.invalid' });
      assert.equal(looks, 1);
    });

    it('manage with the permissions that they have, and act while they are in use', async () => {
      const key = await createManaging('crm');
      const { actor: shown, held, authorize } = await findManager(key);
      assert.deepEqual([shown, held], [{ id: null, name: 'service key crm' }, ['Pages.Users']]);
      assert.equal(await lastUse(), clock.now());
      assert.deepEqual(await database.transaction((tx) => authorize(tx)), ['Pages.Users']);
      await assert.rejects(keys.findManager(key, 'users:resetPassword'), { reason: 'permission.denied', by: shown });
      assert.equal(await keys.findManager(await create('shop'), 'Pages.Users'), undefined);
      assert.equal(await keys.findManager(newKey(), 'Pages.Users'), undefined);
      const given = database.sql.updateTable('service_key').set({ permissions: 'manage users:resetPassword' });
      await given.where('name', '=', 'crm').execute();
      const acting = () => database.transaction((tx) => authorize(tx));
      await assert.rejects(acting(), { reason: 'permission.denied', by: shown });
      await keys.withdraw('crm', by);
      await assert.rejects(acting(), { reason: 'serviceKey.invalid' });
    });

    it('have their use recorded once a minute, and whenever it was not', async () => {
      const key = await create('shop');
      let writes = 0;
      const { recordUse } = createServiceKeyStore(database);
      const count = (write: ServiceKeyStore['recordUse']) => {
        changed = {
          recordUse: async (...given) => {
            writes += 1;
            await write(...given);
          },
        };
      };
      const use = () => keys.authenticate(key, 'introspect');
      count(() => Promise.reject(new Error('away')));
      await use();
      assert.deepEqual([writes, failures.map(String)], [1, ['Error: away']]);
      count(recordUse);
      clock.advance(59);
      await use();
      assert.deepEqual([writes, await lastUse()], [1, null]);
      clock.advance(1);
      await use();
      assert.deepEqual([writes, await lastUse()], [2, clock.now()]);
      clock.advance(60);
      await use();
      assert.deepEqual([writes, await lastUse()], [3, clock.now()]);
    });

    it('keep the use that was recorded first, of several that are recorded at once', async () => {
      await create('shop');
      const { readAll, recordUse } = createServiceKeyStore(database);
      const [{ mac } = assert.fail('no key')] = await readAll();
      let last: Instant | null = null;
      for (let use = 0; use < 2; use += 1) {
        clock.advance(1);
        const at = clock.now();
        await recordUse('another', { last, at });
        assert.equal(await lastUse(), last);
        await recordUse(mac, { last, at });
        assert.equal(await lastUse(), at);
        await recordUse(mac, { last, at: addSeconds(at, 1) });
        assert.equal(await lastUse(), at);
        last = at;
      }
    });

    it('tell those who watch of their withdrawal, once, and nobody else', async () => {
      const told: string[] = [];
      const watch = async (name: string) => {
        const { whenWithdrawn } = await keys.authenticate(await create(name), 'introspect');
        const isOver = Promise.withResolvers<void>();
        const stop = await whenWithdrawn(() => {
          told.push(name);
          isOver.resolve();
        });
        return { whenWithdrawn, stop, isOver: isOver.promise };
      };
      const [shop, stock, books] = [await watch('shop'), await watch('stock'), await watch('books')];
      stock.stop();
      await keys.withdraw('shop', by);
      await shop.isOver;
      await keys.withdraw('stock', by);
      await keys.withdraw('books', by);
      await books.isOver;
      assert.deepEqual(told, ['shop', 'books']);
      await shop.whenWithdrawn(() => void told.push('too late'));
      await create('another');
      await keys.load();
      assert.deepEqual(told, ['shop', 'books', 'too late']);
    });

    it('are not watched where the watch could not be begun', async () => {
      const { whenWithdrawn } = await keys.authenticate(await create('shop'), 'introspect');
      const told: string[] = [];
      changed = { find: () => Promise.reject(new Error('away')) };
      await assert.rejects(
        whenWithdrawn(() => void told.push('the one that failed')),
        /away/,
      );
      changed = {};
      const withdrawn = Promise.withResolvers<void>();
      await whenWithdrawn(withdrawn.resolve);
      await keys.withdraw('shop', by);
      await withdrawn.promise;
      assert.deepEqual(told, []);
    });

    if (engine === 'postgres') {
      /** Runs `first` in a transaction. Before it ends, `second` has begun and waits for it. */
      const waitsFor = async (first: Parameters<Database['transaction']>[0], second: () => Promise<unknown>) => {
        const ended: string[] = [];
        const waiting = await database.transaction(async (tx) => {
          await first(tx);
          const begun = beside(() => second().finally(() => ended.push('second')));
          await Promise.race([untilWaiting(database), begun]);
          ended.push('first');
          return { begun };
        });
        await waiting.begun;
        assert.deepEqual(ended, ['first', 'second']);
      };

      it('are withdrawn when those have ended who act with them', async () => {
        const { authorize } = await findManager(await createManaging('crm'));
        await waitsFor(authorize, () => keys.withdraw('crm', by));
        const next = await findManager(await createManaging('crm'));
        await waitsFor(next.authorize, () => database.transaction((tx) => keys.lock(tx)));
      });

      it('do not act while others are withdrawn, which is decided first', async () => {
        const { authorize } = await findManager(await createManaging('crm'));
        const act = () => database.transaction((tx) => authorize(tx));
        await waitsFor(keys.lock, act);
        let acted: Promise<unknown> = Promise.resolve();
        let hasEnded = false;
        const manager = {
          ...by,
          async authorize() {
            acted = beside(act).finally(() => {
              hasEnded = true;
            });
            acted.catch(() => {});
            await Promise.race([untilWaiting(database), acted]);
            assert.equal(hasEnded, false);
            return [];
          },
        };
        await keys.withdraw('crm', manager);
        await assert.rejects(acted, { reason: 'serviceKey.invalid' });
      });

      it('are not changed until a transaction ends that has listed them', async () => {
        await create('shop');
        await waitsFor(
          (tx) => keys.list(tx),
          () => create('stock'),
        );
        await waitsFor(
          (tx) => keys.list(tx),
          () => keys.withdraw('shop', by),
        );
      });

      it('are locked in one order, so that two who lock them do not wait for each other', async () => {
        const store = createServiceKeyStore(database);
        const key = { permissions: ['introspect'], createdAt: clock.now(), lastUsedAt: null } as const;
        for (const mac of ['b', 'a']) await store.add(database.sql, { ...key, mac, name: mac });
        const hold = (tx: Tx, mac: string) => tx.sql.selectFrom('service_key').where('mac', '=', mac).forUpdate();
        let locked: Promise<unknown> = Promise.resolve();
        await database.transaction(async (tx) => {
          await hold(tx, 'a').select('mac').execute();
          locked = beside(() => database.transaction((other) => keys.lock(other)));
          await untilWaiting(database);
          await hold(tx, 'b').select('mac').noWait().execute();
        });
        await locked;
      });
    }
  });
}
