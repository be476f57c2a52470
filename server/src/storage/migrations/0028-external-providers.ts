// Migration 28: external providers that administrators register at run time.
import type { Migration } from './migration.ts';

export const externalProviders: Migration = {
  name: 'external providers',
  async up(db) {
    await db.schema
      .createTable('external_provider')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull().unique())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('is_enabled', 'integer', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('sealed_secret', 'text')
      .addColumn('sealed_private_key', 'text')
      .addColumn('secret_expires_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
