// Migration 2: one-time pins and their budgets, the outbox, completed registrations.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const pinsAndMessages: Migration = {
  name: 'pins and messages',
  async up(db) {
    await db.schema
      .createTable('pin')
      .addColumn('operation_id', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('mac', 'text', (column) => column.notNull())
      .addColumn('account_id', 'bigint')
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('redeemed_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('pin_subject')
      .unique()
      .on('pin')
      .columns(['purpose', 'subject'])
      .where(sql.ref('redeemed_at'), 'is', null)
      .execute();
    await db.schema.createIndex('pin_expires_at').on('pin').column('expires_at').execute();
    await db.schema
      .createTable('pin_budget')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('used', 'integer', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('pin_budget_key', ['kind', 'subject'])
      .execute();
    await db.schema.createIndex('pin_budget_last_used_at').on('pin_budget').column('last_used_at').execute();
    await db.schema
      .createTable('message')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('means', 'text', (column) => column.notNull())
      .addColumn('template', 'text', (column) => column.notNull())
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('account_id', 'bigint')
      .addColumn('sealed_content', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('channel', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('settled_at', 'bigint')
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('doubtful_tries', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('message_due').on('message').columns(['state', 'means', 'due_at']).execute();
    await db.schema.createIndex('message_created_at').on('message').column('created_at').execute();
    await db.schema.alterTable('account').addColumn('registration_completed_at', 'bigint').execute();
  },
};
