// Sign-ins that wait for a second factor, in SQL.
import type { Selectable } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, LoginFlowTable, Statements } from '../storage/database.ts';

/** A sign-in whose first factor was right. */
export type LoginFlow = {
  /** Keyed hash of the challenge token. */
  mac: string;
  accountId: number;
  frontEnd: string;
  /** Names of the methods that were right. */
  completed: readonly string[];
  /**
   * The account's password version when the first factor was right. A new password or address, activation and
   * deactivation change it, and so end the flow.
   */
  passwordVersion: number;
  /** The subject whose failures are cleared when the sign-in is complete. */
  lockoutSubject: string;
  expiresAt: Instant;
};

const toLoginFlow = (row: Selectable<LoginFlowTable>): LoginFlow => ({
  mac: row.mac,
  accountId: row.account_id,
  frontEnd: row.front_end,
  completed: row.completed.split(' '),
  passwordVersion: row.password_version,
  lockoutSubject: row.lockout_subject,
  expiresAt: row.expires_at,
});

export type LoginFlowStore = ReturnType<typeof createLoginFlowStore>;

export function createLoginFlowStore(database: Database) {
  return {
    async add(
      on: Statements,
      { mac, accountId, frontEnd, completed, passwordVersion, lockoutSubject, expiresAt }: LoginFlow,
    ): Promise<void> {
      await on
        .insertInto('login_flow')
        .values({
          mac,
          account_id: accountId,
          front_end: frontEnd,
          completed: completed.join(' '),
          password_version: passwordVersion,
          lockout_subject: lockoutSubject,
          expires_at: expiresAt,
        })
        .execute();
    },

    async find(on: Statements, mac: string, now: Instant): Promise<LoginFlow | undefined> {
      const row = await on
        .selectFrom('login_flow')
        .selectAll()
        .where('mac', '=', mac)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row && toLoginFlow(row);
    },

    async deleteOfAccount(on: Statements, accountId: number | readonly number[]): Promise<void> {
      await on.deleteFrom('login_flow').where('account_id', 'in', [accountId].flat()).execute();
    },

    async deleteAll(on: Statements): Promise<void> {
      await on.deleteFrom('login_flow').execute();
    },

    /** Deletes a flow that has not expired. @returns `true` to exactly one of several parallel calls. */
    async take(on: Statements, mac: string, now: Instant): Promise<boolean> {
      const row = await on
        .deleteFrom('login_flow')
        .where('mac', '=', mac)
        .where('expires_at', '>', now)
        .returning('mac')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Deletes up to `limit` flows that expired before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      const expired = database.sql
        .selectFrom('login_flow')
        .select('mac')
        .where('expires_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('login_flow').where('mac', 'in', expired).execute();
    },
  };
}
