// Grouped work: many callers in one transaction, and none of them pays for another.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { systemClock } from '../../src/foundation/clock.ts';
import { UniqueViolation } from '../../src/foundation/errors.ts';
import type { Database, Tx } from '../../src/storage/database.ts';
import { createGroups } from '../../src/storage/grouped.ts';
import { createDatabaseUrl, engines, openPatiently } from '../support/databases.ts';

const refused = new Error('refused');

const DEADLOCKS = 'select deadlocks from pg_stat_database where datname = current_database()';

/** Lets no time pass for groups in a test: the callers of a failed one are served alone, however slow the machine is. */
const standStill = ({ mock }: TestContext) => void mock.method(systemClock, 'elapsed', () => 0);

type Then = (tx: Tx) => Promise<unknown>;

/** Returns work like a refresh, which takes a row once: it changes the row, and adds another one. */
function createTake(database: Database) {
  const replace = database.updateForRows(
    'revocation_epoch',
    { id: 'bigint', expected: 'text', next: 'text' },
    ({ expected, next }) => ({ set: sql`epoch = ${next}`, where: sql`epoch = ${expected}` }),
  );
  const add = database.insertForRows(
    { topic: 'text', number: 'bigint' },
    (given, from) => sql<{ topic: string }>`
      insert into "version" (topic, number) ${from([given.topic, given.number])} returning topic`,
  );
  let runs = 0;
  const takeAll = database.grouped(async (tx, callers: readonly { id: number; next: number; then: Then }[]) => {
    runs += 1;
    const swaps = callers.map(({ id, next }) => ({ id, expected: 'free', next: `${next}` }));
    const taken = new Set((await replace(tx.sql, swaps)).map(({ id, epoch }) => `${id} ${epoch}`));
    const winners = callers.filter(({ id, next }) => taken.has(`${id} ${next}`));
    for (const { then } of winners) await then(tx);
    const rows = winners.map(({ id, next }) => ({ topic: `taken ${id}`, number: next }));
    const added = await add(tx.sql, rows);
    assert.deepEqual(
      added.map(({ topic }) => topic),
      rows.map(({ topic }) => topic),
      'in their order',
    );
    return callers.map((caller) => (winners.includes(caller) ? caller.next : undefined));
  });
  return {
    runs: () => runs,
    /** @param then runs after the change. */
    async take(id: number, next: number, then: Then = async () => {}): Promise<number> {
      const result = await takeAll({ id, next, then });
      if (result === undefined) throw refused;
      return result;
    },
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

/** What became of each of these calls. */
async function endsOf(calls: readonly Promise<number>[]) {
  const ends = await Promise.allSettled(calls);
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason));
}

async function fill(database: Database) {
  for (const table of ['version', 'revocation_epoch'] as const) await database.sql.deleteFrom(table).execute();
  const rows = numbers(200).map((id) => ({ id, epoch: 'free' }));
  await database.sql.insertInto('revocation_epoch').values(rows).execute();
}

const setUps = [...engines.map((engine) => ({ engine, nodes: 1 })), { engine: 'postgres', nodes: 2 } as const];

