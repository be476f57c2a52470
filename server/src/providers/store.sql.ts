// Authorization requests in SQL.
import type { Database } from '../storage/database.ts';
import type { AuthorizationRequestStore } from './store.ts';

export function createAuthorizationRequestStore(database: Database): AuthorizationRequestStore {
  return {
    async add(on, { mac, provider, redirectUri, expiresAt }) {
      await on
        .insertInto('authorization_request')
        .values({ mac, provider, redirect_uri: redirectUri, expires_at: expiresAt })
        .execute();
    },

    async take(on, mac, provider, now) {
      const row = await on
        .deleteFrom('authorization_request')
        .where('mac', '=', mac)
        .where('provider', '=', provider)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && { mac, provider, redirectUri: row.redirect_uri, expiresAt: row.expires_at };
    },

    async deleteExpired(before, limit) {
      const expired = database.sql
        .selectFrom('authorization_request')
        .select('mac')
        .where('expires_at', '<', before)
        .limit(limit);
      await database.sql.deleteFrom('authorization_request').where('mac', 'in', expired).execute();
    },
  };
}
