// Migration: brings a database to this program's version, once, even if several nodes start at the same time.
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { errorCodeOf } from '../foundation/errors.ts';
import type { Migration } from './migrations/migration.ts';

/** The advisory lock that nodes hold while they migrate a PostgreSQL database. The number is arbitrary but fixed. */
const MIGRATION_LOCK = 727_318_011;

/** This program cannot use the database. `message` is one line that says what to do. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MigrationError';
  }
}

/** `needs` as in `Migration`. It is null for steps from before it was recorded: programs that do not know them cannot live with them. */
type Recorded = { number: number; name: string; needs: number | null };

type Engine = 'sqlite' | 'postgres';

/**
 * Applies the missing steps in one transaction, so that a failed step changes nothing. A database that lacks none is only
 * read: the service's role may have rights on rows alone. So is one that is newer, if its steps let this program go on.
 * @returns the steps' notices for an administrator.
 * @throws MigrationError if the database is too new for this program, if its record has gaps or unknown steps, if a step
 * fails, or if the role may not change tables.
 */
export async function migrate(
  db: Kysely<unknown>,
  engine: Engine,
  steps: readonly Migration[],
): Promise<readonly string[]> {
  const before = await countApplied(db, engine, steps);
  if (before >= steps.length) return [];
  return applyMissing(db, engine, steps).catch((error) => {
    if (!isForbidden(error)) throw error;
    const problem = `The database is at version ${before} of ${steps.length}, and its role may not change tables: run "latchkey migrate" with a role in LATCHKEY_MIGRATION_DATABASE_URL that may.`;
    throw new MigrationError(problem, error);
  });
}

/** Whether PostgreSQL refused a statement for a lack of rights (insufficient_privilege), which may be the cause of the error. */
function isForbidden(error: unknown): boolean {
  if (errorCodeOf(error) === '42501') return true;
  return error instanceof Error && error.cause !== undefined && isForbidden(error.cause);
}

function applyMissing(db: Kysely<unknown>, engine: Engine, steps: readonly Migration[]): Promise<readonly string[]> {
  return db.transaction().execute(async (tx) => {
    const notices: string[] = [];
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
    await sql`create table if not exists schema_migration (number integer primary key, name text not null)`.execute(tx);
    if (!(await recordsNeeds(tx, engine))) await sql`alter table schema_migration add column needs integer`.execute(tx);
    const applied = await countApplied(tx, engine, steps);
    for (const [index, step] of [...steps.entries()].slice(applied)) {
      try {
        await step.up(tx, engine, (notice) => notices.push(notice));
      } catch (cause) {
        throw new MigrationError(
          `Migration ${index + 1} (${step.name}) failed and was rolled back; the database is unchanged.`,
          cause,
        );
      }
      const needs = step.needs ?? 0;
      await sql`insert into schema_migration (number, name, needs) values (${index + 1}, ${step.name}, ${needs})`.execute(
        tx,
      );
    }
    return notices;
  });
}

/**
 * Counts the recorded steps, which are 0 in an empty database, and more than `steps` in a newer one with which this program
 * can go on. @throws MigrationError as {@link migrate} does.
 */
export async function countApplied(
  db: QueryExecutorProvider,
  engine: Engine,
  steps: readonly Migration[],
): Promise<number> {
  const columns = await readColumns(db, engine);
  if (columns.length === 0) return 0;
  const needs = sql.raw(columns.includes('needs') ? 'needs' : 'null as needs');
  const { rows: recorded } = await sql<Recorded>`
    select number, name, ${needs} from schema_migration order by number`.execute(db);
  requireKnown(recorded, steps);
  return recorded.length;
}

const recordsNeeds = async (db: QueryExecutorProvider, engine: Engine) =>
  (await readColumns(db, engine)).includes('needs');

/** Returns the columns of the record. None: there is no record. */
async function readColumns(db: QueryExecutorProvider, engine: Engine): Promise<readonly string[]> {
  const columns = {
    sqlite: sql<{ name: string }>`select name from pragma_table_info('schema_migration')`,
    postgres: sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = to_regclass('schema_migration') and attnum > 0`,
  };
  return (await columns[engine].execute(db)).rows.map(({ name }) => name);
}

function requireKnown(recorded: readonly Recorded[], steps: readonly Migration[]) {
  const newest = recorded.at(-1)?.number ?? 0;
  if (recorded.some(({ number, needs }) => number > steps.length && (needs ?? number) > steps.length)) {
    throw new MigrationError(
      `The database is at version ${newest}, but this program knows ${steps.length}: start the newer program, or restore an older backup of the database.`,
    );
  }
  for (const [index, { number, name }] of recorded.entries()) {
    const known = steps[index]?.name ?? name;
    if (number === index + 1 && name === known) continue;
    throw new MigrationError(
      `The database's record of migrations is damaged: step ${index + 1} should be "${known}", but ${number} "${name}" is recorded. Restore a backup.`,
    );
  }
}
