// Second factors in SQL.
import type { Database, FactorOperationTable } from '../storage/database.ts';
import type { AuthenticatorStore, FactorOperation, FactorOperationStore } from './store.ts';

export function createAuthenticatorStore(): AuthenticatorStore {
  return {
    async find(on, accountId) {
      const row = await on
        .selectFrom('authenticator')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (!row?.sealed_secret) return undefined;
      return { sealedSecret: row.sealed_secret, enrolledAt: row.enrolled_at, lastUsedAt: row.last_used_at };
    },

    async findOwners(on, accountIds) {
      const rows = await on
        .selectFrom('authenticator')
        .select('account_id')
        .where('account_id', 'in', accountIds)
        .where('sealed_secret', 'is not', null)
        .execute();
      return rows.map((row) => row.account_id);
    },

    async enroll(on, accountId, sealedSecret, step, now) {
      const enrolled = { sealed_secret: sealedSecret, last_step: step, enrolled_at: now, last_used_at: null };
      const row = await on
        .insertInto('authenticator')
        .values({ account_id: accountId, ...enrolled })
        .onConflict((conflict) =>
          conflict.column('account_id').doUpdateSet(enrolled).where('authenticator.last_step', '<', step),
        )
        .returning('account_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async useStep(on, accountId, step, now) {
      const row = await on
        .updateTable('authenticator')
        .set({ last_step: step, last_used_at: now })
        .where('account_id', '=', accountId)
        .where('sealed_secret', 'is not', null)
        .where('last_step', '<', step)
        .returning('account_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async remove(on, accountId) {
      const row = await on
        .updateTable('authenticator')
        .set({ sealed_secret: null })
        .where('account_id', '=', accountId)
        .where('sealed_secret', 'is not', null)
        .returning('account_id')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export function createFactorOperationStore(database: Database): FactorOperationStore {
  return {
    async add(on, { mac, purpose, accountId, content, expiresAt }) {
      const row = { mac, purpose, account_id: accountId, content, expires_at: expiresAt };
      await on.insertInto('factor_operation').values(row).execute();
    },

    async find(mac, now) {
      const row = await database.sql
        .selectFrom('factor_operation')
        .selectAll()
        .where('mac', '=', mac)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row && toOperation(row);
    },

    async take(on, mac, now) {
      const row = await on
        .deleteFrom('factor_operation')
        .where('mac', '=', mac)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && toOperation(row);
    },

    async deleteOfAccount(on, accountId, purpose) {
      let query = on.deleteFrom('factor_operation').where('account_id', '=', accountId);
      if (purpose !== undefined) query = query.where('purpose', '=', purpose);
      await query.execute();
    },

    async deleteAll(on) {
      await on.deleteFrom('factor_operation').execute();
    },

    async deleteExpired(before, limit) {
      const old = database.sql
        .selectFrom('factor_operation')
        .select('mac')
        .where('expires_at', '<', before)
        .limit(limit);
      await database.sql.deleteFrom('factor_operation').where('mac', 'in', old).execute();
    },
  };
}

const toOperation = (row: FactorOperationTable): FactorOperation => ({
  mac: row.mac,
  purpose: row.purpose,
  accountId: row.account_id,
  content: row.content,
  expiresAt: row.expires_at,
});
