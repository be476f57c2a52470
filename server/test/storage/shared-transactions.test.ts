// Shared transactions: many callers in one transaction of PostgreSQL, and none of them pays for another.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { UniqueViolation } from '../../src/foundation/errors.ts';
import type { Database, Given, Tx } from '../../src/storage/database.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createDatabaseUrl, engines } from '../support/databases.ts';
import { untilServed } from '../support/patience.ts';
import { countStatements } from '../support/statements.ts';

const refused = new Error('refused');

/** Returns work like a refresh, which takes a topic once: it changes the topic's row, reads it, and adds another row. */
function createTake(database: Database) {
  const replace = database.statement((on, given: Given<{ topic: string; expected: number; next: number }>) =>
    on
      .updateTable('version')
      .set({ number: given('next') })
      .where('topic', '=', given('topic'))
      .where('number', '=', given('expected'))
      .returningAll(),
  );
  const read = database.statement((on, given: Given<{ topic: string }>) =>
    on.selectFrom('version').select('number').where('topic', '=', given('topic')),
  );
  const add = database.statement((on, given: Given<{ topic: string; number: number }>) =>
    on
      .insertInto('version')
      .values({ topic: given('topic'), number: given('number') })
      .returning('topic'),
  );
  /** @param then runs after the change, before the read. */
  return (topic: string, next: number, then: (tx: Tx) => Promise<unknown> = async () => {}) =>
    database.transaction(
      async (tx) => {
        const [row] = await replace(tx.sql, { topic, expected: 0, next });
        if (!row) throw refused;
        assert.deepEqual({ ...row }, { topic, number: next });
        await then(tx);
        const rows = await read(tx.sql, { topic });
        assert.deepEqual(
          rows.map((one) => ({ ...one })),
          [{ number: next }],
        );
        const [added] = await add(tx.sql, { topic: `${topic} taken`, number: next });
        assert.equal(added?.topic, `${topic} taken`);
        return next;
      },
      { isShared: true },
    );
}

type Take = ReturnType<typeof createTake>;

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const topicsOf = (count: number) => numbers(count).map((n) => `topic ${n}`);

/** What became of each of these calls. */
async function endsOf(calls: readonly Promise<number>[]) {
  const ends = await Promise.allSettled(calls);
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason));
}

const setUps = [...engines.map((engine) => ({ engine, nodes: 1 })), { engine: 'postgres', nodes: 2 } as const];

