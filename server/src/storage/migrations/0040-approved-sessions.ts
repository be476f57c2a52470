// Migration 40: in which session a person gave a grant. One with `offline_access` gets a session of its own.
import type { Migration } from './migration.ts';

export const approvedSessions: Migration = {
  name: 'approved sessions',
  async up(db) {
    // Null: given before this step, or by the application itself.
    await db.schema.alterTable('application_grant').addColumn('approved_session_id', 'text').execute();
  },
};
