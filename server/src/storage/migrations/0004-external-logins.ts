// Migration 4: the external logins of accounts.
import type { Migration } from './migration.ts';

export const externalLogins: Migration = {
  name: 'external logins',
  async up(db) {
    await db.schema
      .createTable('external_login')
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('provider_key', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      // An external login is deleted with its account.
      .addColumn('account_id', 'bigint', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('linked_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('external_login_key', ['provider', 'provider_key'])
      .execute();
    await db.schema.createIndex('external_login_account').on('external_login').column('account_id').execute();
  },
};
