// Migration 21: addresses that receive events, and the deliveries to them.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const webhooks: Migration = {
  name: 'webhooks',
  async up(db) {
    await db.schema
      .createTable('webhook')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('actions', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('is_enabled', 'integer', (column) => column.notNull())
      .addColumn('disabled_because', 'text')
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('sealed_former_secret', 'text')
      .addColumn('former_until', 'bigint')
      .addColumn('failing_since', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('webhook_delivery')
      .addColumn('id', 'text', (column) => column.primaryKey())
      // Without a reference: a node that does not know yet that the webhook was deleted must still be able to sign people in.
      .addColumn('webhook_id', 'text', (column) => column.notNull())
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('audit_id', 'bigint')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('last_status', 'integer')
      .addColumn('last_duration_ms', 'integer')
      .addColumn('last_error', 'text')
      .execute();
    await db.schema
      .createIndex('webhook_delivery_due')
      .on('webhook_delivery')
      .columns(['webhook_id', 'due_at'])
      .where(sql.ref('state'), '=', 'queued')
      .execute();
    await db.schema
      .createIndex('webhook_delivery_settled')
      .on('webhook_delivery')
      .columns(['webhook_id', 'created_at', 'id'])
      .where(sql.ref('state'), '!=', 'queued')
      .execute();
    await db.schema
      .createIndex('webhook_delivery_list')
      .on('webhook_delivery')
      .columns(['webhook_id', 'created_at', 'id'])
      .execute();
  },
};