for (const { engine, nodes } of setUps) {
  describe(`shared transactions on ${nodes} of ${engine}`, () => {
    let opened: Database[];
    let database: Database;
    let takes: Take[];
    before(async () => {
      const url = await createDatabaseUrl(engine);
      opened = [];
      for (const _ of numbers(nodes)) opened.push(await untilServed(() => openDatabase(url)));
      [database] = opened as [Database];
      takes = opened.map(createTake);
    });
    after(() => Promise.all(opened.map((one) => one.close())));
    beforeEach(async () => {
      await database.sql.deleteFrom('version').execute();
      const rows = topicsOf(100).map((topic) => ({ topic, number: 0 }));
      await database.sql.insertInto('version').values(rows).execute();
    });

    /** On the nodes in turn. */
    const take: Take = (topic, next, then) => (takes[next % takes.length] as Take)(topic, next, then);
    const taken = async () => {
      const rows = await database.sql.selectFrom('version').selectAll().where('number', '>', 0).execute();
      return new Map(rows.map(({ topic, number }) => [topic, number]));
    };
    const whatTakes = (pairs: readonly (readonly [string, number])[]) =>
      new Map(pairs.flatMap(([topic, next]) => [[topic, next] as const, [`${topic} taken`, next] as const]));

    it('give each caller its own result', async () => {
      const calls = topicsOf(100).map((topic, n) => take(topic, n + 1));
      assert.deepEqual(await endsOf(calls), numbers(100));
      assert.deepEqual(await taken(), whatTakes(topicsOf(100).map((topic, n) => [topic, n + 1])));
    });

    it('give each caller the rows that its order and limit choose', async () => {
      const findLast = database.statement((on, given: Given<{ least: number }>) =>
        on
          .selectFrom('version')
          .select('topic')
          .where('number', '>=', given('least'))
          .orderBy('topic', 'desc')
          .limit(1),
      );
      const find = () =>
        database.transaction(async (tx) => (await findLast(tx.sql, { least: 0 })).map(({ topic }) => topic), {
          isShared: true,
        });
      const found = await Promise.all([find(), find(), find()]);
      assert.deepEqual(found, [['topic 99'], ['topic 99'], ['topic 99']]);
    });

    it('let one of many callers win, in one transaction and in several', async () => {
      for (const topic of topicsOf(5)) {
        const ends = await endsOf(numbers(40).map((n) => take(topic, n)));
        const winners = ends.filter((end) => end !== refused);
        assert.deepEqual(winners, [(await taken()).get(topic)]);
      }
    });

    it('refuse a caller without harm to the others, before and after it has written', async () => {
      const calls = topicsOf(40).map((topic, n) => {
        if (n % 4 === 1) return take('no such topic', n + 1);
        return n % 4 === 2 ? take(topic, n + 1, () => Promise.reject(refused)) : take(topic, n + 1);
      });
      const isRefused = (n: number) => n % 4 === 1 || n % 4 === 2;
      assert.deepEqual(
        await endsOf(calls),
        numbers(40).map((n) => (isRefused(n - 1) ? refused : n)),
      );
      const kept = topicsOf(40).map((topic, n) => [topic, n + 1] as const);
      assert.deepEqual(await taken(), whatTakes(kept.filter((_, n) => !isRefused(n))));
    });

    it('fail one caller whose row violates a key, or whose text the database refuses', async () => {
      await database.sql.insertInto('version').values({ topic: 'topic 3 taken', number: 0 }).execute();
      const calls = topicsOf(10).map((topic, n) => take(topic, n + 1));
      const ends = await endsOf([...calls, ...(engine === 'postgres' ? [take('\0', 11)] : [])]);
      assert.ok(ends[2] instanceof UniqueViolation);
      assert.deepEqual(ends.toSpliced(2, 1).slice(0, 9), numbers(10).toSpliced(2, 1));
      if (engine === 'postgres') assert.match(String(ends[10]), /invalid byte sequence/);
      assert.equal((await taken()).get('topic 3'), undefined);
    });

    it('keep no statement of a caller that rejects before the statement has a result', async () => {
      const insert = async (tx: Tx, topic: string) => {
        await tx.sql.insertInto('version').values({ topic, number: 1 }).execute();
      };
      const hasty = database.transaction(
        async (tx) => {
          insert(tx, 'hasty').catch(() => {});
          throw refused;
        },
        { isShared: true },
      );
      assert.deepEqual(await Promise.allSettled([hasty, take('topic 1', 1)]), [
        { status: 'rejected', reason: refused },
        { status: 'fulfilled', value: 1 },
      ]);
      assert.deepEqual(await taken(), whatTakes([['topic 1', 1]]));
    });

    it('run effects once, after the commit, however often the work runs', async () => {
      const effects: number[] = [];
      let runs = 0;
      const calls = topicsOf(10).map((topic, n) =>
        take(topic, n + 1, async (tx) => {
          runs += 1;
          tx.afterCommit(() => effects.push(n));
          if (n === 4) throw refused;
        }),
      );
      await endsOf(calls);
      assert.deepEqual(
        effects.toSorted((a, b) => a - b),
        [0, 1, 2, 3, 5, 6, 7, 8, 9],
      );
      // The transaction of the node with the rejection has run, and then each of its members.
      const repeated = { sqlite: 0, postgres: 10 / nodes }[engine];
      assert.equal(runs, 10 + repeated);
    });
  });
}

