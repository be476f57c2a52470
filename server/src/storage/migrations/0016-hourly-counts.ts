// Migration 16: what happened, counted by hour, and indexes that count open sessions and locks.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const hourlyCounts: Migration = {
  name: 'hourly counts',
  async up(db) {
    await db.schema
      .createTable('hourly_count')
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('figure', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('hourly_count_key', ['hour', 'figure', 'part'])
      .execute();
    // Partial: a refresh changes none of their columns, so it does not write to them.
    await db.schema
      .createIndex('session_open')
      .on('session')
      .column('expires_at')
      .where(sql.ref('ended_at'), 'is', null)
      .execute();
    await db.schema
      .createIndex('lockout_locked')
      .on('lockout')
      .column('locked_until')
      .where(sql.ref('locked_until'), 'is not', null)
      .execute();
  },
};
