// The storage on both engines: transactions, keyed readers, migrations.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { serviceErrors } from '../../src/foundation/errors.ts';
import { COMMAND_LIMITS } from '../../src/storage/command-limits.ts';
import type { Database, Statements } from '../../src/storage/database.ts';
import { inspectDatabase } from '../../src/storage/inspect.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createWatch } from '../../src/storage/watch.ts';
import { createManualClock } from '../support/clock.ts';
import { beside, createMigratedUrl, engines, openTestDatabase, withPort } from '../support/databases.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const ways = engines.flatMap((engine) => [
  { engine, options: {}, name: engine },
  { engine, options: { durable: false }, name: `${engine}, not durable` },
]);

for (const { engine, options, name } of ways) {
  describe(`database on ${name}`, () => {
    let database: Database;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    const versions = async () => {
      const rows = await database.sql.selectFrom('version').selectAll().orderBy('topic').execute();
      return rows.map(({ topic, number }) => ({ topic, number }));
    };

    it('keeps what a transaction wrote, and runs its effects once it is durable', async () => {
      const seen: string[] = [];
      await database.transaction(async (tx) => {
        tx.afterCommit(() => seen.push('effect'));
        await tx.sql.insertInto('version').values({ topic: 'kept', number: 1 }).execute();
        seen.push('work');
      }, options);
      assert.deepEqual(seen, ['work', 'effect']);
      assert.deepEqual(await versions(), [{ topic: 'kept', number: 1 }]);
    });

    it('undoes a transaction that fails, and runs none of its effects', async () => {
      const work = database.transaction(async (tx) => {
        tx.afterCommit(() => assert.fail('an effect of a transaction that was rolled back'));
        await tx.sql.insertInto('version').values({ topic: 'undone', number: 1 }).execute();
        throw new Error('stop');
      }, options);
      await assert.rejects(work, /stop/);
      assert.deepEqual(await versions(), [{ topic: 'kept', number: 1 }]);
    });

    it('rolls back only the transactions that fail, of many at once', async () => {
      const ends = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) =>
          database.transaction(async (tx) => {
            await tx.sql
              .insertInto('version')
              .values({ topic: `many ${n}`, number: n })
              .execute();
            if (n % 3 === 0) throw new Error('stop');
            await tx.sql.updateTable('version').set({ number: -n }).where('topic', '=', `many ${n}`).execute();
          }, options),
        ),
      );
      assert.deepEqual(
        ends.map(({ status }) => status === 'rejected'),
        ends.map((_, n) => n % 3 === 0),
      );
      const kept = await database.sql
        .deleteFrom('version')
        .where('topic', 'like', 'many %')
        .returning('number')
        .execute();
      const expected = ends.flatMap((_, n) => (n % 3 === 0 ? [] : [-n]));
      assert.deepEqual(
        kept.map(({ number }) => number).toSorted((a, b) => b - a),
        expected,
      );
    });

    it('adds up 100 concurrent transactions', async () => {
      await Promise.all(
        Array.from({ length: 100 }, () =>
          database.transaction(async (tx) => {
            await tx.sql
              .updateTable('version')
              .set((eb) => ({ number: eb('number', '+', 1) }))
              .where('topic', '=', 'kept')
              .execute();
          }, options),
        ),
      );
      assert.deepEqual(await versions(), [{ topic: 'kept', number: 101 }]);
    });

    it('reads rows by key, many at once, and returns nothing for an unknown key', async () => {
      const read = database.keyedReader({ table: 'version', key: 'topic', columns: ['number'] });
      const rows = await Promise.all(['kept', 'absent', 'kept'].map((topic) => read(topic)));
      assert.deepEqual(
        rows.map((row) => row?.number),
        [101, undefined, 101],
      );
    });
  });
}

