// Migration 37: which account made a change. A user name may be another account's later.
import type { Migration } from './migration.ts';

export const changedByAccount: Migration = {
  name: 'changed by account',
  async up(db) {
    // Null: an operator or a service key, or a row from before this column.
    for (const table of ['setting_value', 'setting_change', 'external_provider_change'])
      await db.schema.alterTable(table).addColumn('changed_by_id', 'bigint').execute();
  },
};
