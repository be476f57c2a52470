// Migration 11: the requests that the service has sent to external providers, until they are answered.
import type { Migration } from './migration.ts';

export const authorizationRequests: Migration = {
  name: 'authorization requests',
  async up(db) {
    await db.schema
      .createTable('authorization_request')
      .addColumn('mac', 'text', (column) => column.primaryKey())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('redirect_uri', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('authorization_request_expiry')
      .on('authorization_request')
      .column('expires_at')
      .execute();
  },
};
