// The client assertions that were used, in SQL.
import type { Instant } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';

export type AssertionStore = ReturnType<typeof createAssertionStore>;

export function createAssertionStore(database: Database) {
  const { sql } = database;
  return {
    /** Notes the use of an assertion. @throws UniqueViolation if it was used before. */
    async use(mac: string, expiresAt: Instant): Promise<void> {
      await sql.insertInto('used_client_assertion').values({ mac, expires_at: expiresAt }).execute();
    },
    /** Deletes up to `limit` assertions that have expired. @returns how many. */
    async deleteExpired(now: Instant, limit: number): Promise<number> {
      const used = sql
        .selectFrom('used_client_assertion')
        .select('mac')
        .where('expires_at', '<', now)
        .limit(limit)
        .$call(database.skipLocked);
      const { numDeletedRows } = await sql
        .deleteFrom('used_client_assertion')
        .where('mac', 'in', used)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
