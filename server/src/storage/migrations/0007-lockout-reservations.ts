// Migration 7: each reserved attempt has an id. Before, only their number was stored.
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
