// Migration 29: the history of external providers that administrators register.
import type { Migration } from './migration.ts';

export const externalProviderChanges: Migration = {
  name: 'external provider changes',
  async up(db) {
    await db.schema
      .createTable('external_provider_change')
      .addColumn('provider_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('changes', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_by', 'text')
      .addPrimaryKeyConstraint('external_provider_change_key', ['provider_id', 'number'])
      .execute();
  },
};
