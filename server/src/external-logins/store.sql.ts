// External logins in SQL.
import type { Selectable } from 'kysely';
import type { Random } from '../foundation/random.ts';
import type { ExternalLoginTable } from '../storage/database.ts';
import type { ExternalLogin, ExternalLoginStore } from './store.ts';

function toLogin(row: Selectable<ExternalLoginTable>): ExternalLogin {
  return {
    id: row.id,
    provider: row.provider,
    providerKey: row.provider_key,
    accountId: row.account_id,
    linkedAt: row.linked_at,
  };
}

export function createExternalLoginStore(random: Random): ExternalLoginStore {
  return {
    async find(on, { provider, providerKey }) {
      const row = await on
        .selectFrom('external_login')
        .select('account_id')
        .where('provider', '=', provider)
        .where('provider_key', '=', providerKey)
        .executeTakeFirst();
      return row?.account_id;
    },

    async add(on, { provider, providerKey, accountId, linkedAt }) {
      const row = await on
        .insertInto('external_login')
        .values({ id: random.uuid(), provider, provider_key: providerKey, account_id: accountId, linked_at: linkedAt })
        .onConflict((conflict) => conflict.columns(['provider', 'provider_key']).doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async list(on, accountId) {
      const rows = await on
        .selectFrom('external_login')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('linked_at')
        .orderBy('id')
        .execute();
      return rows.map(toLogin);
    },

    async remove(on, accountId, id) {
      const row = await on
        .deleteFrom('external_login')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && toLogin(row);
    },
  };
}
