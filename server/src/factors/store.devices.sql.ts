// Recovery codes and trusted devices in SQL.
import type { Database } from '../storage/database.ts';
import type { RecoveryCodeStore, TrustedDeviceStore } from './store.ts';

export function createRecoveryCodeStore(): RecoveryCodeStore {
  return {
    async count(on, accountId) {
      const row = await on
        .selectFrom('recovery_code')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async add(on, accountId, macs) {
      const rows = macs.map((mac) => ({ mac, account_id: accountId }));
      await on.insertInto('recovery_code').values(rows).execute();
    },

    async take(on, mac) {
      const row = await on.deleteFrom('recovery_code').where('mac', '=', mac).returning('mac').executeTakeFirst();
      return row !== undefined;
    },

    async removeAll(on, accountId) {
      await on.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
    },
  };
}

export function createTrustedDeviceStore(database: Database): TrustedDeviceStore {
  return {
    async add(on, { id, mac, accountId, frontEnd, name, createdAt, lastUsedAt, expiresAt }, most) {
      await on
        .insertInto('trusted_device')
        .values({
          id,
          mac,
          account_id: accountId,
          front_end: frontEnd,
          name,
          created_at: createdAt,
          last_used_at: lastUsedAt,
          expires_at: expiresAt,
        })
        .execute();
      const others = on
        .selectFrom('trusted_device')
        .select('id')
        .where('account_id', '=', accountId)
        .where('id', '<>', id);
      const newest = others
        .orderBy('created_at', 'desc')
        .orderBy('last_used_at', 'desc')
        .limit(most - 1);
      await on
        .deleteFrom('trusted_device')
        .where('account_id', '=', accountId)
        .where('id', '<>', id)
        .where('id', 'not in', newest)
        .execute();
    },

    async use(on, { accountId, mac, frontEnd, trustedSince, now }) {
      const row = await on
        .updateTable('trusted_device')
        .set({ last_used_at: now })
        .where('mac', '=', mac)
        .where('account_id', '=', accountId)
        .where('front_end', '=', frontEnd)
        .where('created_at', '>', trustedSince)
        .where('expires_at', '>', now)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async list(on, accountId, now) {
      const rows = await on
        .selectFrom('trusted_device')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .orderBy('last_used_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        mac: row.mac,
        accountId: row.account_id,
        frontEnd: row.front_end,
        name: row.name,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        expiresAt: row.expires_at,
      }));
    },

    async remove(on, accountId, id) {
      const row = await on
        .deleteFrom('trusted_device')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async removeOfAccount(on, accountId) {
      await on.deleteFrom('trusted_device').where('account_id', '=', accountId).execute();
    },

    async removeAll(on) {
      await on.deleteFrom('trusted_device').execute();
    },

    async deleteExpired(before, limit) {
      const old = database.sql.selectFrom('trusted_device').select('id').where('expires_at', '<', before).limit(limit);
      await database.sql.deleteFrom('trusted_device').where('id', 'in', old).execute();
    },
  };
}
