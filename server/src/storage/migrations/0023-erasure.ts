// Migration 23: what erasing a person needs: the erasures that go on, and indexes that find messages and acts of administrators.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const erasure: Migration = {
  name: 'erasure',
  async up(db) {
    await db.schema
      .createTable('audit_erasure')
      .addColumn('account_id', 'bigint', (column) => column.primaryKey())
      .addColumn('entry_id', 'bigint', (column) => column.notNull())
      .addColumn('erased_at', 'bigint', (column) => column.notNull())
      .addColumn('step', 'integer', (column) => column.notNull())
      .execute();
    // On PostgreSQL an operator may have created it beforehand, concurrently. Few entries have a name of an administrator.
    await db.schema
      .createIndex('audit_by_administrator')
      .ifNotExists()
      .on('audit')
      .column('id')
      .where(sql.ref('by_commitment'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('message_account')
      .on('message')
      .column('account_id')
      .where(sql.ref('account_id'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('message_recipient')
      .on('message')
      .column('recipient')
      .where(sql.ref('account_id'), 'is', null)
      .execute();
    // They named addresses in plain text. From now on they name them by keyed hashes, and so start again once.
    await sql`delete from pin_budget where subject like 'address:%'`.execute(db);
  },
};
