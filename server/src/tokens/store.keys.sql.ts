// The key store in SQL.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** A signing key as stored. */
export type StoredKey = {
  number: number;
  kid: string;
  publicJwk: string;
  sealedPrivateKey: string;
  createdAt: Instant;
  activeFrom: Instant;
};

export type KeyStore = ReturnType<typeof createKeyStore>;

/** @param table `signing_key` has the keys of access tokens, `id_token_key` the RSA keys of ID tokens. */
export function createKeyStore(table: 'signing_key' | 'id_token_key' = 'signing_key') {
  return {
    /** Returns all keys, oldest first. */
    async readAll(on: Statements): Promise<StoredKey[]> {
      const rows = await on.selectFrom(table).selectAll().orderBy('number').execute();
      return rows.map((row) => ({
        number: row.number,
        kid: row.kid,
        publicJwk: row.public_jwk,
        sealedPrivateKey: row.sealed_private_key,
        createdAt: row.created_at,
        activeFrom: row.active_from,
      }));
    },
    /** Adds a key. @throws UniqueViolation when its number is used. */
    async add(on: Statements, key: StoredKey): Promise<void> {
      await on
        .insertInto(table)
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
    /** Deletes the keys below this number. */
    async deleteBelow(on: Statements, number: number): Promise<void> {
      await on.deleteFrom(table).where('number', '<', number).execute();
    },
  };
}
