// The key set: the public keys of the service, by id. An unknown id makes the verifier fetch the set again, but not often.
import { importJWK, type JWK } from 'jose';
import type { Service } from './service.ts';
import type { System } from './system.ts';

/** Tokens with unknown key ids fetch the key set at most this often, in milliseconds: anyone can send such tokens. */
const RELOAD_INTERVAL_MS = 2000;

export interface KeySet {
  /** Fetches the key set. Callers at the same time share a fetch. @throws Error */
  load(): Promise<void>;
  get(kid: string): CryptoKey | undefined;
  /** Returns the key, after a fetch if it is unknown and the last fetch is not recent. @throws Error if that fails. */
  find(kid: string): Promise<CryptoKey | undefined>;
}

export function createKeySet(service: Service, { elapsed }: Pick<System, 'elapsed'>): KeySet {
  let keys = new Map<string, CryptoKey>();
  let loading: Promise<void> | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;

  async function fetchKeys() {
    loadedAt = elapsed();
    try {
      keys = await importKeys(await service.readJson('/.well-known/jwks.json'));
      failure = undefined;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      loading = undefined;
    }
  }

  const load = () => {
    loading ??= fetchKeys();
    return loading;
  };

  return {
    load,
    get: (kid) => keys.get(kid),
    async find(kid) {
      const key = keys.get(kid);
      if (key) return key;
      if (loading || elapsed() - loadedAt >= RELOAD_INTERVAL_MS) await load();
      else if (failure) throw failure;
      return keys.get(kid);
    },
  };
}

/** Returns the keys that verify ES256, by id. Keys for anything else are left out. */
async function importKeys(keySet: unknown): Promise<Map<string, CryptoKey>> {
  const listed = typeof keySet === 'object' && keySet !== null && 'keys' in keySet ? keySet.keys : undefined;
  if (!Array.isArray(listed)) throw new Error('The service sent no key set.');
  const keys = new Map<string, CryptoKey>();
  for (const jwk of listed.filter(isEs256)) {
    const key = await importJWK(jwk, 'ES256');
    if ('algorithm' in key) keys.set(jwk.kid, key);
  }
  return keys;
}

function isEs256(jwk: JWK): jwk is JWK & { kid: string } {
  return jwk?.kty === 'EC' && jwk.crv === 'P-256' && jwk.d === undefined && typeof jwk.kid === 'string';
}
