// Migration 32: an index that says which accounts have an open session, so that SQLite filters 100,000 accounts quickly.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const openSessions: Migration = {
  name: 'open sessions',
  async up(db) {
    // Partial: a refresh changes none of its columns, so it does not write to it.
    await db.schema
      .createIndex('session_open_account')
      .ifNotExists()
      .on('session')
      .columns(['account_id', 'expires_at'])
      .where(sql.ref('ended_at'), 'is', null)
      .execute();
  },
};
