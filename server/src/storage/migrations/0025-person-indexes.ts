// Migration 25: indexes that find the pins and budgets of a person.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const personIndexes: Migration = {
  name: 'person indexes',
  async up(db) {
    const schema = db.schema;
    const index = (name: string, column: string) => schema.createIndex(name).on('pin').column(column);
    await index('pin_account', 'account_id').where(sql.ref('account_id'), 'is not', null).execute();
    await index('pin_address', 'address').where(sql.ref('account_id'), 'is', null).execute();
    await index('pin_any_subject', 'subject').execute();
    await schema.createIndex('pin_budget_subject').on('pin_budget').column('subject').execute();
  },
};
