// Migrations: applied once, each step completely or not at all, and never to a database that this program does not know.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { MigrationError, migrate } from '../../src/storage/migrate.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import type { Migration } from '../../src/storage/migrations/migration.ts';
import { createPostgresDialect, openPostgresPool } from '../../src/storage/postgres.ts';
import { createSqliteDialect } from '../../src/storage/sqlite.ts';
import { openSqliteFile } from '../../src/storage/sqlite-file.ts';
import { createDatabaseUrl, createFormerDatabase, createMigratedUrl, engines, PATIENT } from '../support/databases.ts';
import { readGuideFile, runGuideStatements } from '../support/guide.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-migrate-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const makeTable = (name: string): Migration => ({
  name,
  up: (db) => db.schema.createTable(name).addColumn('id', 'integer').execute(),
});
const fails: Migration = {
  name: 'fails',
  async up(db) {
    await db.schema.createTable('left_over').addColumn('id', 'integer').execute();
    await sql`insert into no_such_table values (1)`.execute(db);
  },
};

for (const engine of engines) {
  describe(`migrations on ${engine}`, () => {
    const newUrl = async () =>
      engine === 'sqlite' ? `sqlite:${join(folder, `${files++}.db`)}` : createDatabaseUrl(engine);
    const withDatabase = async (url: string, work: (db: Kysely<unknown>) => Promise<unknown>) => {
      const dialect =
        engine === 'sqlite'
          ? createSqliteDialect(openSqliteFile(url.slice('sqlite:'.length)))
          : createPostgresDialect(openPostgresPool(url, () => {}, PATIENT));
      const db = new Kysely<unknown>({ dialect });
      try {
        return await work(db);
      } finally {
        await db.destroy();
      }
    };
    const run = (url: string, steps: Migration[]) => withDatabase(url, (db) => migrate(db, engine, steps));
    const tables = async (url: string) =>
      withDatabase(url, async (db) => (await db.introspection.getTables()).map(({ name }) => name).toSorted());

    it('apply missing steps, and none twice', async () => {
      const url = await newUrl();
      await run(url, [makeTable('first')]);
      await run(url, [makeTable('first'), makeTable('second')]);
      await run(url, [makeTable('first'), makeTable('second')]);
      assert.deepEqual(await tables(url), ['first', 'schema_migration', 'second']);
    });

    it('leave nothing behind of a step that fails, and go on from it at the next start', async () => {
      const url = await newUrl();
      await run(url, [makeTable('first')]);
      await assert.rejects(run(url, [makeTable('first'), makeTable('second'), fails]), (error) => {
        assert.ok(error instanceof MigrationError);
        assert.match(
          error.message,
          /^Migration 3 \(fails\) failed and was rolled back; the database is at version 2\.$/,
        );
        return true;
      });
      assert.deepEqual(await tables(url), ['first', 'schema_migration', 'second']);
      await run(url, [makeTable('first'), makeTable('second'), makeTable('third')]);
      assert.deepEqual(await tables(url), ['first', 'schema_migration', 'second', 'third']);
    });

    it('let an older program go on with a database that has only gained something', async () => {
      const url = await newUrl();
      const first = makeTable('first');
      await run(url, [first, makeTable('second'), makeTable('third')]);
      assert.deepEqual(await run(url, [first]), []);
      assert.deepEqual(await tables(url), ['first', 'schema_migration', 'second', 'third']);
    });

    it('refuse a program that still needs what a step has taken away', async () => {
      const url = await newUrl();
      const [first, second] = [makeTable('first'), makeTable('second')];
      await run(url, [first, second, { ...makeTable('third'), needs: 2 }, makeTable('fourth')]);
      assert.deepEqual(await run(url, [first, second]), []);
      await assert.rejects(run(url, [first]), /database is at version 4, but this program knows 1/);
    });

    it('refuse an older program a database from before this was recorded', async () => {
      const url = await newUrl();
      await withDatabase(url, async (db) => {
        await sql`create table schema_migration (number integer primary key, name text not null)`.execute(db);
        await sql`insert into schema_migration (number, name) values (1, 'first'), (2, 'second')`.execute(db);
      });
      const steps = [makeTable('first'), makeTable('second')];
      await assert.rejects(run(url, steps.slice(0, 1)), /database is at version 2, but this program knows 1/);
      assert.deepEqual(await run(url, steps), []);
      await run(url, [...steps, makeTable('third')]);
      await assert.rejects(run(url, steps.slice(0, 1)), /database is at version 3, but this program knows 1/);
      assert.deepEqual(await run(url, steps), []);
    });

    it('refuse a database whose record has a gap or an unknown step', async () => {
      const url = await newUrl();
      await run(url, [makeTable('first'), makeTable('second'), makeTable('third')]);
      await withDatabase(url, (db) => sql`delete from schema_migration where number = 2`.execute(db));
      const steps = [makeTable('first'), makeTable('second'), makeTable('third')];
      await assert.rejects(
        run(url, steps),
        /record of migrations is damaged: step 2 should be "second", but 3 "third" is recorded/,
      );
      const other = await newUrl();
      await run(other, [makeTable('elsewhere')]);
      await assert.rejects(run(other, steps), /record of migrations is damaged/);
    });

    it('migrate once when several processes start at the same time', async () => {
      const url = await newUrl();
      const open = new URL('../../src/storage/open.ts', import.meta.url).href;
      const script = `const { openDatabase } = await import('${open}'); await (await openDatabase('${url}')).close();`;
      const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
      await Promise.all([start(), start(), start(), start()]);
      await run(url, [...migrations]);
    });
  });
}

