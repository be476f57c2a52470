// Migration 14: the keys of other services.
import type { Migration } from './migration.ts';

export const serviceKeys: Migration = {
  name: 'service keys',
  async up(db) {
    await db.schema
      .createTable('service_key')
      .addColumn('mac', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('permissions', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
  },
};
