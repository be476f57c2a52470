// The contract of the store of registered providers, on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { type Instant, toInstant } from '../foundation/clock.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Database } from '../storage/database.ts';
import {
  createExternalProviderStore,
  type ExternalProviderStore,
  type ProviderChange,
  type StoredProvider,
} from './store.external-providers.sql.ts';

const NOW = toInstant(1_767_225_600_000);

const provider = (name: string, createdAt: Instant = NOW): StoredProvider => ({
  id: `id of ${name}`,
  type: 'oauth2',
  name,
  displayName: `${name} & more`,
  isEnabled: true,
  clientId: 'client',
  issuer: null,
  tenant: null,
  endpoints: {
    authorization: 'https://a.example',
    token: 'https://t.example',
    userinfo: 'https://u.example',
    emails: null,
  },
  scopes: ['email'],
  authorizationParameters: { prompt: 'login' },
  claims: { providerKey: 'id' },
  emailTrust: 'always',
  allowedDomains: ['example.org'],
  registersNewUsers: false,
  roleForNewUsers: 'Staff',
  secretExpiresAt: toInstant(NOW + 1),
  teamId: null,
  keyId: null,
  createdAt,
  sealedSecret: 'sealed',
  sealedPrivateKey: null,
  untrustedSince: null,
});

const change = (number: number): ProviderChange => ({
  number,
  at: toInstant(NOW + number),
  by: number % 2 ? 'ann' : null,
  changes: [{ member: 'scopes', oldValue: ['email'], newValue: [String(number)] }],
});

/** The same, as it is stored: with the account. */
const made = (number: number) => ({ ...change(number), by: { id: number, name: change(number).by } });

for (const engine of engines) {
  describe(`registered providers on ${engine}`, () => {
    let database: Database;
    let store: ExternalProviderStore;
    before(async () => {
      database = await openTestDatabase(engine);
      store = createExternalProviderStore(database);
    });
    after(() => database.close());

    it('come back as they were stored, the oldest first, until they are removed', async () => {
      const [younger, older] = [provider('younger', toInstant(NOW + 1)), provider('older')];
      for (const one of [younger, older]) await store.add(database.sql, one);
      assert.deepEqual(await store.readAll(database.sql), [older, younger]);
      const changed = { ...older, isEnabled: false, secretExpiresAt: null, sealedSecret: null, claims: {} };
      await database.transaction(async (tx) => {
        assert.deepEqual(await store.findForUpdate(tx.sql, older.id), older);
        await store.replace(tx.sql, changed, made(1));
      });
      assert.deepEqual(await store.readChanges(older.id), [change(1)]);
      assert.deepEqual(await store.find(older.id), changed);
      assert.deepEqual(await store.find(younger.id), younger);
      for (const { id } of [younger, older]) await store.remove(database.sql, id);
      assert.equal(await store.find(older.id), undefined);
      assert.deepEqual(await store.readAll(database.sql), []);
    });

    it('keep their latest changes, the newest first, and take them along', async () => {
      const one = provider('changed');
      await store.add(database.sql, one);
      for (let count = 1; count <= 203; count += 1)
        await database.transaction((tx) => store.replace(tx.sql, one, made(count)));
      const kept = await store.readChanges(one.id);
      assert.deepEqual([kept.length, kept[0], kept.at(-1)], [200, change(203), change(4)]);
      await store.remove(database.sql, one.id);
      assert.deepEqual(await store.readChanges(one.id), []);
    });

    it('have a name that is taken in every spelling, by one of several at once', async () => {
      const spellings = ['Acme', 'ACME', 'acme', 'Ａｃｍｅ'];
      const tries = spellings.map((name) =>
        database.transaction(async (tx) => store.add(tx.sql, { ...provider(name), id: name })),
      );
      const refused = (await Promise.allSettled(tries)).filter(({ status }) => status === 'rejected');
      assert.equal(refused.length, spellings.length - 1);
      for (const one of refused) assert.ok('reason' in one && one.reason instanceof UniqueViolation);
      assert.equal((await store.readAll(database.sql)).length, 1);
    });
  });
}
