// The store of one-time secrets in SQL: the keyed hashes of links, which are proofs, and of tokens.
import type { NotNull } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, ResetTokenTable, Statements } from '../storage/database.ts';

type StoredSecret = {
  mac: string;
  kind: ResetTokenTable['kind'];
  method: number;
  accountId: number | null;
  passwordVersion: number;
  expiresAt: Instant;
};

export type SecretStore = ReturnType<typeof createSecretStore>;

export function createSecretStore(database: Database) {
  return {
    async add(on: Statements, { accountId, passwordVersion, expiresAt, ...secret }: StoredSecret): Promise<void> {
      const row = { ...secret, account_id: accountId, password_version: passwordVersion, expires_at: expiresAt };
      await on.insertInto('reset_token').values(row).execute();
    },

    /** Finds the account, password version and method of a token that has not expired. */
    async findToken(mac: string, now: Instant, on: Statements = database.sql) {
      return (
        on
          .selectFrom('reset_token')
          .select(['account_id as accountId', 'password_version as passwordVersion', 'method'])
          .where('mac', '=', mac)
          .where('kind', '=', 'token')
          .where('expires_at', '>', now)
          // Each token has an account.
          .$narrowType<{ accountId: NotNull }>()
          .executeTakeFirst()
      );
    },

    /** Deletes a link or token that has not expired. One of several parallel calls gets it. @returns whether this one did. */
    async take(on: Statements, kind: StoredSecret['kind'], mac: string, now: Instant): Promise<boolean> {
      const { numDeletedRows } = await on
        .deleteFrom('reset_token')
        .where('mac', '=', mac)
        .where('kind', '=', kind)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Whether there is a link with this keyed hash. */
    async hasLink(mac: string, now: Instant): Promise<boolean> {
      const link = database.sql
        .selectFrom('reset_token')
        .select('kind')
        .where('mac', '=', mac)
        .where('kind', '=', 'link');
      return (await link.where('expires_at', '>', now).executeTakeFirst()) !== undefined;
    },

    /** Finds the latest end of the account's links. */
    async findLinkEnd(
      { accountId, passwordVersion }: { accountId: number; passwordVersion: number },
      now: Instant,
    ): Promise<Instant | undefined> {
      const row = await database.sql
        .selectFrom('reset_token')
        .select('expires_at')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'link')
        .where('password_version', '=', passwordVersion)
        .where('expires_at', '>', now)
        .orderBy('expires_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.expires_at;
    },

    async deleteLinksOfAccount(on: Statements, accountId: number, method: number): Promise<void> {
      await on
        .deleteFrom('reset_token')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'link')
        .where('method', '=', method)
        .execute();
    },

    async deleteOfAccount(on: Statements, accountId: number): Promise<void> {
      await on.deleteFrom('reset_token').where('account_id', '=', accountId).execute();
    },

    async deleteOfMethod(on: Statements, method: number): Promise<void> {
      await on.deleteFrom('reset_token').where('method', '=', method).execute();
    },

    /** Deletes up to `limit` links and tokens that expired before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      const past = database.sql
        .selectFrom('reset_token')
        .select('mac')
        .where('expires_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('reset_token').where('mac', 'in', past).execute();
    },
  };
}
