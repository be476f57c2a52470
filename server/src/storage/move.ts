// Moving: copies every row of one database to another, of either engine, and proves that all have arrived.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type Dialect, Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { AuthError, errorCodeOf, errorMessageOf } from '../foundation/errors.ts';
import type { Random } from '../foundation/random.ts';
import type { Database } from './database.ts';
import { markPathOf } from './high-water-mark.ts';
import { countApplied } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { findMissing } from './missing.ts';
import { openDatabase } from './open.ts';
import { createSqliteDialect } from './sqlite.ts';
import { openSqliteAlone } from './sqlite-file.ts';

/** In rows, for one statement. */
const PAGE = 500;

/** Of one statement. SQLite allows 32,766. */
const MAX_VALUES = 30_000;

type Engine = Database['engine'];

/** A database in a transaction in which nobody else writes to it. */
type Side = { readonly engine: Engine; readonly sql: QueryExecutorProvider };

type Table = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly numbered: string | undefined;
};

/** A table's rows, in numbers: how many, and a sum of their digests, which depends on no order. */
type Sum = { readonly count: number; readonly digest: bigint };

type Moved = { readonly tables: number; readonly rows: number };

/** A database that cannot be moved, or not to there. `message` is one line that says what to do. */
class MoveError extends Error {
  override readonly name = 'MoveError';
}

/**
 * Returns all tables of the service, accounts first: others refer to them. They come from the migrations, so that none is
 * forgotten, and none of another program is taken along.
 */
async function readTables(): Promise<readonly Table[]> {
  const model = await openDatabase('sqlite::memory:');
  const found = await model.sql.introspection.getTables();
  await model.close();
  const tables = found.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => column.name),
    numbered: columns.find(({ isAutoIncrementing }) => isAutoIncrementing)?.name,
  }));
  return tables
    .filter(({ name }) => name !== 'schema_migration')
    .toSorted((one, other) => Number(other.name === 'account') - Number(one.name === 'account'));
}

/** Far longer than any statement of a move takes. */
const TIME_LIMITS = { connectMs: 10_000, statementMs: 3_600_000, isPerTransaction: true };

const IN_USE = 'The database is in use: stop the service on all machines, and other commands, then try again.';

/**
 * Copies everything from one database to another. The source stays as it is.
 * @param from the address of the source, `sqlite:PATH` or `postgres://…`. @param to that of the target, which is migrated first.
 * @throws MoveError if the source is in use, of another version or not there, or the target not empty.
 */
export async function moveDatabase(from: string, to: string, random: Random): Promise<Moved> {
  const engine = from.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const source = new Kysely<unknown>({ dialect: await openSource(from) });
  try {
    const applied = await countApplied(source, engine, migrations);
    // A newer program may have added columns, of which this one knows nothing.
    const todo =
      applied > migrations.length
        ? 'Move it with the newer program.'
        : applied === 0
          ? 'It is empty: there is nothing to move.'
          : 'Run: latchkey migrate';
    if (applied !== migrations.length)
      throw new MoveError(`The database is at version ${applied} of ${migrations.length}. ${todo}`);
    return await source.transaction().execute(async (tx) => {
      if (engine === 'postgres') await requireUnused(tx);
      return fillTarget({ engine, sql: tx }, to, random);
    });
  } finally {
    await source.destroy();
  }
}

async function openSource(url: string): Promise<Dialect> {
  if (!url.startsWith('sqlite:')) {
    const { createPostgresDialect, openPostgresPool } = await import('./postgres.ts');
    return createPostgresDialect(openPostgresPool(url, () => {}, TIME_LIMITS, 1));
  }
  const missing = findMissing(url);
  if (missing) throw new MoveError(missing);
  try {
    return createSqliteDialect(openSqliteAlone(url.slice('sqlite:'.length)));
  } catch {
    throw new MoveError(IN_USE);
  }
}

