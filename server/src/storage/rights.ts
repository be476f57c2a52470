// Rights of a role on PostgreSQL: what the service needs of it when another role owns the tables.
import { sql } from 'kysely';
import type { Statements } from './database.ts';

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

/** Returns the schema of the service's tables, if the role lacks a right on a table or sequence there that the caller owns. */
export async function findSchemaToGrant(db: Statements, role: string): Promise<string | undefined> {
  const lacks = (kind: 'table' | 'sequence', rights: readonly string[]) =>
    sql.join(
      rights.map((right) => sql`not ${sql.raw(`has_${kind}_privilege`)}(${role}, c.oid, ${right})`),
      sql` or `,
    );
  const { rows } = await sql<{ schema: string }>`
    select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relowner = current_user::regrole and case c.relkind
      when 'r' then not has_schema_privilege(${role}, n.oid, 'USAGE') or ${lacks('table', ROWS)}
      when 'S' then ${lacks('sequence', NUMBERS)} else false end
    limit 1`.execute(db);
  return rows[0]?.schema;
}
