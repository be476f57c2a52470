// Rights of a role on PostgreSQL: what the service needs of it when another role owns the tables.
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

const ROWS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
/** An import with ids, and a move, read and set the next id. */
const NUMBERS = ['USAGE', 'SELECT', 'UPDATE'];

/** Returns the user in the address of a PostgreSQL server. `undefined` if it names none. */
export const roleOf = (url: string): string | undefined =>
  url.startsWith('sqlite:')
    ? undefined
    : decodeURIComponent(/^[^/]+:\/\/([^:@/?]+)(:[^@/?]*)?@/.exec(url)?.[1] ?? '') || undefined;

/** Returns the statements that give a role rights on all rows, in tables of later versions too. The owner of the tables runs them. */
export function grantsTo(role: string, schema = 'public'): string {
  const [to, rows, numbers] = [quote(role), ROWS.join(', '), NUMBERS.join(', ')];
  return [
    `GRANT USAGE ON SCHEMA ${quote(schema)} TO ${to};`,
    `GRANT ${rows} ON ALL TABLES IN SCHEMA ${quote(schema)} TO ${to};`,
    `GRANT ${numbers} ON ALL SEQUENCES IN SCHEMA ${quote(schema)} TO ${to};`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${quote(schema)} GRANT ${rows} ON TABLES TO ${to};`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${quote(schema)} GRANT ${numbers} ON SEQUENCES TO ${to};`,
  ].join(' ');
}

const quote = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** The role of the connection. A cast to `regrole` would read its name as SQL: in small letters. */
const caller = sql<string>`current_user`;
const callersId = sql`(select oid from pg_roles where rolname = current_user)`;

/**
 * Returns the schema of the service's tables, if the role lacks a right on a table or sequence there that the owner has.
 * @param owner the id of a role. Default: the caller.
 */
export async function findSchemaToGrant(
  db: QueryExecutorProvider,
  role: string | RawBuilder<string>,
  owner: RawBuilder<unknown> = callersId,
): Promise<string | undefined> {
  const lacks = (kind: 'table' | 'sequence', rights: readonly string[]) =>
    sql.join(
      rights.map((right) => sql`not ${sql.raw(`has_${kind}_privilege`)}(${role}, c.oid, ${right})`),
      sql` or `,
    );
  const { rows } = await sql<{ schema: string }>`
    select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relowner = ${owner} and not c.relispartition and case c.relkind
      when 'r' then not has_schema_privilege(${role}, n.oid, 'USAGE') or ${lacks('table', ROWS)}
      when 'S' then ${lacks('sequence', NUMBERS)} else false end
    limit 1`.execute(db);
  return rows[0]?.schema;
}

/** Returns a notice for an administrator if the role of the connection may not use all tables that the owner of the record has. */
export async function describeMissingRights(db: QueryExecutorProvider): Promise<readonly string[]> {
  const owner = sql`(select relowner from pg_class where oid = to_regclass('schema_migration'))`;
  const schema = await findSchemaToGrant(db, caller, owner);
  if (schema === undefined) return [];
  const { rows } = await sql<{ role: string }>`select ${caller} as role`.execute(db);
  return rows.map(
    ({ role }) =>
      `The role ${role} may not use all tables, so that some calls get 503. As the owner of the tables, run: ${grantsTo(role, schema)}`,
  );
}
