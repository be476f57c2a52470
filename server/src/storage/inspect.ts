// Inspecting: a look at a database that changes nothing in it, not even its version.
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import { splitAddresses } from './addresses.ts';
import type { Statements, Tables } from './database.ts';
import { countApplied } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { createPostgresDialect, openPostgresPool } from './postgres.ts';
import { createSqliteDialect } from './sqlite.ts';
import { openSqliteReadOnly } from './sqlite-file.ts';

/** A database, opened for looking. */
export interface Inspection {
  /** Engine and its version, for people. */
  readonly engine: string;
  /** Where an embedded database lies, in bytes: its own size and what is free on that disk. */
  readonly disk: { readonly used: number; readonly free: number } | undefined;
  readonly sql: Statements;
  /** Migrations applied, and those that this program knows. Rejects with `MigrationError` when it cannot use the database. */
  countMigrations(): Promise<{ applied: number; known: number }>;
  /** What speaks against writing to it or storing all names in it, if anything. */
  findUnreadyReason(): Promise<string | undefined>;
  /** How it could lose what was acknowledged, if it is set to. */
  findRisk(): Promise<string | undefined>;
  /** The database server's clock; nothing for an embedded one, which has none. */
  readClock(): Promise<Instant | undefined>;
  close(): Promise<void>;
}

/**
 * Opens what `url` names.
 * @returns nothing when it names a file that is not there yet.
 * Rejects with the driver's error when it cannot be reached or is no database.
 */
export function inspectDatabase(url: string): Promise<Inspection | undefined> {
  return url.startsWith('sqlite:') ? inspectSqlite(url.slice('sqlite:'.length)) : inspectPostgres(url);
}

async function inspectSqlite(path: string): Promise<Inspection | undefined> {
  if (path === ':memory:' || !existsSync(path)) return undefined;
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(openSqliteReadOnly(path)) });
  const { bavail, bsize } = statfsSync(dirname(path));
  return inspect(db, {
    engine: `SQLite ${(await readOne(db, sql<{ value: string }>`select sqlite_version() as value`)) ?? ''}`,
    disk: { used: statSync(path).size, free: bavail * bsize },
    hasRecord: sql<{ value: number }>`select count(*) as value from sqlite_master where name = 'schema_migration'`,
    findUnreadyReason: async () => undefined,
    findRisk: async () => undefined,
    readClock: async () => undefined,
  });
}

async function inspectPostgres(url: string): Promise<Inspection> {
  const db = new Kysely<Tables>({ dialect: createPostgresDialect(openPostgresPool(url, () => {})) });
  return inspect(db, {
    engine: `PostgreSQL ${(await readOne(db, sql<{ value: string }>`select current_setting('server_version') as value`)) ?? ''}`,
    disk: undefined,
    hasRecord: sql<{ value: number }>`select count(to_regclass('schema_migration')) as value`,
    async findUnreadyReason() {
      const replica = sql<{ value: boolean }>`select pg_is_in_recovery() as value`;
      if (await readOne(db, replica)) return 'is a read-only replica: name the primary server';
      const encoding = await readOne(db, sql<{ value: string }>`select current_setting('server_encoding') as value`);
      return encoding === 'UTF8' ? undefined : `has the encoding ${encoding}: make it anew with encoding UTF8`;
    },
    async findRisk() {
      const commit = await readOne(db, sql<{ value: string }>`select current_setting('synchronous_commit') as value`);
      if (commit === 'off') return 'forgets in a crash what it acknowledged last: set synchronous_commit = on';
      if (splitAddresses(url).length === 1) return undefined;
      const standbys = sql<{ value: string }>`select current_setting('synchronous_standby_names') as value`;
      if (commit !== 'local' && (await readOne(db, standbys))) return undefined;
      return 'acknowledges what no standby has, and a failover loses it: set synchronous_standby_names, and synchronous_commit = on';
    },
    readClock: () =>
      readOne(db, sql<{ value: Instant }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as value`),
  });
}

type Engine = Pick<Inspection, 'engine' | 'disk' | 'findUnreadyReason' | 'findRisk' | 'readClock'> & {
  hasRecord: ReturnType<typeof sql<{ value: number }>>;
};

function inspect(db: Kysely<Tables>, { hasRecord, ...engine }: Engine): Inspection {
  return {
    ...engine,
    sql: db,
    async countMigrations() {
      const hasTable = Number(await readOne(db, hasRecord)) > 0;
      const applied = hasTable ? await countApplied(db as unknown as Kysely<never>, migrations) : 0;
      return { applied, known: migrations.length };
    },
    close: () => db.destroy(),
  };
}

/** The one value of a query. */
async function readOne<Value>(
  db: Kysely<Tables>,
  query: ReturnType<typeof sql<{ value: Value }>>,
): Promise<Value | undefined> {
  return (await query.execute(db)).rows[0]?.value;
}
