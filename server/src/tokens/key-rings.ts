// The key rings of a service: ES256 keys for tokens, and RSA keys for ID tokens once an application needs them.
import { createKeyRing, type KeyRing, type KeyRingDeps } from './keys.ts';
import { createKeyStore } from './store.keys.sql.ts';

export type KeyRings = {
  /** The ES256 keys. What publishes, rotates or deletes keys does it for both rings. */
  readonly keys: KeyRing;
  /** The RSA keys. There are none before `ensure`. */
  readonly idTokenKeys: KeyRing;
};

export function createKeyRings(deps: Omit<KeyRingDeps, 'store' | 'algorithm'>): KeyRings {
  const store = createKeyStore('id_token_key');
  const own = createKeyRing({ ...deps, store: createKeyStore() });
  const idTokenKeys = createKeyRing({ ...deps, store, algorithm: 'RS256', readHeaderType: () => 'JWT' });
  const keys: KeyRing = {
    ...own,
    async load() {
      await own.load();
      await idTokenKeys.load();
    },
    publicKeys: () => ({ keys: [own, idTokenKeys].flatMap((ring) => ring.publicKeys().keys) }),
    async rotate(options) {
      // Another node may have made the first key a moment ago.
      if ((await store.readAll(deps.database.sql)).length > 0) await idTokenKeys.rotate(options);
      return own.rotate(options);
    },
    async maintain() {
      await own.maintain();
      await idTokenKeys.maintain();
    },
  };
  return { keys, idTokenKeys };
}
