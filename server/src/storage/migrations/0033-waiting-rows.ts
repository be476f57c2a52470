// Migration 33: indexes for the jobs that look each few seconds for what has expired, or waits too long, among many other rows.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const waitingRows: Migration = {
  name: 'waiting rows',
  async up(db) {
    await db.schema
      .createIndex('application_request_created')
      .ifNotExists()
      .on('application_request')
      .column('created_at')
      .execute();
    await db.schema
      .createIndex('application_grant_open_expires')
      .ifNotExists()
      .on('application_grant')
      .column('expires_at')
      .where(sql.ref('ended_at'), 'is', null)
      .execute();
  },
};
