// Rights of a role on PostgreSQL: what the service needs of it when another role owns the tables.
import { sql } from 'kysely';
import type { Statements } from './database.ts';

const ROWS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Returns the user in the address of a PostgreSQL server. `undefined` if it names none. */
export const roleOf = (url: string): string | undefined =>
  url.startsWith('sqlite:')
    ? undefined
    : decodeURIComponent(/^[^/]+:\/\/([^:@/?]+)(:[^@/?]*)?@/.exec(url)?.[1] ?? '') || undefined;

/** Returns the statements that give a role rights on all rows, in tables of later versions too. The owner of the tables runs them. */
export function grantsTo(role: string, schema = 'public'): string {
  const [to, rights] = [quote(role), ROWS.join(', ')];
  return [
    `GRANT USAGE ON SCHEMA ${quote(schema)} TO ${to};`,
    `GRANT ${rights} ON ALL TABLES IN SCHEMA ${quote(schema)} TO ${to};`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${quote(schema)} TO ${to};`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${quote(schema)} GRANT ${rights} ON TABLES TO ${to};`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${quote(schema)} GRANT USAGE ON SEQUENCES TO ${to};`,
  ].join(' ');
}

const quote = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** Returns the schema of the service's tables, if the role lacks a right on a table or sequence there that the caller owns. */
export async function findSchemaToGrant(db: Statements, role: string): Promise<string | undefined> {
  const lacks = sql.join(
    ROWS.map((right) => sql`not has_table_privilege(${role}, c.oid, ${right})`),
    sql` or `,
  );
  const { rows } = await sql<{ schema: string }>`
    select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relowner = current_user::regrole and case c.relkind
      when 'r' then not has_schema_privilege(${role}, n.oid, 'USAGE') or ${lacks}
      when 'S' then not has_sequence_privilege(${role}, c.oid, 'USAGE') else false end
    limit 1`.execute(db);
  return rows[0]?.schema;
}