/** Keeps others from writing to PostgreSQL until the transaction ends. @throws MoveError if a service or a command is connected. */
async function requireUnused(db: QueryExecutorProvider): Promise<void> {
  const names = (await readTables()).map(({ name }) => sql.table(name));
  await sql`set local lock_timeout = '2s'`.execute(db);
  await sql`lock table ${sql.join(names)} in share mode`.execute(db).catch(() => {
    throw new MoveError(IN_USE);
  });
  const others = sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'latchkey' and pid <> pg_backend_pid()`;
  if (Number((await others.execute(db)).rows[0]?.count) > 0) throw new MoveError(IN_USE);
}

/** Returns what the database says, without its address. */
const whyOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : errorMessageOf(error);

async function fillTarget(from: Side, to: string, random: Random): Promise<Moved> {
  const target = await openDatabase(to, { timeLimits: TIME_LIMITS }).catch((error) => {
    throw new MoveError(
      `The target cannot be opened (${whyOf(error)}). Check its address, and that it can be written to.`,
    );
  });
  try {
    const moved = await target
      .transaction((tx) => moveRows(from, { engine: target.engine, sql: tx.sql }, random))
      .catch((error) => {
        // Either database may have failed. A command blames the source for what is no MoveError.
        if (error instanceof MoveError || !(error instanceof AuthError || errorCodeOf(error) !== undefined))
          throw error;
        throw new MoveError(
          `The move has failed (${whyOf(error)}). Check both databases, and start again with an empty target.`,
        );
      });
    // To the mark of a former database there, this one would look like a restored copy, and its sessions would end.
    if (target.engine === 'sqlite') rmSync(markPathOf(to), { force: true });
    return moved;
  } finally {
    await target.close();
  }
}

/**
 * Replaces what migrations have written into an empty target by the rows of the source, and begins a new epoch of
 * revocations: cursors of the source mean nothing there.
 * @throws MoveError if the target is not empty, or has other rows in the end. The caller's transaction then undoes all.
 */
async function moveRows(from: Side, to: Side, random: Random): Promise<Moved> {
  const tables = await readTables();
  await requireEmpty(to);
  let rows = 0;
  for (const table of tables.toReversed()) await sql`delete from ${sql.table(table.name)}`.execute(to.sql);
  for (const table of tables) {
    const sent = await copy(table, from, to);
    const arrived = await sum(table, to);
    if (sent.count !== arrived.count || sent.digest !== arrived.digest)
      throw new MoveError(
        `The table ${table.name} did not arrive as it was. The target is unchanged: please report this.`,
      );
    rows += sent.count;
    if (table.numbered)
      await setNumber(table.name, table.numbered, await readNumber(table.name, table.numbered, from), to);
  }
  if (to.engine === 'postgres')
    await sql`select setval('revocation_number', (select max(number) from revocation)) where exists (select from revocation)`.execute(
      to.sql,
    );
  await sql`update revocation_epoch set epoch = ${random.bytes(6).toString('hex')}`.execute(to.sql);
  return { tables: tables.length, rows };
}

/** A service that has ever started has each of these. */
async function requireEmpty({ sql: db }: Side): Promise<void> {
  for (const name of ['account', 'signing_key', 'audit', 'setting_value']) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0)
      throw new MoveError(`The target is not empty: its table ${name} has rows. Use an empty database.`);
  }
}

async function copy(table: Table, from: Side, to: Side): Promise<Sum> {
  const columns = sql.join(table.columns.map((name) => sql.ref(name)));
  let total: Sum = { count: 0, digest: 0n };
  for await (const rows of readPages(table, from, Math.min(PAGE, Math.floor(MAX_VALUES / table.columns.length)))) {
    const values = sql.join(rows.map((row) => sql`(${sql.join(row)})`));
    await sql`insert into ${sql.table(table.name)} (${columns}) values ${values}`.execute(to.sql).catch((error) => {
      throw new MoveError(`The target does not take the table ${table.name} (${whyOf(error)}). It is unchanged.`);
    });
    total = add(total, rows);
  }
  return total;
}

async function sum(table: Table, side: Side): Promise<Sum> {
  let total: Sum = { count: 0, digest: 0n };
  for await (const rows of readPages(table, side, PAGE)) total = add(total, rows);
  return total;
}

function add({ count, digest }: Sum, rows: readonly (readonly unknown[])[]): Sum {
  const digests = rows.map((row) => BigInt(`0x${createHash('sha256').update(JSON.stringify(row)).digest('hex')}`));
  return {
    count: count + rows.length,
    digest: BigInt.asUintN(
      256,
      digests.reduce((one, other) => one + other, digest),
    ),
  };
}

/** Yields the rows of a table as values in the order of its columns: by a cursor on PostgreSQL, by number of row on SQLite. */
async function* readPages({ name, columns }: Table, { engine, sql: db }: Side, size: number) {
  type Row = Readonly<Record<string, unknown>>;
  const refs = sql.join(columns.map((column) => sql.ref(column)));
  if (engine === 'postgres')
    await sql`declare moved no scroll cursor for select ${refs} from ${sql.table(name)}`.execute(db);
  let last = 0;
  for (;;) {
    const { rows } =
      engine === 'postgres'
        ? await sql<Row>`fetch ${sql.lit(size)} from moved`.execute(db)
        : await sql<Row>`select rowid as "rowid of it", ${refs} from ${sql.table(name)} where rowid > ${last} order by rowid limit ${size}`.execute(
            db,
          );
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => row[column]));
    if (rows.length < size) break;
    last = Number(rows.at(-1)?.['rowid of it']);
  }
  if (engine === 'postgres') await sql`close moved`.execute(db);
}

/** Returns the highest number that a table has given out: those of deleted rows never come again. */
async function readNumber(table: string, column: string, { engine, sql: db }: Side): Promise<number> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db);
    return rows[0]?.seq ?? 0;
  }
  const found = await sql<{ name: string | null }>`select pg_get_serial_sequence(${table}, ${column}) as name`.execute(
    db,
  );
  const name = found.rows[0]?.name;
  // The one who writes the row of some tables gives it its number.
  if (!name) return 0;
  const { rows } = await sql<{ number: number }>`
    select case when is_called then last_value else 0 end as number from ${sql.raw(name)}`.execute(db);
  return rows[0]?.number ?? 0;
}

async function setNumber(table: string, column: string, number: number, { engine, sql: db }: Side): Promise<void> {
  if (number === 0) return;
  if (engine === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${number})`.execute(db);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${number})`.execute(db);
}
