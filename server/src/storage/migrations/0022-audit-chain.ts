// Migration 22: the chain over the audit trail. The service chains the existing entries in the background, in small steps.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const auditChain: Migration = {
  name: 'audit-chain',
  async up(db) {
    for (const name of ['sequence', 'erased_for', 'erased_by_for']) {
      await db.schema.alterTable('audit').addColumn(name, 'bigint').execute();
    }
    for (const name of ['hash', 'commitment', 'by_commitment']) {
      await db.schema.alterTable('audit').addColumn(name, 'text').execute();
    }
    // On PostgreSQL an operator may have created them beforehand, concurrently. They are not unique: a table that is
    // partitioned by time cannot have a unique index on another column.
    await db.schema
      .createIndex('audit_by_sequence')
      .ifNotExists()
      .on('audit')
      .columns(['sequence', 'id'])
      .where(sql.ref('sequence'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('audit_unchained')
      .ifNotExists()
      .on('audit')
      .column('id')
      .where(sql.ref('sequence'), 'is', null)
      .execute();
    await db.schema
      .createTable('audit_key')
      .addColumn('account_id', 'bigint', (column) => column.primaryKey())
      .addColumn('key', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('audit_chain')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('base_sequence', 'bigint', (column) => column.notNull())
      .addColumn('base_hash', 'text', (column) => column.notNull())
      .addColumn('head_sequence', 'bigint', (column) => column.notNull())
      .addColumn('head_hash', 'text', (column) => column.notNull())
      .addColumn('head_at', 'bigint', (column) => column.notNull())
      .addColumn('told_at', 'bigint', (column) => column.notNull())
      .execute();
    await sql`insert into audit_chain (id, base_sequence, base_hash, head_sequence, head_hash, head_at, told_at)
      values (1, 0, '', 0, '', 0, 0)`.execute(db);
  },
};
