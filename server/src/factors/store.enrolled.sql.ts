// The passkeys of an account, in SQL.
import type { EnrolledPasskeyStore } from './store.ts';

export function createEnrolledPasskeyStore(): EnrolledPasskeyStore {
  return {
    async list(on, accountId) {
      const rows = await on
        .selectFrom('passkey')
        .select(['id', 'name', 'created_at', 'last_used_at', 'is_backed_up'])
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        isBackedUp: row.is_backed_up === 1,
      }));
    },

    async removeAll(on, accountId) {
      const rows = await on.deleteFrom('passkey').where('account_id', '=', accountId).returning('id').execute();
      return rows.length > 0;
    },
  };
}
