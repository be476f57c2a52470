// Migration: brings a database to this program's version, once, even if several nodes start at the same time.
import { type Kysely, type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { systemClock } from '../foundation/clock.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import type { Migration } from './migrations/migration.ts';

/** The advisory lock that nodes hold while they migrate a PostgreSQL database. The number is arbitrary but fixed. */
const MIGRATION_LOCK = 727_318_011;

/** How long a step waits for a table. Until then, the statements of running nodes wait behind it, and they have 1.1 s. */
const LOCK_WAIT_MS = 500;

/** How often a step tries to get its tables, and the pause in which running nodes go on: ten minutes in all. */
const MOST_TRIES = 300;
const PAUSE_MS = 1500;

/** The SQLSTATEs of PostgreSQL for a statement without the rights, and for one that did not get its lock in time. */
const INSUFFICIENT_PRIVILEGE = '42501';
const LOCK_NOT_AVAILABLE = '55P03';

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
 * Applies the missing steps, each in a transaction of its own: a failed step changes nothing, and the locks of a step end
 * before the next one begins. After a crash, the next start goes on. A database that lacks no step is only
 * read: the service's role may have rights on rows alone. So is one that is newer, if its steps let this program go on.
 * @param pause waits between two tries of a step whose tables another transaction has locked.
 * @returns the notices for an administrator of the steps that this call has applied.
 * @throws MigrationError if the database is too new for this program, if its record has gaps or unknown steps, if a step
 * fails, or if the role may not change tables.
 */
export async function migrate(
  db: Kysely<unknown>,
  engine: Engine,
  steps: readonly Migration[],
  pause: () => Promise<void> = () => systemClock.sleep(PAUSE_MS),
): Promise<readonly string[]> {
  const before = await countApplied(db, engine, steps);
  if (before >= steps.length) return [];
  return applyMissing(db, engine, steps, pause).catch((error) => {
    if (!isCausedBy(error, INSUFFICIENT_PRIVILEGE)) throw error;
    const problem = `The database is at version ${before} of ${steps.length}, and its role may not change tables: run "latchkey migrate" with a role in LATCHKEY_MIGRATION_DATABASE_URL that may.`;
    throw new MigrationError(problem, error);
  });
}

/** Whether PostgreSQL refused a statement with this SQLSTATE, which may be the cause of the error. */
function isCausedBy(error: unknown, state: string): boolean {
  if (errorCodeOf(error) === state) return true;
  return error instanceof Error && error.cause !== undefined && isCausedBy(error.cause, state);
}

async function applyMissing(
  db: Kysely<unknown>,
  engine: Engine,
  steps: readonly Migration[],
  pause: () => Promise<void>,
): Promise<readonly string[]> {
  await inTurn(db, engine, (tx) => prepareRecord(tx, engine));
  const notices: string[] = [];
  for (let tries = 1; ; ) {
    try {
      const told = await inTurn(db, engine, (tx) => applyNext(tx, engine, steps));
      if (!told) return notices;
      notices.push(...told);
      tries = 1;
    } catch (error) {
      if (!isCausedBy(error, LOCK_NOT_AVAILABLE) || tries === MOST_TRIES) throw error;
      tries += 1;
      await pause();
    }
  }
}

/** Runs `work` in a transaction, while no other node migrates. */
const inTurn = <Result>(db: Kysely<unknown>, engine: Engine, work: (tx: Transaction<unknown>) => Promise<Result>) =>
  db.transaction().execute(async (tx) => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
    return work(tx);
  });

async function prepareRecord(tx: Kysely<unknown>, engine: Engine): Promise<void> {
  await sql`create table if not exists schema_migration (number integer primary key, name text not null)`.execute(tx);
  if (!(await recordsNeeds(tx, engine))) await sql`alter table schema_migration add column needs integer`.execute(tx);
}

/** Applies the first missing step. @returns its notices, or undefined if none was missing. */
async function applyNext(
  tx: Kysely<unknown>,
  engine: Engine,
  steps: readonly Migration[],
): Promise<readonly string[] | undefined> {
  const applied = await countApplied(tx, engine, steps);
  const step = steps[applied];
  if (!step) return undefined;
  const notices: string[] = [];
  if (engine === 'postgres') await sql`select set_config('lock_timeout', ${`${LOCK_WAIT_MS}`}, true)`.execute(tx);
  try {
    await step.up(tx, engine, (notice) => notices.push(notice));
  } catch (cause) {
    const why = isCausedBy(cause, LOCK_NOT_AVAILABLE)
      ? `waited for a table that another transaction holds, such as a dump, and was rolled back; the database is at version ${applied}. Start again when that has ended.`
      : `failed and was rolled back; the database is at version ${applied}.`;
    throw new MigrationError(`Migration ${applied + 1} (${step.name}) ${why}`, cause);
  }
  const needs = step.needs ?? 0;
  await sql`insert into schema_migration (number, name, needs) values (${applied + 1}, ${step.name}, ${needs})`.execute(
    tx,
  );
  return notices;
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