for (const { engine, nodes } of setUps) {
  describe(`callers of grouped work on ${nodes} of ${engine}`, () => {
    let opened: Database[];
    let database: Database;
    let takes: ReturnType<typeof createTake>[];
    before(async () => {
      const url = await createDatabaseUrl(engine);
      opened = [];
      for (const _ of numbers(nodes)) opened.push(await openPatiently(url));
      [database] = opened as [Database];
    });
    after(() => Promise.all(opened.map((one) => one.close())));
    beforeEach(async () => {
      takes = opened.map(createTake);
      await fill(database);
    });

    /** On the nodes in turn. */
    const take = (id: number, next: number, then?: Then) =>
      (takes[next % nodes] as ReturnType<typeof createTake>).take(id, next, then);
    /** By row. What was added must tell the same. */
    async function taken() {
      const rows = await database.sql.selectFrom('revocation_epoch').selectAll().where('epoch', '<>', 'free').execute();
      const added = await database.sql.selectFrom('version').selectAll().where('topic', 'like', 'taken %').execute();
      const found = new Map(rows.map(({ id, epoch }) => [id, Number(epoch)]));
      const expected = new Map(added.map(({ topic, number }) => [Number(topic.slice('taken '.length)), number]));
      assert.deepEqual(found, expected);
      return found;
    }

    it('get a result each', async () => {
      assert.deepEqual(await endsOf(numbers(100).map((n) => take(n, n))), numbers(100));
      assert.deepEqual(await taken(), new Map(numbers(100).map((n) => [n, n])));
    });

    it('race for a row, and one of many wins', async () => {
      for (const id of numbers(5)) {
        const ends = await endsOf(numbers(40).map((n) => take(id, n)));
        const winners = ends.filter((end) => end !== refused);
        assert.deepEqual(winners, [(await taken()).get(id)]);
      }
    });

    it('are refused without harm to the others, before and after a change', async (context) => {
      standStill(context);
      const calls = numbers(40).map((n) => {
        if (n % 4 === 1) return take(0, n);
        return n % 4 === 2 ? take(n, n, () => Promise.reject(refused)) : take(n, n);
      });
      const isRefused = (n: number) => n % 4 === 1 || n % 4 === 2;
      assert.deepEqual(
        await endsOf(calls),
        numbers(40).map((n) => (isRefused(n) ? refused : n)),
      );
      const kept = numbers(40).filter((n) => !isRefused(n));
      assert.deepEqual(await taken(), new Map(kept.map((n) => [n, n])));
    });

    it('fail alone if a row violates a key, or the database refuses a text', async (context) => {
      standStill(context);
      await database.sql.insertInto('version').values({ topic: 'taken 3', number: 0 }).execute();
      const refuseText = (tx: Tx) => sql`select ${'\0'}::text`.execute(tx.sql);
      const calls = numbers(10).map((n) => take(n, n));
      const ends = await endsOf([...calls, ...(engine === 'postgres' ? [take(11, 11, refuseText)] : [])]);
      assert.ok(ends[2] instanceof UniqueViolation);
      assert.deepEqual(ends.toSpliced(2, 1).slice(0, 9), numbers(10).toSpliced(2, 1));
      if (engine === 'postgres') assert.match(String(ends[10]), /invalid byte sequence/);
      await database.sql.deleteFrom('version').where('topic', '=', 'taken 3').execute();
      assert.deepEqual(await taken(), new Map(numbers(10).flatMap((n) => (n === 3 ? [] : [[n, n]]))));
    });

    it('have the effects of their work once, after the commit, however often it runs', async (context) => {
      standStill(context);
      const effects: number[] = [];
      const calls = numbers(10).map((n) =>
        take(n, n, async (tx) => {
          tx.afterCommit(() => effects.push(n));
          if (n === 5) throw refused;
        }),
      );
      await endsOf(calls);
      assert.deepEqual(
        effects.toSorted((a, b) => a - b),
        numbers(10).filter((n) => n !== 5),
      );
      const runs = takes.reduce((sum, one) => sum + one.runs(), 0);
      // The group with the rejection has run, and then each of its callers.
      assert.equal(runs, nodes + 10 / nodes);
    });
  });
}

