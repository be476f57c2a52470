// latchkey move: copies everything to another database, from SQLite to PostgreSQL or back.
import type { Kysely } from 'kysely';
import type { Side } from '../storage/move.ts';
import { CommandFailure, defineCommand } from './command.ts';
import { print } from './output.ts';

/** Far longer than any statement of a move takes. */
const TIME_LIMITS = { connectMs: 10_000, statementMs: 3_600_000 };

const IN_USE = 'The database is in use: stop the service on all machines, and other commands, then try again.';

export const moveCommand = defineCommand({
  name: 'move',
  about:
    'Copy everything to an empty database, from SQLite to PostgreSQL or back. The service must not run. Tokens stay valid.',
  takes: [],
  options: {
    to: {
      type: 'string',
      value: 'URL',
      about: 'The empty database: postgres://USER:PASSWORD@HOST/DATABASE, or sqlite:PATH.',
    },
  },
  async run({ to }) {
    const [{ readEnvironment }, { findAddressProblem }, { openDatabase }, { moveRows }, { systemRandom }] =
      await Promise.all([
        import('../config/environment.ts'),
        import('../storage/addresses.ts'),
        import('../storage/open.ts'),
        import('../storage/move.ts'),
        import('../foundation/random.ts'),
      ]);
    const { databaseUrl, secret, dataDir } = readEnvironment(process.env);
    if (to === undefined)
      throw new CommandFailure('Say where to: --to postgres://USER:PASSWORD@HOST/DATABASE, or --to sqlite:PATH.');
    const problem = /^sqlite:./.test(to) ? undefined : findAddressProblem(to);
    if (problem) throw new CommandFailure(`--to ${problem}`);
    if (to === databaseUrl) throw new CommandFailure('--to is the database of LATCHKEY_DATABASE_URL itself.');
    const moved = await withSource(databaseUrl, async (from) => {
      const target = await openDatabase(to, { timeLimits: TIME_LIMITS });
      try {
        return await target.transaction((tx) => moveRows(from, { engine: target.engine, sql: tx.sql }, systemRandom));
      } finally {
        await target.close();
      }
    });
    print(`Moved ${moved.rows} rows in ${moved.tables} tables. Their numbers and checksums are equal.`);
    print(
      'Start the service with the new LATCHKEY_DATABASE_URL. The former database is unchanged: delete it when all is well.',
    );
    if (secret === undefined)
      print(`Set LATCHKEY_SECRET to what stands in ${dataDir}/secret: the keys are sealed with it.`);
    return undefined;
  },
});

/** Runs `work` on the database in a transaction in which nobody else can write to it. @throws CommandFailure if somebody uses it. */
async function withSource<Result>(url: string, work: (from: Side) => Promise<Result>): Promise<Result> {
  const { Kysely, sql } = await import('kysely');
  const db: Kysely<unknown> = new Kysely({ dialect: await openSource(url) });
  const engine = url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const [{ countApplied }, { migrations }, { readTables }] = await Promise.all([
    import('../storage/migrate.ts'),
    import('../storage/migrations/index.ts'),
    import('../storage/move.ts'),
  ]);
  try {
    const applied = await countApplied(db, engine, migrations);
    if (applied < migrations.length) {
      const todo = applied === 0 ? 'It is empty: there is nothing to move.' : 'Run: latchkey migrate';
      throw new CommandFailure(`The database is at version ${applied} of ${migrations.length}. ${todo}`);
    }
    return await db.transaction().execute(async (tx) => {
      if (engine === 'postgres') {
        const names = (await readTables()).map(({ name }) => sql.table(name));
        await sql`set local lock_timeout = '2s'`.execute(tx);
        await sql`lock table ${sql.join(names)} in share mode`.execute(tx).catch(() => {
          throw new CommandFailure(IN_USE);
        });
        const others = sql<{ count: number }>`select count(*) as count from pg_stat_activity
          where datname = current_database() and application_name = 'latchkey' and pid <> pg_backend_pid()`;
        if (Number((await others.execute(tx)).rows[0]?.count) > 0) throw new CommandFailure(IN_USE);
      }
      return work({ engine, sql: tx });
    });
  } finally {
    await db.destroy();
  }
}

async function openSource(url: string) {
  if (!url.startsWith('sqlite:')) {
    const { createPostgresDialect, openPostgresPool } = await import('../storage/postgres.ts');
    return createPostgresDialect(openPostgresPool(url, () => {}, TIME_LIMITS, 1));
  }
  const [{ existsSync }, { createSqliteDialect }, { openSqliteAlone }] = await Promise.all([
    import('node:fs'),
    import('../storage/sqlite.ts'),
    import('../storage/sqlite-file.ts'),
  ]);
  const path = url.slice('sqlite:'.length);
  if (!existsSync(path))
    throw new CommandFailure(`There is no database at ${path}: check LATCHKEY_DATABASE_URL and LATCHKEY_DATA_DIR.`);
  try {
    return createSqliteDialect(openSqliteAlone(path));
  } catch {
    throw new CommandFailure(IN_USE);
  }
}
