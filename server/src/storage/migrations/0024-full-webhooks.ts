// Migration 24: since when a webhook gets no new events, because too many wait for it.
import type { Migration } from './migration.ts';

export const fullWebhooks: Migration = {
  name: 'full webhooks',
  async up(db) {
    await db.schema.alterTable('webhook').addColumn('full_since', 'bigint').execute();
  },
};
