// Migration 19: when a session last proved a second factor, and the passkey that opened it.
import type { Migration } from './migration.ts';

export const sessionFactors: Migration = {
  name: 'session-factors',
  async up(db) {
    // Null: never, or in a session from before this column.
    await db.schema.alterTable('session').addColumn('factor_used_at', 'bigint').execute();
    await db.schema.alterTable('session').addColumn('passkey_id', 'text').execute();
  },
};
