// Migration 39: what the application of a sign-out is called. People see it for longer than some applications exist.
import type { Migration } from './migration.ts';

export const namedSignOuts: Migration = {
  name: 'named sign-outs',
  async up(db) {
    // Null: a sign-out from before this step.
    await db.schema.alterTable('sign_out').addColumn('application_name', 'text').execute();
  },
};
