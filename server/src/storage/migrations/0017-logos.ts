// Migration 17: the logos of front ends.
import type { Migration } from './migration.ts';

export const logos: Migration = {
  name: 'logos',
  async up(db) {
    await db.schema
      .createTable('logo')
      .addColumn('file_name', 'text', (column) => column.primaryKey())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('used_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
