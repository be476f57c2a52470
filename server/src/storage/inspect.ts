// Inspection: reads a database and changes nothing in it. It applies no migrations.
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import { splitAddresses } from './addresses.ts';
import { COMMAND_LIMITS } from './command-limits.ts';
import type { Statements, Tables } from './database.ts';
import { countApplied } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { createPostgresDialect, openPostgresPool } from './postgres.ts';
import { isOnThisMachine } from './server-tls.ts';
import { createSqliteDialect } from './sqlite.ts';
import { openSqliteReadOnly } from './sqlite-file.ts';

/** A database, opened for inspection. */
export interface Inspection {
  /** Name and version of the engine, for display. */
  readonly engine: string;
  /** The size of an embedded database and the free space on its disk, in bytes. */
  readonly disk: { readonly used: number; readonly free: number } | undefined;
  readonly sql: Statements;
  /**
   * Counts the applied migrations, and the migrations of this program.
   * @throws MigrationError if this program cannot use the database.
   */
  countMigrations(): Promise<{ applied: number; known: number }>;
  /** Returns why the service cannot write to the database, or cannot store all names in it. */
  findUnreadyReason(): Promise<string | undefined>;
  /** Returns how the database's configuration could lose acknowledged data, and whether others can read along. */
  findRisks(): Promise<readonly string[]>;
  /** Reads the database server's clock. Returns `undefined` for an embedded database. */
  readClock(): Promise<Instant | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the database of `url`.
 * @returns `undefined` if the file does not exist yet.
 * @throws Error the driver's, if the database is out of reach or the file is no database.
 */
export function inspectDatabase(url: string): Promise<Inspection | undefined> {
  return url.startsWith('sqlite:') ? inspectSqlite(url.slice('sqlite:'.length)) : inspectPostgres(url);
}

async function inspectSqlite(path: string): Promise<Inspection | undefined> {
  if (path === ':memory:' || !existsSync(path)) return undefined;
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(openSqliteReadOnly(path)) });
  const { bavail, bsize } = statfsSync(dirname(path));
  return inspect(db, 'sqlite', {
    sql: db,
    engine: `SQLite ${(await readOne(db, sql<{ value: string }>`select sqlite_version() as value`)) ?? ''}`,
    disk: { used: statSync(path).size, free: bavail * bsize },
    findUnreadyReason: async () => undefined,
    findRisks: async () => [],
    readClock: async () => undefined,
  });
}

async function inspectPostgres(url: string): Promise<Inspection> {
  const open = (limits = {}) =>
    new Kysely<Tables>({ dialect: createPostgresDialect(openPostgresPool(url, () => {}, limits)) });
  // A database that hangs is found within seconds. What reads whole tables has the time of a command.
  const [db, patient] = [open(), open(COMMAND_LIMITS)];
  return inspect(db, 'postgres', {
    sql: patient,
    engine: `PostgreSQL ${(await readOne(db, sql<{ value: string }>`select current_setting('server_version') as value`)) ?? ''}`,
    disk: undefined,
    async findUnreadyReason() {
      const replica = sql<{ value: boolean }>`select pg_is_in_recovery() as value`;
      if (await readOne(db, replica)) return 'is a read-only replica: use the address of the primary server';
      const encoding = await readOne(db, sql<{ value: string }>`select current_setting('server_encoding') as value`);
      return encoding === 'UTF8' ? undefined : `has the encoding ${encoding}: create it again with encoding UTF8`;
    },
    findRisks: async () =>
      (await Promise.all([findLoss(db, url), findExposure(db, url)])).filter((risk) => risk !== undefined),
    readClock: () =>
      readOne(db, sql<{ value: Instant }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as value`),
  });
}

async function findLoss(db: Kysely<Tables>, url: string): Promise<string | undefined> {
  const commit = await readOne(db, sql<{ value: string }>`select current_setting('synchronous_commit') as value`);
  if (commit === 'off') return 'can lose the last acknowledged commits in a crash: set synchronous_commit = on';
  if (splitAddresses(url).length === 1) return undefined;
  const standbys = sql<{ value: string }>`select current_setting('synchronous_standby_names') as value`;
  if (commit !== 'local' && (await readOne(db, standbys))) return undefined;
  return 'acknowledges commits that no standby has, and a failover loses them: set synchronous_standby_names, and synchronous_commit = on';
}

async function findExposure(db: Kysely<Tables>, url: string): Promise<string | undefined> {
  if (splitAddresses(url).every(isOnThisMachine)) return undefined;
  const isEncrypted = sql<{ value: boolean }>`select ssl as value from pg_stat_ssl where pid = pg_backend_pid()`;
  if (await readOne(db, isEncrypted)) return undefined;
  return 'is reached without TLS, so that others on the network can read along: add sslmode=verify-full to its address';
}

type Parts = { sql: Kysely<Tables> } & Pick<
  Inspection,
  'engine' | 'disk' | 'findUnreadyReason' | 'findRisks' | 'readClock'
>;

function inspect(db: Kysely<Tables>, engine: 'sqlite' | 'postgres', parts: Parts): Inspection {
  return {
    ...parts,
    async countMigrations() {
      return { applied: await countApplied(db, engine, migrations), known: migrations.length };
    },
    close: async () => void (await Promise.all([db.destroy(), parts.sql.destroy()])),
  };
}

/** Returns the one value of a query. */
async function readOne<Value>(
  db: Kysely<Tables>,
  query: ReturnType<typeof sql<{ value: Value }>>,
): Promise<Value | undefined> {
  return (await query.execute(db)).rows[0]?.value;
}