describe('a shared transaction on PostgreSQL', () => {
  let url: string;
  let database: Database;
  let other: Database;
  let foreign: pg.Client;
  let take: Take;
  let takeThere: Take;
  before(async () => {
    url = await createDatabaseUrl('postgres');
    database = await untilServed(() => openDatabase(url));
    other = await untilServed(() => openDatabase(url));
    [take, takeThere] = [createTake(database), createTake(other)];
    foreign = new pg.Client(url);
    foreign.on('error', () => {});
    await foreign.connect();
  });
  after(async () => {
    await foreign.end();
    await other.close();
    await database.close();
  });
  beforeEach(async () => {
    await database.sql.deleteFrom('version').execute();
    const rows = topicsOf(200).map((topic) => ({ topic, number: 0 }));
    await database.sql.insertInto('version').values(rows).execute();
  });

  /** How many rows each transaction has added. */
  async function sizes(): Promise<number[]> {
    const { rows } = await foreign.query(
      `select count(*)::int as size from version where topic like '% taken' group by xmin::text order by size desc`,
    );
    return rows.map(({ size }) => size);
  }
  const waitForLocks = async (count: number) => {
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await waiting.execute(other.sql)).rows.length < count) await sleep(5);
  };

  it('has the callers of one turn as members, and no more than its bound', async () => {
    await endsOf(topicsOf(30).map((topic) => take(topic, 1)));
    assert.deepEqual(await sizes(), [30]);
    await endsOf(
      topicsOf(200)
        .slice(30)
        .map((topic) => take(topic, 1)),
    );
    assert.deepEqual(await sizes(), [64, 64, 42, 30]);
  });

  it('refuses callers whose row does not meet the conditions, and is no more work for that', async (context) => {
    await take('topic 1', 1);
    const count = countStatements(context);
    const calls = topicsOf(30).flatMap((topic) => [take(topic, 1), take(topic, 2)]);
    const ends = await endsOf(calls);
    const pairs = topicsOf(30).map((_, n) => ends.slice(2 * n, 2 * n + 2).filter((end) => end !== refused));
    assert.deepEqual(
      pairs.map(({ length }) => length),
      pairs.map((_, n) => (n === 0 ? 0 : 1)),
    );
    assert.equal(count.read(), 3, 'one transaction: begin, add, commit; reads of this table are not counted');
    assert.deepEqual(await sizes(), [29, 1]);
  });

  it('runs a statement alone for each caller when it cannot be combined', async () => {
    let builds = 0;
    const read = database.statement((on, given: Given<{ topic: string }>) => {
      builds += 1;
      if (builds > 1) throw new Error('This statement cannot be built again.');
      return on.selectFrom('version').selectAll().where('topic', '=', given('topic'));
    });
    const work = (tx: Tx) => read(tx.sql, { topic: 'topic 1' });
    const found = await Promise.all([1, 2].map(() => database.transaction(work, { isShared: true })));
    assert.deepEqual(
      found.map((rows) => rows.map(({ number }) => number)),
      [[0], [0]],
    );
    assert.equal(builds, 2);
  });

  it('has the callers that come while another is under way', async () => {
    const begun = Promise.withResolvers<void>();
    const first = take('topic 1', 1, async () => {
      begun.resolve();
      for (const topic of topicsOf(9).slice(1)) {
        others.push(take(topic, 1));
        await sleep(1);
      }
    });
    const others: Promise<number>[] = [];
    await begun.promise;
    await first;
    await Promise.all(others);
    assert.deepEqual(await sizes(), [8, 1]);
  });

  it('does not wait for one that lasts', async () => {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = take('topic 1', 1, () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    assert.equal(await take('topic 2', 2), 2);
    held.resolve();
    assert.equal(await first, 1);
  });

  it('does not wait for a row that another transaction has locked: only its caller does', async () => {
    for (const end of ['commit', 'rollback']) {
      await foreign.query('begin');
      await foreign.query(`update version set number = 99 where topic = 'topic 4'`);
      const calls = topicsOf(6).map((topic, n) => take(topic, n + 1));
      const waits = endsOf(calls.splice(3, 1));
      assert.deepEqual(await endsOf(calls), [1, 2, 3, 5, 6], 'while the row is locked');
      assert.deepEqual(await sizes(), [5], 'in one transaction');
      await foreign.query(end);
      assert.deepEqual(await waits, [end === 'commit' ? refused : 4]);
      await database.sql.deleteFrom('version').where('topic', 'like', '% taken').execute();
      await database.sql.updateTable('version').set({ number: 0 }).execute();
    }
  });

  it('of two nodes that want the same rows in opposite orders do not deadlock', async () => {
    const topics = topicsOf(40);
    const [{ deadlocks: before }] = (await foreign.query('select deadlocks from pg_stat_database')).rows;
    for (let round = 0; round < 10; round += 1) {
      const here = endsOf(topics.map((topic) => take(topic, 1)));
      const there = endsOf(topics.toReversed().map((topic) => takeThere(topic, 2)));
      const [won, lost] = [await here, (await there).toReversed()];
      for (const [index, end] of won.entries()) {
        assert.deepEqual(
          [end, lost[index]].filter((one) => one !== refused),
          end === refused ? [2] : [1],
        );
      }
      await database.sql.deleteFrom('version').where('topic', 'like', '% taken').execute();
      await database.sql.updateTable('version').set({ number: 0 }).execute();
    }
    const [{ deadlocks }] = (await foreign.query('select deadlocks from pg_stat_database')).rows;
    assert.equal(deadlocks, before);
  });

  it('that loses its connection before the commit has its members run alone', async () => {
    let runs = 0;
    const calls = topicsOf(5).map((topic, n) =>
      take(topic, n + 1, async (tx) => {
        runs += 1;
        if (runs > 5 || n !== 2) return;
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.sql);
        await foreign.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      }),
    );
    assert.deepEqual(await endsOf(calls), numbers(5));
    assert.deepEqual([runs, await sizes()], [10, [1, 1, 1, 1, 1]]);
  });

  it('whose commit fails is not repeated, because the database may have committed', async () => {
    await foreign.query(`create function stop() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
    await foreign.query(`create constraint trigger stop after insert on version
      deferrable initially deferred for each row execute function stop()`);
    let runs = 0;
    const ends = await endsOf(
      topicsOf(5).map((topic, n) =>
        take(topic, n + 1, async () => {
          runs += 1;
        }),
      ),
    );
    await foreign.query('drop trigger stop on version; drop function stop');
    assert.deepEqual(
      ends.map(({ reason }) => reason),
      ends.map(() => 'service.unavailable'),
    );
    assert.deepEqual([runs, await sizes()], [5, []]);
  });

  it('that waits for a lock fails, and its members wait alone', async () => {
    await foreign.query('begin; lock table version in share row exclusive mode');
    const calls = topicsOf(5).map((topic, n) => take(topic, n + 1));
    await waitForLocks(5);
    await foreign.query('commit');
    assert.deepEqual(await endsOf(calls), numbers(5));
    assert.deepEqual(await sizes(), [1, 1, 1, 1, 1]);
  });

  it('that fails late fails its members, whose callers cannot wait for another', async () => {
    let runs = 0;
    const ends = await endsOf(
      topicsOf(5).map((topic, n) =>
        take(topic, n + 1, async (tx) => {
          runs += 1;
          if (n === 2) await sql`select 1 / (pg_sleep(0.6)::text is null)::int`.execute(tx.sql);
        }),
      ),
    );
    assert.deepEqual(
      ends.map(({ reason }) => reason),
      ends.map(() => 'service.unavailable'),
    );
    assert.deepEqual([runs, await sizes()], [5, []]);
  });

  it('that exceeds the time limit of a statement has no effect', async () => {
    const ends = await endsOf(
      topicsOf(5).map((topic, n) =>
        take(topic, n + 1, async (tx) => {
          if (n === 2) await sql`select pg_sleep(5)`.execute(tx.sql);
        }),
      ),
    );
    assert.deepEqual(
      ends.map(({ reason }) => reason),
      ends.map(() => 'service.unavailable'),
    );
    assert.deepEqual(await endsOf(topicsOf(5).map((topic, n) => take(topic, n + 1))), numbers(5));
  });

  it('changes the right rows of a table with partitions, which have rows at the same places', async () => {
    await foreign.query(`alter table version rename to version_before;
      create table version (topic text primary key, number bigint not null) partition by hash (topic)`);
    for (const part of [0, 1, 2, 3]) {
      await foreign.query(`create table version_${part} partition of version
        for values with (modulus 4, remainder ${part})`);
    }
    await foreign.query('insert into version select * from version_before where number = 0 order by topic');
    const ends = await endsOf(topicsOf(60).map((topic, n) => take(topic, n % 2 ? n + 1 : 1)));
    assert.deepEqual(
      ends,
      ends.map((_, n) => (n % 2 ? n + 1 : 1)),
    );
    const { rows } = await foreign.query('select topic, number from version where number > 0');
    assert.equal(rows.length, 120);
    await foreign.query('drop table version; alter table version_before rename to version');
  });

  it('with one member runs as alone: its refusal stands', async () => {
    let runs = 0;
    const work = take('topic 1', 1, async () => {
      runs += 1;
      throw refused;
    });
    assert.deepEqual([await endsOf([work]), runs], [[refused], 1]);
  });
});
