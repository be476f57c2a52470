// Migration 38: which applications and external providers an administrator changed who lacks permissions of the service.
import type { Migration } from './migration.ts';

export const untrustedSince: Migration = {
  name: 'untrusted since',
  async up(db) {
    for (const table of ['application', 'external_provider']) {
      await db.schema.alterTable(table).addColumn('untrusted_since', 'bigint').execute();
    }
  },
};
