// Migration 37: which account made a change. A user name may be another account's later.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const changedByAccount: Migration = {
  name: 'changed by account',
  async up(db) {
    for (const table of ['setting_value', 'setting_change', 'external_provider_change']) {
      await db.schema.alterTable(table).addColumn('changed_by_id', 'bigint').execute();
      // Before the name is another's: who has it now, and had an account then, is taken for who made the change.
      const changes = sql.table(table);
      await sql`
        update ${changes} set changed_by_id = account.id from account
        where account.user_name = ${changes}.changed_by and account.created_at <= ${changes}.changed_at`.execute(db);
    }
  },
};