describe('the watch of what nodes keep in memory', () => {
  /** Two topics that have both changed, of which the first cannot be loaded. */
  async function begin(failure: Error) {
    const database = await openTestDatabase('sqlite');
    after(() => database.close());
    const reported: unknown[] = [];
    const loaded: string[] = [];
    const watch = createWatch(database.sql, createManualClock(), (error) => reported.push(error));
    let isBroken = false;
    await watch.add('first', async () => {
      if (isBroken) throw failure;
      loaded.push('first');
    });
    await watch.add('second', async () => void loaded.push('second'));
    isBroken = true;
    for (const topic of ['first', 'second']) await watch.count(database.sql, topic);
    for (let time = 0; time < 2; time += 1) await watch.poll();
    assert.deepEqual(reported, [failure], 'it is reported once');
    return { watch, loaded, mend: () => (isBroken = false) };
  }

  it('goes on with the others when one cannot be loaded, and loads that one when it can', async () => {
    const { watch, loaded, mend } = await begin(new Error('A row that this program cannot read.'));
    assert.deepEqual(loaded, ['first', 'second', 'second']);
    mend();
    await watch.poll();
    assert.deepEqual(loaded, ['first', 'second', 'second', 'first']);
  });

  it('reports each one that cannot be loaded, also while another one cannot', async () => {
    const database = await openTestDatabase('sqlite');
    after(() => database.close());
    const reported: unknown[] = [];
    const watch = createWatch(database.sql, createManualClock(), (error) => reported.push(error));
    const failures = [new Error('the first'), new Error('the second')];
    for (const [place, failure] of failures.entries()) {
      let isFirst = true;
      await watch.add(`topic ${place}`, async () => {
        if (!isFirst) throw failure;
        isFirst = false;
      });
    }
    for (const place of failures.keys()) {
      await watch.count(database.sql, `topic ${place}`);
      await watch.poll();
    }
    assert.deepEqual(reported, failures);
  });

  it('waits for the database in an outage, once for all of them', async () => {
    const { watch, loaded, mend } = await begin(serviceErrors.unavailable());
    assert.deepEqual(loaded, ['first', 'second']);
    mend();
    await watch.poll();
    assert.deepEqual(loaded, ['first', 'second', 'first', 'second']);
  });
});

describe('a connection to PostgreSQL that is lost between two statements', () => {
  it('fails its transaction, and nothing else', async () => {
    const database = await openTestDatabase('postgres');
    const end = async (pid: number) => {
      await sql`select pg_terminate_backend(${pid})`.execute(database.sql);
      const find = sql`select 1 from pg_stat_activity where pid = ${pid}`;
      while ((await find.execute(database.sql)).rows.length > 0) await setImmediate();
    };
    const work = database.transaction(async (tx) => {
      await tx.announce('lost');
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.sql);
      const pid = rows[0]?.pid ?? 0;
      await beside(() => end(pid));
      await tx.announce('lost');
    });
    await assert.rejects(work, { reason: 'service.unavailable' });
    assert.deepEqual((await database.sql.selectFrom('version').selectAll().execute()).length, 0);
    await database.close();
  });
});

describe('opening PostgreSQL', () => {
  it('tries again when the network loses the first connection after the migrations', async () => {
    const url = withPort(await createMigratedUrl('postgres'));
    const proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    // The migrations take two: the server has no TLS.
    const isLost = proxy.lose(3);
    const database = await openDatabase(url.href);
    assert.deepEqual(await database.sql.selectFrom('version').selectAll().where('topic', '=', '').execute(), []);
    assert.ok(isLost());
    await database.close();
    await proxy.close();
  });

  it('gives commands their time, also where a pooler takes no settings of a connection', async () => {
    const url = new URL(await createMigratedUrl('postgres'));
    const client = new pg.Client(url.href);
    await client.connect();
    await client.query(`alter database ${url.pathname.slice(1)} set statement_timeout = '59s'`);
    await client.end();
    url.searchParams.set('pgbouncer', 'true');
    const database = await openDatabase(url.href, { timeLimits: COMMAND_LIMITS });
    const limits = [await readTimeLimit(database.sql), await database.transaction((tx) => readTimeLimit(tx.sql))];
    assert.deepEqual([...limits, await readTimeLimit(database.sql)], ['10min', '10min', '10min']);
    await assert.rejects(sql`select 1 / 0`.execute(database.sql), /division by zero/);
    assert.equal(await readTimeLimit(database.sql), '10min');
    await database.close();
  });

  it('gives inspections the time of commands', async () => {
    const inspection = await inspectDatabase(await createMigratedUrl('postgres'));
    assert.ok(inspection);
    assert.equal(await readTimeLimit(inspection.sql), '10min');
    await inspection.close();
  });

  it('finds soon that a database hangs, also for inspections', async () => {
    const url = await createMigratedUrl('postgres');
    const inspection = await inspectDatabase(url);
    assert.ok(inspection);
    const client = new pg.Client(url);
    await client.connect();
    await client.query('begin; lock table schema_migration in access exclusive mode');
    await assert.rejects(inspection.countMigrations(), { reason: 'service.unavailable' });
    await client.end();
    await inspection.close();
  });
});

/** Returns how long PostgreSQL lets a statement take. */
async function readTimeLimit(on: Statements): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select current_setting('statement_timeout') as value`.execute(on);
  return rows[0]?.value;
}
