// Migration 10: imported accounts keep the ids and person ids of the system they come from.
import type { Migration } from './migration.ts';

export const importedAccounts: Migration = {
  name: 'imported accounts',
  async up(db) {
    await db.schema.alterTable('account').addColumn('imported_password', 'text').execute();
    await db.schema.createIndex('account_person').on('account').column('person_id').unique().execute();
  },
};
