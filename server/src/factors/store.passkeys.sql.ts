// Passkeys in SQL.
import type { Database, PasskeyTable } from '../storage/database.ts';
import type { PasskeyStore, StoredPasskey } from './store.ts';

export function createPasskeyStore(database: Database): PasskeyStore {
  return {
    async list(on, accountId) {
      const rows = await on
        .selectFrom('passkey')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toPasskey);
    },

    async findOwners(on, accountIds) {
      const rows = await on
        .selectFrom('passkey')
        .select('account_id')
        .distinct()
        .where('account_id', 'in', accountIds)
        .execute();
      return rows.map((row) => row.account_id);
    },

    async findByCredential(on, credentialId) {
      const row = await on
        .selectFrom('passkey')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst();
      return row && toPasskey(row);
    },

    async add(on, passkey) {
      const row = await on
        .insertInto('passkey')
        .values({
          id: passkey.id,
          account_id: passkey.accountId,
          credential_id: passkey.credentialId,
          public_key: passkey.publicKey,
          sign_count: passkey.signCount,
          transports: passkey.transports.join(' '),
          rp_id: passkey.rpId,
          name: passkey.name,
          is_backed_up: passkey.isBackedUp ? 1 : 0,
          created_at: passkey.createdAt,
          last_used_at: passkey.lastUsedAt,
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async rename(on, accountId, id, name) {
      const row = await on
        .updateTable('passkey')
        .set({ name })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async remove(on, accountId, id) {
      const row = await on
        .deleteFrom('passkey')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async removeAll(on, accountId) {
      const rows = await on.deleteFrom('passkey').where('account_id', '=', accountId).returning('id').execute();
      return rows.length > 0;
    },

    async recordUse(on, { id, signCount, isBackedUp, now }) {
      const row = await on
        .updateTable('passkey')
        .set({ sign_count: signCount, is_backed_up: isBackedUp ? 1 : 0, last_used_at: now })
        .where('id', '=', id)
        // 0 twice: the authenticator does not count.
        .where((eb) => (signCount === 0 ? eb('sign_count', '=', 0) : eb('sign_count', '<', signCount)))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async useOperation(on, mac, expiresAt) {
      const row = await on
        .insertInto('used_assertion')
        .values({ mac, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('mac').doNothing())
        .returning('mac')
        .executeTakeFirst();
      return row !== undefined;
    },

    async deleteExpired(before, limit) {
      const old = database.sql.selectFrom('used_assertion').select('mac').where('expires_at', '<', before).limit(limit);
      await database.sql.deleteFrom('used_assertion').where('mac', 'in', old).execute();
    },
  };
}

const toPasskey = (row: PasskeyTable): StoredPasskey => ({
  id: row.id,
  accountId: row.account_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  signCount: row.sign_count,
  transports: row.transports === '' ? [] : row.transports.split(' '),
  rpId: row.rp_id,
  name: row.name,
  isBackedUp: row.is_backed_up === 1,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});
