// The store of link secrets and reset tokens in SQL.
import type { Selectable } from 'kysely';
import type { Database, ResetTokenTable } from '../storage/database.ts';
import type { SecretStore, StoredSecret } from './store.ts';

const toSecret = (row: Selectable<ResetTokenTable>): StoredSecret => ({
  mac: row.mac,
  kind: row.kind,
  method: row.method,
  accountId: row.account_id,
  passwordVersion: row.password_version,
  expiresAt: row.expires_at,
});

export function createSecretStore(database: Database): SecretStore {
  return {
    async add(on, { mac, kind, method, accountId, passwordVersion, expiresAt }) {
      await on
        .insertInto('reset_token')
        .values({
          mac,
          kind,
          method,
          account_id: accountId,
          password_version: passwordVersion,
          expires_at: expiresAt,
        })
        .execute();
    },

    async find(kind, mac, now, on = database.sql) {
      const row = await on
        .selectFrom('reset_token')
        .selectAll()
        .where('mac', '=', mac)
        .where('kind', '=', kind)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row && toSecret(row);
    },

    async take(on, kind, mac, now) {
      const row = await on
        .deleteFrom('reset_token')
        .where('mac', '=', mac)
        .where('kind', '=', kind)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && toSecret(row);
    },

    async deleteOfAccount(on, accountId, kind) {
      let query = on.deleteFrom('reset_token').where('account_id', '=', accountId);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      await query.execute();
    },

    async deleteOfMethod(on, method) {
      await on.deleteFrom('reset_token').where('method', '=', method).execute();
    },

    async deleteExpired(before, limit) {
      const past = database.sql.selectFrom('reset_token').select('mac').where('expires_at', '<', before).limit(limit);
      await database.sql.deleteFrom('reset_token').where('mac', 'in', past).execute();
    },
  };
}
