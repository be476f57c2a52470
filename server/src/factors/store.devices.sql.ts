// Recovery codes and trusted devices in SQL.
import { inChunks } from '../foundation/batch.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Database, Statements } from '../storage/database.ts';

export type StoredDevice = {
  id: string;
  mac: string;
  accountId: number;
  frontEnd: string;
  name: string;
  createdAt: Instant;
  lastUsedAt: Instant;
  expiresAt: Instant;
};

export type RecoveryCodeStore = ReturnType<typeof createRecoveryCodeStore>;

export function createRecoveryCodeStore() {
  return {
    async count(on: Statements, accountId: number): Promise<number> {
      const row = await on
        .selectFrom('recovery_code')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async add(on: Statements, accountId: number, macs: readonly string[]): Promise<void> {
      const rows = macs.map((mac) => ({ mac, account_id: accountId }));
      await on.insertInto('recovery_code').values(rows).execute();
    },

    /** Deletes a code, whose MAC is bound to its account. @returns `true` to one of several parallel calls. */
    async take(on: Statements, mac: string): Promise<boolean> {
      const row = await on.deleteFrom('recovery_code').where('mac', '=', mac).returning('mac').executeTakeFirst();
      return row !== undefined;
    },

    async removeAll(on: Statements, accountId: number): Promise<void> {
      await on.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
    },
  };
}

export type TrustedDeviceStore = ReturnType<typeof createTrustedDeviceStore>;

export function createTrustedDeviceStore(database: Database) {
  return {
    /**
     * Adds a device, and removes the account's oldest ones until `most` are left. The transaction has locked the account, so
     * that parallel calls do not exceed it.
     */
    async add(
      on: Statements,
      { id, mac, accountId, frontEnd, name, createdAt, lastUsedAt, expiresAt }: StoredDevice,
      most: number,
    ): Promise<void> {
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

    /** Records the use of a device that has not expired, and is trusted since then or later. @returns whether there is one. */
    async use(
      on: Statements,
      {
        accountId,
        mac,
        frontEnd,
        trustedSince,
        now,
      }: { accountId: number; mac: string; frontEnd: string; trustedSince: Instant; now: Instant },
    ): Promise<boolean> {
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

    /** Returns the devices that have not expired, last used first. */
    async list(on: Statements, accountId: number, now: Instant): Promise<StoredDevice[]> {
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

    async remove(on: Statements, accountId: number, id: string): Promise<boolean> {
      const row = await on
        .deleteFrom('trusted_device')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async removeOfAccount(on: Statements, accountId: number | readonly number[]): Promise<void> {
      const whose = [accountId].flat();
      await database.lockInOrder(on.selectFrom('trusted_device').select('id').where('account_id', 'in', whose));
      await on.deleteFrom('trusted_device').where('account_id', 'in', whose).execute();
    },

    async removeAll(on: Statements): Promise<void> {
      await inChunks(async (most) => {
        // Mutation: `.limit(most)` becomes nothing. All are deleted at once.
        const some = on.selectFrom('trusted_device').select('id').limit(most);
        await database.lockInOrder(some);
        const inOrder = some.orderBy('id');
        // Mutation: `.where('id', 'in', inOrder)` becomes nothing. All are deleted at once.
        return (await on.deleteFrom('trusted_device').where('id', 'in', inOrder).executeTakeFirst()).numDeletedRows;
      });
    },

    /** Moves the devices of a front end to its new key, or with null deletes them. */
    async moveFrontEnd(on: Statements, from: string, to: string | null): Promise<void> {
      await inChunks(async (most) => {
        // Mutation: `.limit(most)` becomes nothing. All are moved or deleted at once.
        const some = on.selectFrom('trusted_device').select('id').where('front_end', '=', from).limit(most);
        await database.lockInOrder(some);
        const inOrder = some.orderBy('id');
        if (to === null) {
          return (await on.deleteFrom('trusted_device').where('id', 'in', inOrder).executeTakeFirst()).numDeletedRows;
        }
        const moved = on.updateTable('trusted_device').set({ front_end: to }).where('id', 'in', inOrder);
        return (await moved.executeTakeFirst()).numUpdatedRows;
      });
    },

    /** Deletes up to `limit` devices that expired before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('trusted_device')
        .select('id')
        .where('expires_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('trusted_device').where('id', 'in', old).execute();
    },
  };
}
