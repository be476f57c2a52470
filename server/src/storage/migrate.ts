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

type Recorded = { number: number; name: string };

type Engine = 'sqlite' | 'postgres';

/**
 * Applies the missing steps in one transaction, so that a failed step changes nothing. A database that lacks none is only
 * read: the service's role may have rights on rows alone.
 * @returns the steps' notices for an administrator.
 * @throws MigrationError if the database is newer than this program, if its record has gaps or unknown steps, if a step
 * fails, or if the role may not change tables.
 */
export async function migrate(
  db: Kysely<unknown>,
  engine: Engine,
  steps: readonly Migration[],
): Promise<readonly string[]> {
  const before = await countApplied(db, engine, steps);
  if (before === steps.length) return [];
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
      await sql`insert into schema_migration (number, name) values (${index + 1}, ${step.name})`.execute(tx);
    }
    return notices;
  });
}

/** Counts the recorded steps, which are 0 in an empty database. @throws MigrationError as {@link migrate} does. */
export async function countApplied(
  db: QueryExecutorProvider,
  engine: Engine,
  steps: readonly Migration[],
): Promise<number> {
  const tables = {
    sqlite: sql<{ count: number }>`select count(*) as count from sqlite_master where name = 'schema_migration'`,
    postgres: sql<{ count: number }>`select count(to_regclass('schema_migration')) as count`,
  };
  if (Number((await tables[engine].execute(db)).rows[0]?.count) === 0) return 0;
  const { rows: recorded } = await sql<Recorded>`select number, name from schema_migration order by number`.execute(db);
  requireKnown(recorded, steps);
  return recorded.length;
}

function requireKnown(recorded: readonly Recorded[], steps: readonly Migration[]) {
  const newest = recorded.at(-1)?.number ?? 0;
  if (newest > steps.length) {
    throw new MigrationError(
      `The database is at version ${newest}, but this program knows ${steps.length}: start the newer program, or restore an older backup of the database.`,
    );
  }
  for (const [index, { number, name }] of recorded.entries()) {
    if (number === index + 1 && name === steps[index]?.name) continue;
    throw new MigrationError(
      `The database's record of migrations is damaged: step ${index + 1} should be "${steps[index]?.name}", but ${number} "${name}" is recorded. Restore a backup.`,
    );
  }
}
