// Service keys without the service around them: keys that are given, and a watch while the database is away.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import { formatServiceKey, SERVICE_KEY_BYTES } from './service-key.ts';
import { createServiceKeys } from './service-keys.ts';
import { createServiceKeyStore } from './store.sql.ts';

const by = {
  actor: { id: null, name: 'test' },
  origin: { ipAddress: null, userAgent: null, frontEnd: 'default-app' },
  held: [],
  authorize: async () => [],
};

/** @param isAway whether the database cannot tell who has a key. */
async function prepare(context: TestContext, isAway = () => false) {
  const database = await openTestDatabase('sqlite');
  context.after(() => database.close());
  const store = createServiceKeyStore(database);
  const keys = createServiceKeys({
    database,
    store: { ...store, find: (mac) => (isAway() ? Promise.reject(new Error('away')) : store.find(mac)) },
    record: async () => {},
    secrets: createSecrets('a secret of at least thirty-two characters', systemRandom),
    clock: createManualClock(),
    random: systemRandom,
    onError: (error) => assert.fail(String(error)),
  });
  await keys.load();
  return keys;
}

it('a key that is given has the form of a key, and is no other’s', async (context) => {
  const keys = await prepare(context);
  const given = formatServiceKey(systemRandom.bytes(SERVICE_KEY_BYTES));
  const create = (name: string, key: string) => keys.create({ name, permissions: ['introspect'], key }, by);
  await assert.rejects(create('shop', given.slice(0, -1)), { reason: 'request.invalid' });
  assert.equal(await create('shop', given), given);
  await assert.rejects(create('stock', given), { reason: 'request.invalid' });
  assert.equal((await keys.authenticate(given, 'introspect')).name, 'shop');
});

it('a watch of a service key that cannot be begun fails, and is told nothing later', async (context) => {
  let isAway = false;
  const keys = await prepare(context, () => isAway);
  const key = await keys.create({ name: 'shop', permissions: ['introspect'] }, by);
  const { whenWithdrawn } = await keys.authenticate(key, 'introspect');
  isAway = true;
  const told: string[] = [];
  await assert.rejects(
    whenWithdrawn(() => void told.push('the one that failed')),
    /away/,
  );
  isAway = false;
  const withdrawn = Promise.withResolvers<void>();
  await whenWithdrawn(withdrawn.resolve);
  await keys.withdraw('shop', by);
  await withdrawn.promise;
  assert.deepEqual(told, []);
});
