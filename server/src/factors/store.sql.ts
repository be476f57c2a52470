// Second factors in SQL.
import type { Instant } from '../foundation/clock.ts';
import type { Database, FactorOperationTable, Statements } from '../storage/database.ts';

export type Authenticator = { sealedSecret: string; enrolledAt: Instant; lastUsedAt: Instant | null };

/** What an operation is for. The content of one purpose is never accepted for another. */
export type FactorPurpose = 'enroll-authenticator' | 'register-passkey';

export type FactorOperation = {
  mac: string;
  purpose: FactorPurpose;
  accountId: number;
  content: string;
  expiresAt: Instant;
};

export type AuthenticatorStore = ReturnType<typeof createAuthenticatorStore>;

export function createAuthenticatorStore() {
  return {
    async find(on: Statements, accountId: number): Promise<Authenticator | undefined> {
      const row = await on
        .selectFrom('authenticator')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (!row?.sealed_secret) return undefined;
      return { sealedSecret: row.sealed_secret, enrolledAt: row.enrolled_at, lastUsedAt: row.last_used_at };
    },

    /** Returns those of the accounts that have one. */
    async findOwners(on: Statements, accountIds: readonly number[]): Promise<number[]> {
      const rows = await on
        .selectFrom('authenticator')
        .select('account_id')
        .where('account_id', 'in', accountIds)
        .where('sealed_secret', 'is not', null)
        .execute();
      return rows.map((row) => row.account_id);
    },

    /** Returns the authenticators of the accounts that have one. */
    async findAll(on: Statements, accountIds: readonly number[]): Promise<(Authenticator & { accountId: number })[]> {
      const rows = await on
        .selectFrom('authenticator')
        .select(['account_id', 'sealed_secret', 'enrolled_at', 'last_used_at'])
        .where('account_id', 'in', accountIds)
        .execute();
      return rows.flatMap(({ account_id: accountId, sealed_secret: sealedSecret, enrolled_at, last_used_at }) =>
        sealedSecret === null ? [] : [{ accountId, sealedSecret, enrolledAt: enrolled_at, lastUsedAt: last_used_at }],
      );
    },

    /** Adds authenticators of accounts that have never had one. `step` counts as used. */
    async add(
      on: Statements,
      authenticators: readonly { accountId: number; sealedSecret: string; enrolledAt: Instant }[],
      step: number,
    ): Promise<void> {
      const rows = authenticators.map(({ accountId, sealedSecret, enrolledAt }) => ({
        account_id: accountId,
        sealed_secret: sealedSecret,
        last_step: step,
        enrolled_at: enrolledAt,
        last_used_at: null,
      }));
      await on.insertInto('authenticator').values(rows).execute();
    },

    /**
     * Enrolls an authenticator with the step of its first code, in place of a former one.
     * @returns `false` if the account has used this step or a later one.
     */
    async enroll(
      on: Statements,
      accountId: number,
      sealedSecret: string,
      step: number,
      now: Instant,
    ): Promise<boolean> {
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

    /** Uses up a step. @returns `true` to one of several parallel calls, `false` if this or a later step is used. */
    async useStep(on: Statements, accountId: number, step: number, now: Instant): Promise<boolean> {
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

    /** @returns whether there was one. */
    async remove(on: Statements, accountId: number): Promise<boolean> {
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

export type FactorOperationStore = ReturnType<typeof createFactorOperationStore>;

export function createFactorOperationStore(database: Database) {
  return {
    async add(on: Statements, { mac, purpose, accountId, content, expiresAt }: FactorOperation): Promise<void> {
      const row = { mac, purpose, account_id: accountId, content, expires_at: expiresAt };
      await on.insertInto('factor_operation').values(row).execute();
    },

    /** Returns an operation that has not expired. */
    async find(mac: string, now: Instant): Promise<FactorOperation | undefined> {
      const row = await database.sql
        .selectFrom('factor_operation')
        .selectAll()
        .where('mac', '=', mac)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row && toOperation(row);
    },

    /** Deletes an operation that has not expired. @returns it to one of several parallel calls. */
    async take(on: Statements, mac: string, now: Instant): Promise<FactorOperation | undefined> {
      const row = await on
        .deleteFrom('factor_operation')
        .where('mac', '=', mac)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && toOperation(row);
    },

    async deleteOfAccount(
      on: Statements,
      accountId: number | readonly number[],
      purpose?: FactorPurpose,
    ): Promise<void> {
      let query = on.deleteFrom('factor_operation').where('account_id', 'in', [accountId].flat());
      if (purpose !== undefined) query = query.where('purpose', '=', purpose);
      await query.execute();
    },

    async deleteAll(on: Statements): Promise<void> {
      await on.deleteFrom('factor_operation').execute();
    },

    /** Deletes up to `limit` operations that expired before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('factor_operation')
        .select('mac')
        .where('expires_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
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
