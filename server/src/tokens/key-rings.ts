// The key rings of a service: ES256 keys for tokens, and RSA keys for ID tokens once an application needs them.
import type { Tx } from '../storage/database.ts';
import { createKeyRing, type KeyRing, type KeyRingDeps, type Rotation } from './keys.ts';
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

  /** A compromise concerns both rings: their keys change in one transaction. */
  async function prepareRotation(options: Rotation) {
    const prepared = await own.prepareRotation(options);
    // Another node may have made the first key a moment ago.
    const isUsed = (await store.readAll(deps.database.sql)).length > 0;
    const preparedForIdTokens = isUsed ? await idTokenKeys.prepareRotation(options) : undefined;
    return async (tx: Tx) => {
      await preparedForIdTokens?.(tx);
      return prepared(tx);
    };
  }

  /** The key set of both rings, until one of them changes: verifiers read it often. */
  let published: ReturnType<KeyRing['publicKeys']> | undefined;
  for (const ring of [own, idTokenKeys])
    ring.onChange(() => {
      published = undefined;
    });

  const keys: KeyRing = {
    ...own,
    async load() {
      await own.load();
      await idTokenKeys.load();
    },
    publicKeys() {
      published ??= { keys: [own, idTokenKeys].flatMap((ring) => ring.publicKeys().keys) };
      return published;
    },
    prepareRotation,
    rotate: async (options) => deps.database.transaction(await prepareRotation(options)),
    async maintain() {
      await own.maintain();
      await idTokenKeys.maintain();
    },
  };
  return { keys, idTokenKeys };
}
