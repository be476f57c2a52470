// Migration 34: which accounts had a verified address before their last change. They have an owner, whom a new address may not replace.
import type { Migration } from './migration.ts';

export const formerAddresses: Migration = {
  name: 'former addresses',
  async up(db) {
    await db.schema
      .alterTable('account')
      .addColumn('had_verified_address', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
