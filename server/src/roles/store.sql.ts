// Roles in SQL.
import { type Selectable, sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, RoleTable, Statements } from '../storage/database.ts';
import { type Role, roleKey } from './role.ts';

/** What a role is made from. */
export type RoleInput = Omit<Role, 'id'>;

const toRole = (row: Selectable<RoleTable>): Role => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  description: row.description,
  permissions: JSON.parse(row.permissions),
});

export type RoleStore = ReturnType<typeof createRoleStore>;

export function createRoleStore({ engine }: Pick<Database, 'engine'>) {
  const selectByNames = (on: Statements, names: readonly string[]) =>
    on.selectFrom('role').selectAll().where('name_key', 'in', names.map(roleKey));

  return {
    /** All roles, in the order in which they were added. */
    async readAll(on: Statements): Promise<Role[]> {
      return (await on.selectFrom('role').selectAll().orderBy('id').execute()).map(toRole);
    },

    /**
     * Likewise. Other transactions can neither add nor change a role until this one ends.
     * @param forChange whether they cannot hold one either.
     */
    async lockAll(on: Statements, forChange: boolean): Promise<Role[]> {
      // Row locks alone would deadlock with a transaction that has added a role and waits to announce it.
      const mode = sql.raw(forChange ? 'exclusive' : 'share row exclusive');
      if (engine === 'postgres') await sql`lock table ${sql.table('role')} in ${mode} mode`.execute(on);
      return (await on.selectFrom('role').selectAll().orderBy('id').execute()).map(toRole);
    },

    /** The roles of these names, in any spelling. */
    async findByNames(on: Statements, names: readonly string[]): Promise<Role[]> {
      if (names.length === 0) return [];
      return (await selectByNames(on, names).execute()).map(toRole);
    },

    /** Likewise. A change of these roles waits until the transaction ends. */
    async holdByNames(on: Statements, names: readonly string[]): Promise<Role[]> {
      if (names.length === 0) return [];
      // SQLite runs one transaction at a time.
      const held = selectByNames(on, names).$if(engine === 'postgres', (query) => query.forShare());
      return (await held.execute()).map(toRole);
    },

    async find(on: Statements, id: number): Promise<Role | undefined> {
      const row = await on.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toRole(row);
    },

    /** Adds a role. @returns its id, or nothing when its name is taken. */
    async add(
      on: Statements,
      { name, displayName, description, permissions }: RoleInput,
      now: Instant,
    ): Promise<number | undefined> {
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

    async replace(on: Statements, { id, displayName, description, permissions }: Role): Promise<void> {
      await on
        .updateTable('role')
        .set({ display_name: displayName, description, permissions: JSON.stringify(permissions) })
        .where('id', '=', id)
        .execute();
    },

    async delete(on: Statements, id: number): Promise<void> {
      await on.deleteFrom('role').where('id', '=', id).execute();
    },
  };
}
