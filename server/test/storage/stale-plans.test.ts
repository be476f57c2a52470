// A newer program adds columns while this one runs: PostgreSQL refuses statements that were prepared before, and they run again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../src/storage/database.ts';
import { openTestDatabase } from '../support/databases.ts';

/** More than there are connections. */
const CALLS = 30;

describe('statements that PostgreSQL has prepared', () => {
  let database: Database;
  let columns = 0;
  before(async () => {
    database = await openTestDatabase('postgres');
    await database.sql.insertInto('version').values({ topic: 'read', number: 1 }).execute();
  });
  after(() => database.close());

  const addColumn = async () => {
    columns += 1;
    await sql`alter table version add column ${sql.ref(`added_${columns}`)} integer`.execute(database.sql);
  };
  const all = <Result>(call: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: CALLS }, (_, index) => call(index)));
  const read = (from: Pick<Database, 'sql'>) =>
    from.sql.selectFrom('version').selectAll().where('topic', '=', 'read').executeTakeFirstOrThrow();

  it('run again alone', async () => {
    await all(() => read(database));
    await addColumn();
    for (const row of await all(() => read(database))) assert.ok('added_1' in row);
  });

  it('run again with their transaction, whose effects come once', async () => {
    const effects: number[] = [];
    const work = (topic: string) => (index: number) =>
      database.transaction(async (tx) => {
        tx.afterCommit(() => effects.push(index));
        await tx.sql
          .insertInto('version')
          .values({ topic: `${topic} ${index}`, number: index })
          .execute();
        return read(tx);
      });
    await all(work('before'));
    effects.length = 0;
    await addColumn();
    for (const row of await all(work('after'))) assert.ok('added_2' in row);
    assert.equal(new Set(effects).size, CALLS);
    assert.equal(effects.length, CALLS);
  });
});
