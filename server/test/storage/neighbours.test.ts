// Two neighbouring versions run on one database: a migration takes nothing away that the program before it uses.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Kysely } from 'kysely';
import { migrate } from '../../src/storage/migrate.ts';
import { LAST_ALONE, mayRollFrom, migrations } from '../../src/storage/migrations/index.ts';
import { createPostgresDialect, openPostgresPool } from '../../src/storage/postgres.ts';
import { createSqliteDialect } from '../../src/storage/sqlite.ts';
import { openSqliteFile } from '../../src/storage/sqlite-file.ts';
import { createDatabaseUrl, engines, PATIENT } from '../support/databases.ts';
import { findTakenAway } from '../support/taken-away.ts';

describe('a migration', () => {
  for (const engine of engines) {
    it(`takes nothing away from the program before it on ${engine}, or says what it needs`, async () => {
      const statements: string[] = [];
      const dialect =
        engine === 'sqlite'
          ? createSqliteDialect(openSqliteFile(':memory:'))
          : createPostgresDialect(openPostgresPool(await createDatabaseUrl(engine), () => {}, PATIENT));
      const db = new Kysely<unknown>({ dialect, log: ({ query }) => void statements.push(query.sql) });
      for (const [index, { name, needs }] of migrations.entries()) {
        const number = index + 1;
        statements.length = 0;
        await migrate(db, engine, migrations.slice(0, number));
        const own = statements.filter((statement) => !/schema_migration|advisory|lock_timeout/.test(statement));
        assert.ok(own.length > 0, `migration ${number} (${name}) has statements`);
        if (number <= LAST_ALONE) continue;
        if (needs === undefined) assert.deepEqual(findTakenAway(own), [], `migration ${number} (${name})`);
        else assert.ok(needs < number, `migration ${number} (${name}) lets the program before it go on`);
      }
      await db.destroy();
    });
  }

  it('lets nodes be replaced one by one unless it needs more than they know', () => {
    const before = migrations.slice(0, LAST_ALONE);
    const adds = { name: 'adds', up: async () => {} };
    assert.ok(mayRollFrom(LAST_ALONE, [...before, adds, adds]));
    assert.ok(!mayRollFrom(LAST_ALONE, [...before, adds, { ...adds, needs: LAST_ALONE + 1 }]));
    assert.ok(mayRollFrom(LAST_ALONE + 1, [...before, adds, { ...adds, needs: LAST_ALONE + 1 }]));
    assert.ok(!mayRollFrom(LAST_ALONE - 1, [...before, adds]));
  });

  it('that only adds is told from one that takes away', () => {
    const adds = [
      'create table "thing" ("id" text primary key)',
      'create unique index "thing_id" on "thing" ("id")',
      'insert into thing select id from account',
      'alter table "account" add column "shoe_size" integer',
      `alter table "account" add column "colour" text default 'red' not null`,
      'update "account" set "shoe_size" = 1, "colour" = 2 where "id" = ?',
      'create index "account_colour" on "account" ("colour")',
      'select 1',
    ];
    assert.deepEqual(findTakenAway(adds), []);
    const takes = [
      'alter table "account" add column "shoe_size" integer not null',
      'alter table "account" add column "shoe_size" integer unique',
      'alter table "account" add column "owner" text references account (id)',
      'alter table "account" drop column "name"',
      'alter table "account" rename to "person"',
      'alter table "account" alter column "name" set not null',
      'create unique index "account_name" on "account" ("name")',
      'drop index "account_name"',
      'drop table "pin"',
      `update "account" set "name" = 'x'`,
      'delete from "pin"',
      `insert into role (id) values ('x')`,
      'truncate pin',
    ];
    for (const statement of takes) assert.equal(findTakenAway([statement]).length, 1, statement);
  });
});
