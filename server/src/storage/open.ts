// Opens the database of `LATCHKEY_DATABASE_URL`, the embedded SQLite file or PostgreSQL, and migrates it.
import { Kysely, type LogEvent, sql } from 'kysely';
import { createBatch } from '../foundation/batch.ts';
import { type Clock, systemClock } from '../foundation/clock.ts';
import type { Database, KeyedRows, Selected, Tables, Tx } from './database.ts';
import { runAgainIfStale } from './failures.ts';
import { createGroups } from './grouped.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import type { PostgresPool, TimeLimits } from './postgres.ts';
import { describeMissingRights } from './rights.ts';
import { createForRows } from './rows.ts';
import { createSqliteDialect } from './sqlite.ts';
import { openSqliteFile, type SqliteFile, type SqliteRowReader } from './sqlite-file.ts';
import { createWriter } from './sqlite-writer.ts';
import { createStatement } from './statement.ts';
import { createWatch, type Watch } from './watch.ts';

/** The time limit of one statement of a migration on PostgreSQL. A second node also waits this long for the first. */
const MIGRATION_TIMEOUT_MS = 3_600_000;

/** The first connection at the start may take longer than one that a caller waits for: the machines have often just started too. */
const FIRST_CONNECTION_MS = 4000;

const BETWEEN_TRIES_MS = 200;

/** A transaction of several callers waits for a lock no longer than 0.1 s. Only the caller that needs the lock then waits, alone. */
const SET_UP_GROUP = 'set local lock_timeout = 100';

export type OpenOptions = {
  /** Schedules the polling for changes that other nodes announced. */
  clock?: Clock;
  /** The most connections to PostgreSQL. Default: 10. */
  connections?: number;
  /** How long PostgreSQL may take. Default: as long as callers of the service wait. */
  timeLimits?: Partial<TimeLimits> | undefined;
  /** What a database in memory begins with, serialized by SQLite. Only tests give it. */
  content?: Uint8Array | undefined;
  /** Receives failures that no caller waits for: of idle connections, and of reloading. */
  onError?: (error: unknown) => void;
  /** Receives the notices of migrations for an administrator. */
  onNotice?: (notice: string) => void;
  /** Called after each statement, in the async context of its sender. Not called for reads by key, begin and commit. */
  onStatement?: ((statement: { sql: string; durationMs: number; failed: boolean }) => void) | undefined;
};

/**
 * Opens and migrates the database.
 * @param url `sqlite:PATH` (`:memory:` too) or `postgres://…`.
 * @throws MigrationError if this program cannot use the database.
 * @throws AuthError `service.unavailable` if the database is out of reach.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const { clock = systemClock, onError = () => {}, onNotice = () => {}, onStatement } = options;
  const log = onStatement && {
    log: ({ level, query, queryDurationMillis }: LogEvent) =>
      onStatement({ sql: query.sql, durationMs: queryDurationMillis, failed: level === 'error' }),
  };
  if (url.startsWith('sqlite:')) {
    const file = openSqliteFile(url.slice('sqlite:'.length), undefined, options.content);
    const writer = createWriter(file);
    const unmigrated = new Kysely<unknown>({ dialect: createSqliteDialect(file, writer), ...log });
    const notices = await closeOnFailure(unmigrated, () => migrate(unmigrated, 'sqlite', migrations));
    notices.forEach(onNotice);
    const db = unmigrated.withTables<Tables>();
    return createDatabase('sqlite', db, {
      quick: new Kysely<Tables>({ dialect: createSqliteDialect(file, writer, 'committed'), ...log }),
      grouping: db,
      keyedReader: (rows) => readSqliteRow(file, rows),
      watch: createWatch(db, clock, onError),
      connections: () => undefined,
      forgetDeleted: writer.emptyLog,
    });
  }
  (await migratePostgres(url, options.timeLimits)).forEach(onNotice);
  const { createPostgresDialect, openPostgresPool } = await import('./postgres.ts');
  const pool = openPostgresPool(url, onError, options.timeLimits, options.connections);
  const db = new Kysely<Tables>({ dialect: createPostgresDialect(pool), ...log });
  await closeOnFailure(db, () => connectFirst(db));
  return createDatabase('postgres', db, {
    quick: db,
    grouping: new Kysely<Tables>({ dialect: createPostgresDialect(pool, SET_UP_GROUP), ...log }),
    keyedReader: (rows) => readPostgresRows(pool, rows),
    watch: createWatch(db, clock, onError),
    connections: pool.count,
    forgetDeleted: async () => true,
  });
}

async function migratePostgres(url: string, limits: Partial<TimeLimits> | undefined) {
  // The driver takes memory and time, so it is loaded only for PostgreSQL.
  const { createPostgresDialect, openPostgresPool } = await import('./postgres.ts');
  const patience = {
    connectMs: FIRST_CONNECTION_MS,
    ...limits,
    statementMs: MIGRATION_TIMEOUT_MS,
    isPerTransaction: true,
  };
  const db = new Kysely<unknown>({ dialect: createPostgresDialect(openPostgresPool(url, () => {}, patience)) });
  const notices = await closeOnFailure(db, async () => [
    ...(await migrate(db, 'postgres', migrations)),
    ...(await describeMissingRights(db)),
  ]);
  await db.destroy();
  return notices;
}

/** Opens the connection that the start works with. Those for callers have no more time than a caller waits. */
async function connectFirst(db: Kysely<Tables>): Promise<void> {
  for (const until = systemClock.now() + FIRST_CONNECTION_MS; ; ) {
    try {
      return void (await sql`select 1`.execute(db));
    } catch (error) {
      if (systemClock.now() >= until) throw error;
      await systemClock.sleep(BETWEEN_TRIES_MS);
    }
  }
}

