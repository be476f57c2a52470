// Migration 8: a session stores all methods of its sign-in, and a sign-in can wait for a second factor.
import type { Migration } from './migration.ts';

export const authenticationFlow: Migration = {
  name: 'authentication flow',
  async up(db) {
    // A list of one name is stored as that name, so no row changes.
    await db.schema.alterTable('session').renameColumn('method', 'amr').execute();
    await db.schema
      .createTable('login_flow')
      .addColumn('mac', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'bigint', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('front_end', 'text', (column) => column.notNull())
      .addColumn('completed', 'text', (column) => column.notNull())
      .addColumn('password_version', 'integer', (column) => column.notNull())
      .addColumn('lockout_subject', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('login_flow_account').on('login_flow').column('account_id').execute();
    await db.schema.createIndex('login_flow_expiry').on('login_flow').column('expires_at').execute();
  },
};
