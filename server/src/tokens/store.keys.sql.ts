// The key store in SQL.
import type { KeyStore } from './store.ts';

export function createKeyStore(): KeyStore {
  return {
    async readAll(on) {
      const rows = await on.selectFrom('signing_key').selectAll().orderBy('number').execute();
      return rows.map((row) => ({
        number: row.number,
        kid: row.kid,
        publicJwk: row.public_jwk,
        sealedPrivateKey: row.sealed_private_key,
        createdAt: row.created_at,
        activeFrom: row.active_from,
      }));
    },
    async add(on, key) {
      await on
        .insertInto('signing_key')
        .values({
          number: key.number,
          kid: key.kid,
          public_jwk: key.publicJwk,
          sealed_private_key: key.sealedPrivateKey,
          created_at: key.createdAt,
          active_from: key.activeFrom,
        })
        .execute();
    },
    async deleteBelow(on, number) {
      await on.deleteFrom('signing_key').where('number', '<', number).execute();
    },
  };
}
