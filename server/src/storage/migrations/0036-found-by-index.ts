// Migration 36: indexes for what was looked for among all rows: names without account that lock, budgets of days past, and the grants
// of a person. The former indexes stay for programs of the version before.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const foundByIndex: Migration = {
  name: 'found by index',
  async up(db) {
    // The job that deletes them visited every subject that was last used before them.
    await db.schema
      .createIndex('lockout_unknown')
      .ifNotExists()
      .on('lockout')
      .column('touched_at')
      .where(sql.ref('subject'), 'like', sql.lit('unknown:%'))
      .execute();
    // Most budgets have no last use, so that each run of the job visited them all.
    await db.schema.createIndex('pin_budget_started_at').ifNotExists().on('pin_budget').column('started_at').execute();
    // There was one of the open ones, but the export and the erasure of a person ask for all.
    await db.schema
      .createIndex('application_grant_account')
      .ifNotExists()
      .on('application_grant')
      .column('account_id')
      .execute();
  },
};
