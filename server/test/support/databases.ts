// Databases for tests, on every engine: new ones, and those that a former program left.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import pg from 'pg';
import type { Database } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createPostgresDialect, openPostgresPool, type TimeLimits } from '../../src/storage/postgres.ts';
import { createSqliteDialect } from '../../src/storage/sqlite.ts';
import { openSqliteFile } from '../../src/storage/sqlite-file.ts';
import type { Tables } from '../../src/storage/tables.ts';
import { untilServed } from './patience.ts';
import { isLong } from './scale.ts';

/** The engines on which each store and each race is tested. */
export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** Those for what hardly depends on the store: other tests of the short form run the same statements on PostgreSQL. */
export const enginesAtLength: readonly Engine[] = isLong ? engines : ['sqlite'];

/** On a busy machine a statement takes seconds. */
export const PATIENT: TimeLimits = { connectMs: 60_000, statementMs: 60_000 };

const IN_MEMORY = 'sqlite::memory:';

/** The address of a new, empty database: in memory, or on the server that the test run's setup started. */
export const createDatabaseUrl = async (engine: Engine): Promise<string> =>
  engine === 'sqlite' ? IN_MEMORY : createPostgresDatabase('template1');

/** The same for a database that the service opens at once: it is migrated where that saves time. */
export const createMigratedUrl = async (engine: Engine): Promise<string> =>
  engine === 'sqlite' ? IN_MEMORY : createPostgresDatabase(process.env.LATCHKEY_TEST_TEMPLATE ?? 'template1');

async function createPostgresDatabase(template: string): Promise<string> {
  const server = process.env.LATCHKEY_TEST_POSTGRES;
  if (!server) throw new Error('No PostgreSQL: run tests with --test-global-setup=server/test/setup.ts.');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  maintenance ??= connectForGood(server);
  // Copying the files takes a third of what copying through the log takes.
  await (await maintenance).query(`create database ${name} template ${template} strategy file_copy`);
  return addressOf(server, name);
}

/** The connection of this process that makes its databases: opening one takes a third of the time that a database takes. */
let maintenance: Promise<pg.Client> | undefined;

/** Opens a connection that ends with the process. */
async function connectForGood(server: string): Promise<pg.Client> {
  const client = new pg.Client(server);
  await client.connect();
  // The types of `pg` lack the method.
  (client as pg.Client & { unref(): void }).unref();
  return client;
}

/** The address of this database on the server of that one. */
export function addressOf(server: string, name: string): string {
  const address = new URL(server);
  address.pathname = name;
  return address.href;
}

/** The same address with a host and a port instead of a Unix socket, for what stands between. */
export function withPort(url: string): URL {
  const address = new URL(url);
  address.searchParams.delete('host');
  return address;
}

/** Makes, once for a test run, the migrated database of which `createMigratedUrl` makes copies. @returns its name. */
export async function createTemplate(server: string): Promise<string> {
  const name = 'migrated';
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  await (await openPatiently(addressOf(server, name))).close();
  return name;
}

let migratedContent: Promise<Uint8Array> | undefined;

/** Returns the content of a migrated SQLite file, which is made once for a process: the migrations take longer than all of a test. */
export function migratedSqlite(): Promise<Uint8Array> {
  migratedContent ??= migrateSqlite();
  return migratedContent;
}

async function migrateSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-migrated-'));
  const path = join(folder, 'latchkey.db');
  await (await openDatabase(`sqlite:${path}`)).close();
  const file = new DatabaseSync(path);
  // SQLite opens no file in memory that has a write-ahead log.
  file.exec('PRAGMA journal_mode = delete');
  const content = file.serialize();
  file.close();
  rmSync(folder, { recursive: true });
  return content;
}

/** Opens and migrates a database, however busy the machine is. The service itself gives up after two seconds. */
export async function openPatiently(url: string, timeLimits: Partial<TimeLimits> = {}): Promise<Database> {
  const content = url === IN_MEMORY ? await migratedSqlite() : undefined;
  const options = { timeLimits: { ...PATIENT, ...timeLimits }, content };
  return refuseBeside(await untilServed(() => openDatabase(url, options)));
}

/** Runs what a test begins in a transaction of its own, and what is not part of that. */
export const beside = <Result>(work: () => Result): Result => around.exit(work);

/** The transaction in whose work a statement is sent. */
const around = new AsyncLocalStorage<{ isRunning: boolean }>();

/**
 * Fails a statement, or another transaction, that the work of a transaction sends beside it. On SQLite it would wait for that work
 * for ever, and on PostgreSQL for a connection, of which many such callers leave none.
 */
function refuseBeside(database: Database): Database {
  const within =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const transaction = { isRunning: true };
      try {
        return await around.run(transaction, () => work(...given));
      } finally {
        transaction.isRunning = false;
      }
    };
  const executor = database.sql.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  executor.provideConnection = async (...given) => {
    if (around.getStore()?.isRunning) throw new Error('A statement beside the transaction in whose work it is sent.');
    return provide(...given);
  };
  return {
    ...database,
    transaction: (work, options) => database.transaction(options?.joins ? work : within(work), options),
    grouped: (work) => database.grouped(within(work)),
  };
}

/** A new, migrated, empty database; the caller closes it. */
export const openTestDatabase = async (engine: Engine): Promise<Database> =>
  openPatiently(await createMigratedUrl(engine));

/** Drops every test's database on this server. */
export async function dropTestDatabases(server: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  const { rows } = await client.query("select datname from pg_database where datname like 'test\\_%'");
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.end();
}

/**
 * Makes a database as the program before a migration left it.
 * @param fill writes its rows, with the columns of that time alone.
 */
export async function createFormerDatabase(
  engine: Engine,
  url: string,
  migration: string,
  fill: (db: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const count = migrations.findIndex(({ name }) => name === migration);
  if (count < 0) throw new Error(`There is no migration ${migration}.`);
  const dialect =
    engine === 'sqlite'
      ? createSqliteDialect(openSqliteFile(url.slice('sqlite:'.length)))
      : createPostgresDialect(openPostgresPool(url, () => {}, PATIENT));
  const former = new Kysely<unknown>({ dialect });
  await migrate(former, engine, migrations.slice(0, count));
  await fill(former.withTables<Tables>());
  await former.destroy();
}
