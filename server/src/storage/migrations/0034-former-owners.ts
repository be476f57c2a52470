// Migration 34: which accounts had a verified address or an external login that is gone. Their owner may not be replaced by a new address.
import type { Migration } from './migration.ts';

export const formerOwners: Migration = {
  name: 'former owners',
  async up(db) {
    await db.schema
      .alterTable('account')
      .addColumn('had_owner', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
