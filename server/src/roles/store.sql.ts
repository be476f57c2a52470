// Roles in SQL.
import type { Selectable } from 'kysely';
import type { Database, RoleTable, Statements } from '../storage/database.ts';
import { type Role, roleKey } from './role.ts';
import type { RoleStore } from './store.ts';

const toRole = (row: Selectable<RoleTable>): Role => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  description: row.description,
  permissions: JSON.parse(row.permissions),
});

export function createRoleStore({ engine }: Pick<Database, 'engine'>): RoleStore {
  const selectByNames = (on: Statements, names: readonly string[]) =>
    on.selectFrom('role').selectAll().where('name_key', 'in', names.map(roleKey));

  return {
    async readAll(on) {
      return (await on.selectFrom('role').selectAll().orderBy('id').execute()).map(toRole);
    },

    async findByNames(on, names) {
      if (names.length === 0) return [];
      return (await selectByNames(on, names).execute()).map(toRole);
    },

    async holdByNames(on, names) {
      if (names.length === 0) return [];
      // SQLite runs one transaction at a time.
      const held = selectByNames(on, names).$if(engine === 'postgres', (query) => query.forShare());
      return (await held.execute()).map(toRole);
    },

    async find(on, id) {
      const row = await on.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toRole(row);
    },

    async add(on, { name, displayName, description, permissions }, now) {
      const row = await on
        .insertInto('role')
        .values({
          name,
          name_key: roleKey(name),
          display_name: displayName,
          description,
          permissions: JSON.stringify(permissions),
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('name_key').doNothing())
        .returning('id')
        .executeTakeFirst();
      return row?.id;
    },

    async replace(on, { id, displayName, description, permissions }) {
      await on
        .updateTable('role')
        .set({ display_name: displayName, description, permissions: JSON.stringify(permissions) })
        .where('id', '=', id)
        .execute();
    },

    async delete(on, id) {
      await on.deleteFrom('role').where('id', '=', id).execute();
    },
  };
}
