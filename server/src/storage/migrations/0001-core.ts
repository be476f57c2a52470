// Migration 1: accounts, sessions, keys, lockout, settings, front ends, audit, rate limits.
import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from './migration.ts';

export const core: Migration = {
  name: 'core',
  async up(db, engine) {
    const withNumber = <Table extends string>(table: CreateTableBuilder<Table, never>) =>
      engine === 'sqlite'
        ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        : table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity());
    await createAccounts(db, withNumber);
    await createSessions(db);
    await createSettings(db, withNumber);
    await withNumber(db.schema.createTable('audit'))
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('user_id', 'bigint')
      .addColumn('user_name', 'text')
      .addColumn('ip_address', 'text')
      .addColumn('front_end', 'text')
      .addColumn('user_agent', 'text')
      .addColumn('details', 'text')
      .execute();
    await db.schema.createIndex('audit_user').on('audit').columns(['user_id', 'id']).execute();
    await db.schema.createIndex('audit_at').on('audit').column('at').execute();
    await db.schema
      .createTable('rate_window')
      .addColumn('policy', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('requests', 'integer', (column) => column.notNull())
      .addColumn('refused_at', 'bigint')
      .addPrimaryKeyConstraint('rate_window_key', ['policy', 'address'])
      .execute();
    await db.schema.createIndex('rate_window_started_at').on('rate_window').column('started_at').execute();
  },
};

type WithNumber = <Table extends string>(table: CreateTableBuilder<Table, never>) => CreateTableBuilder<Table, 'id'>;

async function createAccounts(db: Kysely<unknown>, withNumber: WithNumber) {
  const flag = sql`0`;
  await withNumber(db.schema.createTable('account'))
    .addColumn('person_id', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('user_name_key', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('surname', 'text', (column) => column.notNull())
    .addColumn('email', 'text')
    .addColumn('email_key', 'text', (column) => column.unique())
    .addColumn('mobile', 'text')
    .addColumn('is_email_confirmed', 'integer', (column) => column.notNull().defaultTo(flag))
    .addColumn('is_mobile_confirmed', 'integer', (column) => column.notNull().defaultTo(flag))
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('must_change_password', 'integer', (column) => column.notNull().defaultTo(flag))
    .addColumn('password_hash', 'text')
    .addColumn('password_version', 'integer', (column) => column.notNull().defaultTo(flag))
    .addColumn('password_changed_at', 'bigint')
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('last_sign_in_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('account_mobile').on('account').column('mobile').execute();
  await db.schema
    .createTable('lockout')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('streak', 'integer', (column) => column.notNull())
    .addColumn('pending', 'integer', (column) => column.notNull())
    .addColumn('locked_until', 'bigint')
    .addColumn('touched_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('lockout_touched_at').on('lockout').column('touched_at').execute();
}

async function createSessions(db: Kysely<unknown>) {
  await db.schema
    .createTable('session')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('current_jti', 'text', (column) => column.notNull())
    .addColumn('front_end', 'text', (column) => column.notNull())
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('must_change_password', 'integer', (column) => column.notNull())
    .addColumn('ip_address', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('signed_in_at', 'bigint', (column) => column.notNull())
    .addColumn('last_refreshed_at', 'bigint')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .execute();
  await db.schema.createIndex('session_account').on('session').column('account_id').execute();
  await db.schema.createIndex('session_expires_at').on('session').column('expires_at').execute();
  await db.schema
    .createTable('signing_key')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('kid', 'text', (column) => column.notNull().unique())
    .addColumn('public_jwk', 'text', (column) => column.notNull())
    .addColumn('sealed_private_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('active_from', 'bigint', (column) => column.notNull())
    .execute();
}

async function createSettings(db: Kysely<unknown>, withNumber: WithNumber) {
  await db.schema
    .createTable('setting_value')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('app_key', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_by', 'text')
    .addPrimaryKeyConstraint('setting_value_key', ['name', 'app_key'])
    .execute();
  await withNumber(db.schema.createTable('setting_change'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('app_key', 'text', (column) => column.notNull())
    .addColumn('old_value', 'text')
    .addColumn('new_value', 'text')
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_by', 'text')
    .execute();
  await db.schema.createIndex('setting_change_name').on('setting_change').columns(['name', 'app_key', 'id']).execute();
  await db.schema
    .createTable('front_end')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('app_key', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('version')
    .addColumn('topic', 'text', (column) => column.primaryKey())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .execute();
}
