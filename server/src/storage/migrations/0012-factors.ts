// Migration 12: second factors of accounts, and what sessions know of them.
import type { Migration } from './migration.ts';

export const factors: Migration = {
  name: 'factors',
  async up(db) {
    await db.schema
      .createTable('authenticator')
      .addColumn('account_id', 'bigint', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('sealed_secret', 'text')
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .addColumn('enrolled_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema
      .createTable('passkey')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'bigint', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('credential_id', 'text', (column) => column.notNull().unique())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('sign_count', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('rp_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('is_backed_up', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema.createIndex('passkey_account').on('passkey').column('account_id').execute();
    await db.schema
      .createTable('used_assertion')
      .addColumn('mac', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('used_assertion_expiry').on('used_assertion').column('expires_at').execute();
    await db.schema
      .createTable('recovery_code')
      .addColumn('mac', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'bigint', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .execute();
    await db.schema.createIndex('recovery_code_account').on('recovery_code').column('account_id').execute();
    await db.schema
      .createTable('trusted_device')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('mac', 'text', (column) => column.notNull().unique())
      .addColumn('account_id', 'bigint', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('front_end', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('trusted_device_account').on('trusted_device').column('account_id').execute();
    await db.schema.createIndex('trusted_device_expiry').on('trusted_device').column('expires_at').execute();
    await db.schema
      .createTable('factor_operation')
      .addColumn('mac', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('account_id', 'bigint', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('factor_operation_account').on('factor_operation').column('account_id').execute();
    await db.schema.createIndex('factor_operation_expiry').on('factor_operation').column('expires_at').execute();
    await db.schema
      .alterTable('session')
      .addColumn('must_enroll', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    // Null: when the session began.
    await db.schema.alterTable('session').addColumn('authenticated_at', 'bigint').execute();
    await db.schema.alterTable('session').addColumn('passkey_used_at', 'bigint').execute();
  },
};
