// Migration 9: roles are data. Every role that an account has is added; it grants what it granted before.
import type { Kysely } from 'kysely';
import { foldCase } from '../../foundation/case-folding.ts';
import { systemClock } from '../../foundation/clock.ts';
import type { Migration } from './migration.ts';

type RoleRow = {
  name: string;
  name_key: string;
  display_name: string;
  description: string;
  permissions: string;
  created_at: number;
};
type Tables = { account: { roles: string }; role: RoleRow };

const builtIn = [
  { name: 'Administrator', description: 'Manages everything: users, settings, front ends and roles.' },
  { name: 'UserManager', description: 'Manages users who hold no more than this role.' },
];

export const roles: Migration = {
  name: 'roles',
  async up(database, engine) {
    await database.schema
      .createTable('role')
      .addColumn('id', engine === 'sqlite' ? 'integer' : 'bigint', (column) =>
        engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull().unique())
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('permissions', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    const db = database.withTables<Tables>();
    for (const { name, description } of [...builtIn, ...(await readRolesInUse(db))]) {
      await db
        .insertInto('role')
        .values({
          name,
          name_key: foldCase(name),
          display_name: name,
          description,
          permissions: '[]',
          created_at: systemClock.now(),
        })
        .onConflict((conflict) => conflict.column('name_key').doNothing())
        .execute();
    }
  },
};

async function readRolesInUse(db: Kysely<Tables>): Promise<{ name: string; description: string }[]> {
  const rows = await db.selectFrom('account').select('roles').distinct().execute();
  const names = new Set(
    rows.flatMap(({ roles: list }) => {
      const parsed: string[] = JSON.parse(list);
      return parsed;
    }),
  );
  return [...names].sort().map((name) => ({ name, description: '' }));
}
