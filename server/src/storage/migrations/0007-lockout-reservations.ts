// Migration 7: each reserved attempt has an identity, in place of a count of them.
import type { Migration } from './migration.ts';

export const lockoutReservations: Migration = {
  name: 'lockout reservations',
  async up(db) {
    await db.schema
      .alterTable('lockout')
      .addColumn('reservations', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
    await db.schema.alterTable('lockout').dropColumn('pending').execute();
  },
};
