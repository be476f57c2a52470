// Migration 15: indexes for the lists of accounts, so that 100,000 accounts can be sorted and managed quickly.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * The time of the last sign-in has no index: each sign-in would write all indexes of the account on PostgreSQL, where it
 * now writes none.
 */
export const accountLists: Migration = {
  name: 'account lists',
  async up(db) {
    await db.schema.createIndex('account_surname').on('account').columns(['surname', 'id']).execute();
    await db.schema.createIndex('account_created').on('account').columns(['created_at', 'id']).execute();
    // Every change of an account reads the active administrators.
    await sql`create index account_administrator on account (id) where roles like '%"Administrator"%'`.execute(db);
  },
};
