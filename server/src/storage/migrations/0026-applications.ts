// Migration 26: applications that people sign in to with this service (OpenID Connect), and what they were given.
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const applications: Migration = {
  name: 'applications',
  async up(db) {
    await addApplications(db);
    await addRequests(db);
    await addGrants(db);
    await addSignOuts(db);
  },
};

async function addApplications(db: Parameters<Migration['up']>[0]) {
  await db.schema
    .createTable('application')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('client_id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('front_end', 'text', (column) => column.notNull())
    .addColumn('is_enabled', 'integer', (column) => column.notNull())
    .addColumn('secret_mac', 'text')
    .addColumn('former_secret_mac', 'text')
    .addColumn('former_until', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('id_token_key')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('kid', 'text', (column) => column.notNull())
    .addColumn('public_jwk', 'text', (column) => column.notNull())
    .addColumn('sealed_private_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('active_from', 'bigint', (column) => column.notNull())
    .execute();
  // The application whose grant has this session of its own (`offline_access`).
  await db.schema.alterTable('session').addColumn('application_id', 'text').execute();
}

async function addRequests(db: Parameters<Migration['up']>[0]) {
  await db.schema
    .createTable('application_request')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('cookie_mac', 'text')
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('parameters', 'text', (column) => column.notNull())
    .addColumn('device_mac', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('application_request_expires').on('application_request').column('expires_at').execute();
  await db.schema
    .createTable('device_authorization')
    .addColumn('mac', 'text', (column) => column.primaryKey())
    .addColumn('user_code_mac', 'text', (column) => column.notNull().unique())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('audience', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('grant_id', 'text')
    .addColumn('ip_address', 'text')
    .addColumn('interval_seconds', 'integer', (column) => column.notNull())
    .addColumn('polled_at', 'bigint')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('device_authorization_expires').on('device_authorization').column('expires_at').execute();
  await db.schema
    .createTable('used_client_assertion')
    .addColumn('mac', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('used_client_assertion_expires')
    .on('used_client_assertion')
    .column('expires_at')
    .execute();
}

async function addGrants(db: Parameters<Migration['up']>[0]) {
  await db.schema
    .createTable('application_grant')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'bigint')
    .addColumn('session_id', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('audience', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text')
    .addColumn('amr', 'text', (column) => column.notNull())
    .addColumn('authenticated_at', 'bigint', (column) => column.notNull())
    .addColumn('code_mac', 'text')
    .addColumn('code_expires_at', 'bigint')
    .addColumn('code_challenge', 'text')
    .addColumn('redirect_uri', 'text')
    .addColumn('redeemed_at', 'bigint')
    .addColumn('refresh_mac', 'text')
    .addColumn('former_refresh_mac', 'text')
    .addColumn('refreshed_at', 'bigint')
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('tokens_expire_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('application_grant_code')
    .on('application_grant')
    .column('code_mac')
    .unique()
    .where(sql.ref('code_mac'), 'is not', null)
    .execute();
  for (const column of ['session_id', 'application_id', 'account_id']) {
    await db.schema
      .createIndex(`application_grant_open_${column}`)
      .on('application_grant')
      .column(column)
      .where(sql.ref('ended_at'), 'is', null)
      .execute();
  }
  await db.schema.createIndex('application_grant_expires').on('application_grant').column('expires_at').execute();
  await db.schema
    .createTable('application_consent')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('application_consent_of', ['account_id', 'application_id'])
    .execute();
}

async function addSignOuts(db: Parameters<Migration['up']>[0]) {
  await db.schema
    .createTable('browser_session')
    .addColumn('mac', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('browser_session_of').on('browser_session').column('session_id').execute();
  await db.schema.createIndex('browser_session_expires').on('browser_session').column('expires_at').execute();
  await db.schema
    .createTable('sign_out')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('grant_id', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .addColumn('tokens_end_at', 'bigint', (column) => column.notNull())
    .addColumn('settled_at', 'bigint')
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sign_out_of_account').on('sign_out').columns(['account_id', 'ended_at']).execute();
  await db.schema.createIndex('sign_out_ended').on('sign_out').column('ended_at').execute();
  await db.schema
    .createIndex('sign_out_due')
    .on('sign_out')
    .columns(['application_id', 'due_at'])
    .where(sql.ref('state'), '=', 'pending')
    .execute();
}
