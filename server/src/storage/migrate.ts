// Migrating: brings a database to this program's version, once, however many nodes start at the same time.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Migration } from './migrations/migration.ts';

/** Any fixed number: the advisory lock under which nodes take turns at migrating one PostgreSQL database. */
const MIGRATION_LOCK = 727_318_011;

/** The database cannot be used by this program; `message` is one line that says what to do. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MigrationError';
  }
}

type Recorded = { number: number; name: string };

/**
 * Applies what is missing, all of it in one transaction: a step that fails leaves nothing behind.
 * @returns what the steps tell an administrator.
 * @throws MigrationError when the database is newer than this program, or its record has gaps or foreign steps.
 */
export async function migrate(
  db: Kysely<never>,
  engine: 'sqlite' | 'postgres',
  steps: readonly Migration[],
): Promise<readonly string[]> {
  return db.transaction().execute(async (tx: Transaction<never>) => {
    const notices: string[] = [];
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
    await sql`create table if not exists schema_migration (number integer primary key, name text not null)`.execute(tx);
    const applied = await countApplied(tx, steps);
    for (const [index, step] of [...steps.entries()].slice(applied)) {
      try {
        await step.up(tx as unknown as Kysely<unknown>, engine, (notice) => notices.push(notice));
      } catch (cause) {
        throw new MigrationError(
          `Migration ${index + 1} (${step.name}) failed and was undone; the database is as it was before.`,
          cause,
        );
      }
      await sql`insert into schema_migration (number, name) values (${index + 1}, ${step.name})`.execute(tx);
    }
    return notices;
  });
}

/** How many of the steps are recorded. @throws MigrationError as {@link migrate} does. */
export async function countApplied(db: Kysely<never>, steps: readonly Migration[]): Promise<number> {
  const { rows: recorded } = await sql<Recorded>`select number, name from schema_migration order by number`.execute(db);
  requireKnown(recorded, steps);
  return recorded.length;
}

function requireKnown(recorded: readonly Recorded[], steps: readonly Migration[]) {
  const newest = recorded.at(-1)?.number ?? 0;
  if (newest > steps.length) {
    throw new MigrationError(
      `The database is at version ${newest}, this program knows ${steps.length}: start the newer program, or restore a backup of the older database.`,
    );
  }
  for (const [index, { number, name }] of recorded.entries()) {
    if (number === index + 1 && name === steps[index]?.name) continue;
    throw new MigrationError(
      `The database is half migrated: step ${index + 1} should be "${steps[index]?.name}" but ${number} "${name}" is recorded. Restore a backup.`,
    );
  }
}
