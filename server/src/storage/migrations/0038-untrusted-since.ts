// Migration 38: which applications an administrator changed who lacks permissions of the service.
import type { Migration } from './migration.ts';

export const untrustedSince: Migration = {
  name: 'untrusted since',
  async up(db) {
    await db.schema.alterTable('application').addColumn('untrusted_since', 'bigint').execute();
  },
};
