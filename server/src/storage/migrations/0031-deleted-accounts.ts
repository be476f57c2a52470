// Migration 31: the ids of deleted accounts, which no import gives again.
import { type Kysely, sql } from 'kysely';
import type { Migration } from './migration.ts';

export const deletedAccounts: Migration = {
  name: 'deleted accounts',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('deleted_account')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .execute();
    // Of accounts that were deleted before, the trail knows those that it still has entries of.
    await sql`insert into deleted_account (id) select distinct user_id from audit
      where action in ('account.deleted', 'account.erased') and user_id is not null
        and user_id not in (select id from account)`.execute(db);
  },
};