describe('migrations of a PostgreSQL database that nodes use', () => {
  const addColumns: Migration = {
    name: 'add columns',
    async up(db) {
      await db.schema.alterTable('account').addColumn('added', 'text').execute();
      await db.schema.alterTable('session').addColumn('added', 'text').execute();
    },
  };
  const before = [makeTable('account'), makeTable('session')];

  /** Opens a database with the tables of `before`, and the connection of a node, which waits for no lock. */
  async function open() {
    const url = await createDatabaseUrl('postgres');
    const db = new Kysely<unknown>({ dialect: createPostgresDialect(openPostgresPool(url, () => {}, PATIENT)) });
    await migrate(db, 'postgres', before);
    const [node, other] = [new pg.Client(url), new pg.Client(url)];
    await Promise.all([node.connect(), other.connect()]);
    return {
      db,
      other,
      async use() {
        await node.query('begin; lock table account in access share mode nowait; select * from account');
        await node.query('lock table session in row exclusive mode nowait; insert into session values (1); commit');
      },
      async close() {
        await Promise.all([node.end(), other.end()]);
        await db.destroy();
      },
    };
  }

  it('keep no table of a step while a later one runs', async () => {
    const { db, use, close } = await open();
    const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held: Migration = {
      name: 'held',
      async up(tx) {
        await tx.schema.createTable('later').addColumn('id', 'integer').execute();
        isHeld.resolve();
        await mayEnd.promise;
      },
    };
    const migrating = migrate(db, 'postgres', [...before, addColumns, held]);
    try {
      await isHeld.promise;
      await use();
    } finally {
      mayEnd.resolve();
      await migrating;
      await close();
    }
  });

  it('leave a table that a long transaction holds to the nodes, and try again', async () => {
    const { db, other, use, close } = await open();
    await other.query('begin; lock table session in access share mode');
    let pauses = 0;
    try {
      await migrate(db, 'postgres', [...before, addColumns], async () => {
        pauses += 1;
        await use();
        if (pauses === 2) await other.query('rollback');
      });
      assert.equal(pauses, 2);
      assert.deepEqual((await other.query('select id, added from session')).rows, [
        { id: 1, added: null },
        { id: 1, added: null },
      ]);
    } finally {
      await close();
    }
  });

  it('take the indexes that the guide lets an operator build before', async () => {
    const url = await createDatabaseUrl('postgres');
    await createFormerDatabase('postgres', url, 'open sessions', async () => {});
    const operator = new pg.Client(url);
    await operator.connect();
    const migrated = new pg.Client(await createMigratedUrl('postgres'));
    await migrated.connect();
    const readIndexes = async (client: pg.Client) => {
      const { rows } = await client.query(
        "select indexdef from pg_indexes where schemaname = 'public' order by indexname",
      );
      return rows.map(({ indexdef }) => indexdef);
    };
    const block = readGuideFile('upgrading.md', 'indexes');
    assert.equal(block.match(/^create index concurrently /gm)?.length, 6);
    await runGuideStatements(operator, block);
    const db = new Kysely<unknown>({ dialect: createPostgresDialect(openPostgresPool(url, () => {}, PATIENT)) });
    await migrate(db, 'postgres', migrations);
    assert.deepEqual(await readIndexes(operator), await readIndexes(migrated));
    await Promise.all([operator.end(), migrated.end(), db.destroy()]);
  });
});