describe('a group on PostgreSQL', () => {
  let url: string;
  let database: Database;
  let other: Database;
  let foreign: pg.Client;
  let here: ReturnType<typeof createTake>;
  let there: ReturnType<typeof createTake>;
  before(async () => {
    url = await createDatabaseUrl('postgres');
    database = await openPatiently(url, { statementMs: 3000 });
    other = await openPatiently(url);
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
    [here, there] = [createTake(database), createTake(other)];
    await fill(database);
  });
  const unavailable = (count: number) => numbers(count).map(() => 'service.unavailable');
  const reasonsOf = async (calls: readonly Promise<number>[]) => (await endsOf(calls)).map(({ reason }) => reason);

  /** How many rows each transaction has added. */
  async function sizes(): Promise<number[]> {
    const { rows } = await foreign.query(
      `select count(*)::int as size from version where topic like 'taken %' group by xmin::text order by size desc`,
    );
    return rows.map(({ size }) => size);
  }
  const waitForLocks = async (count: number) => {
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await waiting.execute(other.sql)).rows.length < count) await sleep(5);
  };

  it('has the callers of one turn, and no more than its bound', async () => {
    await endsOf(numbers(30).map((n) => here.take(n, 1)));
    assert.deepEqual(await sizes(), [30]);
    await endsOf(
      numbers(200)
        .slice(30)
        .map((n) => here.take(n, 1)),
    );
    assert.deepEqual(await sizes(), [64, 64, 42, 30]);
  });

  it('has the callers that come while another is under way', async () => {
    const begun = Promise.withResolvers<void>();
    const others: Promise<number>[] = [];
    const first = here.take(1, 1, async () => {
      begun.resolve();
      for (const id of numbers(9).slice(1)) {
        others.push(here.take(id, 1));
        await turn();
      }
    });
    await begun.promise;
    await first;
    await Promise.all(others);
    assert.deepEqual(await sizes(), [8, 1]);
  });

  it('does not wait long for one that lasts', async () => {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = here.take(1, 1, () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    assert.equal(await here.take(2, 2), 2);
    held.resolve();
    assert.equal(await first, 1);
  });

  it('serves again each caller without a result, and no other', async () => {
    await here.take(1, 1);
    const ends = await endsOf(numbers(30).map((n) => here.take(n, 2)));
    assert.deepEqual(ends, [refused, ...numbers(29).map(() => 2)]);
    assert.deepEqual([here.runs(), await sizes()], [3, [29, 1]]);
  });

  it('does not wait for a row that another transaction has locked: only its caller does', async () => {
    for (const end of ['commit', 'rollback']) {
      await foreign.query('begin');
      await foreign.query(`update revocation_epoch set epoch = 'foreign' where id = 4`);
      const calls = numbers(6).map((n) => here.take(n, n));
      const waits = endsOf(calls.splice(3, 1));
      assert.deepEqual(await endsOf(calls), [1, 2, 3, 5, 6], 'while the row is locked');
      assert.deepEqual(await sizes(), [5], 'in one transaction');
      await foreign.query(end);
      assert.deepEqual(await waits, [end === 'commit' ? refused : 4]);
      await fill(database);
    }
  });

  it('takes a row that another transaction has changed meanwhile, if the row still meets the conditions', async (context) => {
    standStill(context);
    await foreign.query('begin');
    await foreign.query('update revocation_epoch set epoch = epoch where id < 4');
    const calls = numbers(3).map((n) => here.take(n, n));
    await waitForLocks(3);
    await foreign.query('commit');
    assert.deepEqual(await endsOf(calls), [1, 2, 3]);
  });

  it('does not deadlock with that of another node which wants the same rows in the opposite order', async () => {
    const [{ deadlocks: before }] = (await foreign.query(DEADLOCKS)).rows;
    for (let round = 0; round < 10; round += 1) {
      const mine = endsOf(numbers(40).map((n) => here.take(n, 1)));
      const theirs = endsOf(
        numbers(40)
          .toReversed()
          .map((n) => there.take(n, 2)),
      );
      const [won, lost] = [await mine, (await theirs).toReversed()];
      for (const [index, end] of won.entries()) {
        assert.deepEqual(
          [end, lost[index]].filter((one) => one !== refused),
          end === refused ? [2] : [1],
        );
      }
      await fill(database);
    }
    const [{ deadlocks }] = (await foreign.query(DEADLOCKS)).rows;
    assert.equal(deadlocks, before);
  });

  it('that waits for a lock is rolled back, and its callers wait alone', async (context) => {
    standStill(context);
    await foreign.query('begin; lock table version in share row exclusive mode');
    const calls = numbers(5).map((n) => here.take(n, n));
    await waitForLocks(5);
    await foreign.query('commit');
    assert.deepEqual(await endsOf(calls), numbers(5));
    assert.deepEqual(await sizes(), [1, 1, 1, 1, 1]);
  });

  it('that waits for a lock keeps its connection, on which one of its callers is served', async (context) => {
    standStill(context);
    const pids: number[] = [];
    const notePid = async (tx: Tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.sql);
      pids.push(rows[0]?.pid ?? 0);
    };
    await foreign.query('begin; lock table version in share row exclusive mode');
    const calls = numbers(5).map((n) => here.take(n, n, notePid));
    await waitForLocks(5);
    await foreign.query('commit');
    assert.deepEqual(await endsOf(calls), numbers(5));
    const [ofGroup, ...alone] = [new Set(pids.slice(0, 5)), ...pids.slice(5)];
    assert.deepEqual([ofGroup.size, alone.length], [1, 5]);
    assert.ok(alone.some((pid) => ofGroup.has(pid)));
  });

  it('that loses its connection before the commit has its callers served alone', async (context) => {
    standStill(context);
    let isLost = false;
    const calls = numbers(5).map((n) =>
      here.take(n, n, async (tx) => {
        if (n !== 2 || isLost) return;
        isLost = true;
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.sql);
        await foreign.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      }),
    );
    assert.deepEqual(await endsOf(calls), numbers(5));
    assert.deepEqual(await sizes(), [1, 1, 1, 1, 1]);
  });

  it('whose commit fails is not repeated, because the database may have committed', async () => {
    await foreign.query(`create function stop() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
    await foreign.query(`create constraint trigger stop after insert on version
      deferrable initially deferred for each row execute function stop()`);
    const reasons = await reasonsOf(numbers(5).map((n) => here.take(n, n)));
    await foreign.query('drop trigger stop on version; drop function stop');
    assert.deepEqual(reasons, unavailable(5));
    assert.deepEqual([here.runs(), await sizes()], [1, []]);
  });

  it('that fails late fails its callers, who cannot wait for another', async () => {
    const late = (tx: Tx) => sql`select 1 / (pg_sleep(0.6)::text is null)::int`.execute(tx.sql);
    const reasons = await reasonsOf(numbers(5).map((n) => here.take(n, n, n === 2 ? late : undefined)));
    assert.deepEqual(reasons, unavailable(5));
    assert.deepEqual([here.runs(), await sizes()], [1, []]);
  });

  it('that succeeds late refuses a caller by its own reason', async () => {
    const slow = (tx: Tx) => sql`select pg_sleep(0.6)`.execute(tx.sql);
    assert.deepEqual(await endsOf([here.take(1, 1, slow), here.take(0, 2)]), [1, refused]);
  });

  it('that exceeds the time limit of a statement has no effect, and its callers get 503', async () => {
    const hang = (tx: Tx) => sql`select pg_sleep(60)`.execute(tx.sql);
    const reasons = await reasonsOf(numbers(5).map((n) => here.take(n, n, n === 2 ? hang : undefined)));
    assert.deepEqual(reasons, unavailable(5));
    assert.deepEqual(await endsOf(numbers(5).map((n) => here.take(n, n))), numbers(5));
  });

  it('of one caller does not run again: its refusal stands', async () => {
    assert.deepEqual(await endsOf([here.take(0, 1)]), [refused]);
    assert.equal(here.runs(), 1);
    assert.deepEqual(await endsOf([here.take(1, 1, () => Promise.reject(refused))]), [refused]);
    assert.equal(here.runs(), 2);
  });
});

it('a group waits for others no longer than one pause, however many wait before it', async () => {
  const pauses: (() => void)[] = [];
  let departed = 0;
  const hang = () => {
    departed += 1;
    return new Promise<never>(() => {});
  };
  const clock = { elapsed: () => 0, sleep: () => new Promise<void>((end) => pauses.push(end)) };
  const join = createGroups(hang, clock);
  const come = async (count: number) => {
    for (const n of numbers(count)) void join(n);
    await turn();
  };
  const pass = async () => {
    for (const end of pauses.splice(0)) end();
    await turn();
  };
  await come(5 * 64 + 1);
  assert.equal(departed, 1, 'the others wait for the first one');
  await pass();
  assert.equal(departed, 6);
  await come(1);
  assert.equal(departed, 6);
  await pass();
  assert.equal(departed, 7);
});
