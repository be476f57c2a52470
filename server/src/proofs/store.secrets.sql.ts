// The store of link secrets and reset tokens in SQL.
import type { Selectable } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, ResetTokenTable, Statements } from '../storage/database.ts';

/**
 * The keyed hash of a mailed link, which is a proof, or of a token, which sets a new password. Each works once. `method` is
 * the way to reset the password: a link (2), an SMS (4) or security questions (8).
 */
export type StoredSecret = {
  mac: string;
  kind: 'link' | 'token';
  method: 2 | 4 | 8;
  accountId: number | null;
  passwordVersion: number;
  expiresAt: Instant;
};

const toSecret = (row: Selectable<ResetTokenTable>): StoredSecret => ({
  mac: row.mac,
  kind: row.kind,
  method: row.method,
  accountId: row.account_id,
  passwordVersion: row.password_version,
  expiresAt: row.expires_at,
});

export type SecretStore = ReturnType<typeof createSecretStore>;

export function createSecretStore(database: Database) {
  return {
    async add(
      on: Statements,
      { mac, kind, method, accountId, passwordVersion, expiresAt }: StoredSecret,
    ): Promise<void> {
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

    async find(
      kind: StoredSecret['kind'],
      mac: string,
      now: Instant,
      on: Statements = database.sql,
    ): Promise<StoredSecret | undefined> {
      const row = await on
        .selectFrom('reset_token')
        .selectAll()
        .where('mac', '=', mac)
        .where('kind', '=', kind)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row && toSecret(row);
    },

    /** Deletes a link or token that has not expired. One of several parallel calls gets it. */
    async take(
      on: Statements,
      kind: StoredSecret['kind'],
      mac: string,
      now: Instant,
    ): Promise<StoredSecret | undefined> {
      const row = await on
        .deleteFrom('reset_token')
        .where('mac', '=', mac)
        .where('kind', '=', kind)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && toSecret(row);
    },

    /** Deletes the account's links or tokens, or both. */
    async deleteOfAccount(on: Statements, accountId: number, kind?: StoredSecret['kind']): Promise<void> {
      let query = on.deleteFrom('reset_token').where('account_id', '=', accountId);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      await query.execute();
    },

    async deleteOfMethod(on: Statements, method: 2 | 4 | 8): Promise<void> {
      await on.deleteFrom('reset_token').where('method', '=', method).execute();
    },

    /** Deletes up to `limit` links and tokens that expired before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      const past = database.sql.selectFrom('reset_token').select('mac').where('expires_at', '<', before).limit(limit);
      await database.sql.deleteFrom('reset_token').where('mac', 'in', past).execute();
    },
  };
}
