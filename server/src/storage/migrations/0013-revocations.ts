// Migration 13: the revocations that verifiers of other services follow, and what they need to know of sessions.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const revocations: Migration = {
  name: 'revocations',
  async up(db, engine) {
    const bigint = engine === 'sqlite' ? 'integer' : 'bigint';
    await db.schema
      .alterTable('session')
      .addColumn('generation', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('session').addColumn('tokens_expire_at', 'bigint').execute();
    if (engine === 'postgres') await sql`create sequence revocation_number`.execute(db);
    await db.schema
      .createTable('revocation')
      .addColumn('transaction_id', bigint, (column) => column.notNull())
      .addColumn('number', bigint, (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.unique())
      .addColumn('generation', 'integer')
      .addColumn('key_id', 'text')
      .addColumn('issued_before', 'bigint')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('revocation_position', ['transaction_id', 'number'])
      .execute();
    await db.schema
      .createTable('revocation_epoch')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('epoch', 'text', (column) => column.notNull())
      .execute();
  },
};
