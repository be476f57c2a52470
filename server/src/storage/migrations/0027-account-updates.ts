// Migration 27: when the names and addresses of an account last changed, which applications are told.
import type { Migration } from './migration.ts';

export const accountUpdates: Migration = {
  name: 'account-updates',
  async up(db) {
    // Null: not since the account was created, or since this column exists.
    await db.schema.alterTable('account').addColumn('updated_at', 'bigint').execute();
  },
};