async function closeOnFailure<Result>(db: Pick<Kysely<unknown>, 'destroy'>, work: () => Promise<Result>) {
  try {
    return await work();
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/**
 * What differs between the engines. `quick` and `grouping` are the same database, for transactions that need not be durable, and
 * for those of several callers.
 */
type Parts = Pick<Database, 'keyedReader' | 'connections' | 'forgetDeleted'> & {
  quick: Kysely<Tables>;
  grouping: Kysely<Tables>;
  watch: Watch;
};

function createDatabase(
  engine: Database['engine'],
  db: Kysely<Tables>,
  { quick, grouping, keyedReader, watch, connections, forgetDeleted }: Parts,
): Database {
  const transaction = <Result>(work: (tx: Tx) => Promise<Result>, on: Kysely<Tables>): Promise<Result> =>
    runAgainIfStale(() => tryTransaction(work, on));

  async function tryTransaction<Result>(work: (tx: Tx) => Promise<Result>, on: Kysely<Tables>): Promise<Result> {
    const effects: (() => void)[] = [];
    const undoings: (() => void)[] = [];
    let announced = false;
    const run = on.transaction().execute((transaction) =>
      work({
        sql: transaction,
        afterCommit: (effect) => void effects.push(effect),
        afterRollback: (effect) => void undoings.push(effect),
        async announce(topic) {
          announced = true;
          await watch.count(transaction, topic);
        },
      }),
    );
    const result = await run.catch((error) => {
      for (const effect of undoings) effect();
      throw error;
    });
    if (announced) await watch.poll();
    for (const effect of effects) effect();
    return result;
  }

  return {
    engine,
    sql: db,
    keyedReader,
    statement: createStatement,
    ...createForRows(engine),
    skipLocked: (query) => (engine === 'postgres' ? query.forUpdate().skipLocked() : query),
    async lockInOrder(rows) {
      if (engine === 'postgres') await rows.orderBy('id').forUpdate().execute();
    },
    connections,
    forgetDeleted,
    watch: watch.add,
    transaction(work, { durable = true, joins } = {}) {
      // Only this module makes transactions, and each of them has statements.
      if (joins) return work(joins as Tx);
      return transaction(work, durable ? db : quick);
    },
    grouped(work) {
      // The pauses of groups are short, also while a test moves its clock.
      return createGroups(async (all, onCommit) => {
        const serve = async (tx: Tx) => {
          const results = await work(tx, all);
          onCommit();
          return results;
        };
        return transaction(serve, all.length > 1 ? grouping : db);
      }, systemClock);
    },
    async ping() {
      await db.selectFrom('version').select('number').limit(1).execute();
    },
    async close() {
      watch.stop();
      await db.destroy();
    },
  };
}

function readSqliteRow<Name extends keyof Tables, Column extends keyof Tables[Name]>(
  file: SqliteFile,
  { table, key, columns }: KeyedRows<Name, Column>,
) {
  const text = `select ${columns.join(', ')} from ${table} where ${key} = ?`;
  // The statement selects exactly `columns`, which the compiler cannot see in its text.
  return file.prepareKeyed(text, columns) as SqliteRowReader<Promise<Selected<Name, Column> | undefined>>;
}

function readPostgresRows<Name extends keyof Tables, Column extends keyof Tables[Name]>(
  { queryAlone }: PostgresPool,
  { table, key, columns }: KeyedRows<Name, Column>,
) {
  const text = `select ${key} as batch_key, ${columns.join(', ')} from ${table} where ${key} = any($1)`;
  const read = createBatch<Selected<Name, Column>>(async (keys) => {
    const { rows } = await queryAlone(text, [keys]);
    return new Map(rows.map((row) => [String(row.batch_key), row]));
  });
  return (value: string | number) => read(String(value));
}
