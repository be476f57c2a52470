// Authorization requests in SQL.
import type { Instant } from '../foundation/clock.ts';
import type { Database, Statements } from '../storage/database.ts';

/** A request that the service has made for a browser. */
export type StoredRequest = {
  /** Keyed hash of the secret that the browser holds. */
  readonly mac: string;
  /** What tells the provider: the name of one of code, or the source of a registered one. */
  readonly provider: string;
  /** Exactly as in the request. */
  readonly redirectUri: string;
  readonly expiresAt: Instant;
};

export type AuthorizationRequestStore = ReturnType<typeof createAuthorizationRequestStore>;

export function createAuthorizationRequestStore(database: Database) {
  return {
    async add(on: Statements, { mac, provider, redirectUri, expiresAt }: StoredRequest): Promise<void> {
      await on
        .insertInto('authorization_request')
        .values({ mac, provider, redirect_uri: redirectUri, expires_at: expiresAt })
        .execute();
    },

    /** Deletes a request to this provider that has not expired. @returns it to exactly one of several parallel calls. */
    async take(on: Statements, mac: string, provider: string, now: Instant): Promise<StoredRequest | undefined> {
      const row = await on
        .deleteFrom('authorization_request')
        .where('mac', '=', mac)
        .where('provider', '=', provider)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && { mac, provider, redirectUri: row.redirect_uri, expiresAt: row.expires_at };
    },

    /** Deletes up to `limit` requests that expired before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      const expired = database.sql
        .selectFrom('authorization_request')
        .select('mac')
        .where('expires_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('authorization_request').where('mac', 'in', expired).execute();
    },
  };
}
