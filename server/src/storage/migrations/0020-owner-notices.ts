// Migration 20: the changes that an address of an account was not told so far.
import type { Migration } from './migration.ts';

export const ownerNotices: Migration = {
  name: 'owner notices',
  async up(db) {
    await db.schema
      .createTable('owner_notice')
      .addColumn('account_id', 'bigint', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('means', 'text', (column) => column.notNull())
      .addColumn('waiting', 'text', (column) => column.notNull())
      .addColumn('front_end', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('owner_notice_key', ['account_id', 'recipient'])
      .execute();
    await db.schema.createIndex('owner_notice_due_at').on('owner_notice').column('due_at').execute();
  },
};
