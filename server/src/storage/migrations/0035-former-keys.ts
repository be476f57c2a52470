// Migration 35: the former keys of front ends. Sessions and sign-ins keep the key that their front end had when they began.
import type { Migration } from './migration.ts';

export const formerKeys: Migration = {
  name: 'former keys',
  async up(db) {
    await db.schema
      .createTable('front_end_former_key')
      .addColumn('app_key', 'text', (column) => column.primaryKey())
      .addColumn('front_end_id', 'text', (column) => column.notNull())
      .execute();
  },
};
