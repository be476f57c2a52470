// SQLite specifics: reads that share a turn's snapshot hide no write, and do not keep the log from being checkpointed.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { Database } from '../../src/storage/database.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createSqliteDialect } from '../../src/storage/sqlite.ts';
import { openSqliteFile, type SqliteFile, type SqliteHandle } from '../../src/storage/sqlite-file.ts';
import { createWriter, type Milestone } from '../../src/storage/sqlite-writer.ts';

describe('reading from SQLite while others write', () => {
  let folder: string;
  let path: string;
  let database: Database;
  let read: (topic: string) => Promise<{ number: number } | undefined>;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-sqlite-'));
    path = join(folder, 'latchkey.db');
    database = await openDatabase(`sqlite:${path}`);
    read = database.keyedReader({ table: 'version', key: 'topic', columns: ['number'] });
    await database.sql.insertInto('version').values({ topic: 'counter', number: 0 }).execute();
  });
  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const increment = ({ sql }: Pick<Database, 'sql'> = database) =>
    sql
      .updateTable('version')
      .set((eb) => ({ number: eb('number', '+', 1) }))
      .where('topic', '=', 'counter')
      .returning('number')
      .executeTakeFirstOrThrow();

  /** Reads in every turn of the event loop until `work` is done. */
  async function besideReads(work: Promise<unknown>) {
    let isDone = false;
    const finished = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await read('counter');
      await nextTurn();
    }
    await finished;
  }

  it('shows each writer its own acknowledged write', async () => {
    async function writeAndRead() {
      for (let n = 0; n < 300; n++) {
        const { number } = await increment();
        const seen = (await read('counter'))?.number ?? -1;
        assert.ok(seen >= number, `${seen} was read after ${number} was acknowledged`);
      }
    }
    await besideReads(Promise.all([writeAndRead(), writeAndRead(), writeAndRead()]));
  });

  it('shows in the next turn what another process wrote', async () => {
    const other = await openDatabase(`sqlite:${path}`);
    await besideReads(
      (async () => {
        for (let n = 0; n < 50; n++) {
          const { number } = await increment(other);
          await nextTurn();
          assert.equal((await read('counter'))?.number, number);
        }
      })(),
    );
    await other.close();
  });

  it('shows a later reader what was written meanwhile, also in the same turn', async () => {
    const other = new DatabaseSync(path);
    const look = () => database.sql.selectFrom('version').select('number').where('topic', '=', 'counter').execute();
    const before = await read('counter');
    const [after] = await new Promise<{ number: number }[]>((resolve, reject) => {
      process.nextTick(() => {
        other.exec("update version set number = number + 1 where topic = 'counter'");
        look().then(resolve, reject);
      });
    });
    assert.equal(after?.number, (before?.number ?? 0) + 1);
    other.close();
  });

  it('survives a damaged page', async () => {
    const damaged = join(folder, 'damaged.db');
    const opened = await openDatabase(`sqlite:${damaged}`);
    await opened.sql.insertInto('version').values({ topic: 'counter', number: 1 }).execute();
    const checkpoint = new DatabaseSync(damaged);
    checkpoint.exec('pragma wal_checkpoint(truncate)');
    checkpoint.close();
    truncateSync(damaged, 8192);
    const readDamaged = opened.keyedReader({ table: 'version', key: 'topic', columns: ['number'] });
    for (const _ of ['once', 'again']) {
      await assert.rejects(readDamaged('counter'), { status: 503 });
      await nextTurn();
    }
    await opened.close();
  });

  it('can be closed during a read', async () => {
    const other = await openDatabase(`sqlite:${path}`);
    const readOther = other.keyedReader({ table: 'version', key: 'topic', columns: ['number'] });
    await readOther('counter').then(() => other.close());
    await nextTurn();
    await assert.rejects(readOther('counter'));
  });

  it('allows the log to be checkpointed', async () => {
    const text = 'x'.repeat(8000);
    await besideReads(
      (async () => {
        for (let n = 0; n < 1500; n++) {
          const topic = `row ${n % 10} ${text}`;
          const row = { topic, number: n };
          await database.sql
            .insertInto('version')
            .values(row)
            .onConflict((on) => on.column('topic').doUpdateSet({ number: n }))
            .execute();
        }
      })(),
    );
    const megabytes = statSync(`${path}-wal`).size / 1_000_000;
    assert.ok(megabytes < 12, `the log has grown to ${megabytes} MB`);
  });
});

describe('writing to SQLite when the disk fails', () => {
  it('continues once all committed data is safe, and not before', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-sqlite-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'latchkey.db');
    const file = openSqliteFile(path, 50);
    file.write.run('create table entry (number integer)', []);
    let isBroken = true;
    const fail = async () => {
      throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    };
    const { begin, close } = createWriter({ ...file, flush: () => (isBroken ? fail() : file.flush()) });
    async function write(number: number) {
      const turn = await begin('durable');
      file.write.run('insert into entry values (?)', [number]);
      await turn.end('keep');
    }
    await assert.rejects(write(1), { status: 503 });
    isBroken = false;
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('begin; select * from entry');
    await assert.rejects(write(2), { status: 503 }, 'the log cannot be saved during a read');
    reader.close();
    await nextTurn();
    await write(3);
    await write(4);
    copyFileSync(path, join(folder, 'alone.db'));
    const alone = new DatabaseSync(join(folder, 'alone.db'));
    assert.deepEqual(
      alone
        .prepare('select number from entry')
        .all()
        .map(({ number }) => number),
      [1],
    );
    alone.close();
    assert.deepEqual(
      file.read.run('select number from entry', []).rows.map(({ number }) => number),
      [1, 3, 4],
    );
    await close();
  });
});

describe('the log of SQLite', () => {
  it('is emptied at once, or not at all while a reader needs it', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-sqlite-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'latchkey.db');
    const file = openSqliteFile(path, 1234);
    const timeout = () => file.write.run('pragma busy_timeout', []).rows[0]?.timeout;
    const patience: unknown[] = [];
    const run: SqliteHandle['run'] = (text, parameters) => {
      if (/checkpoint/.test(text)) patience.push(timeout());
      return file.write.run(text, parameters);
    };
    const { emptyLog, close } = createWriter({ ...file, write: { ...file.write, run } });
    file.write.run('create table entry (number integer)', []);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('begin; select * from entry');
    file.write.run('insert into entry values (1)', []);
    assert.equal(await emptyLog(), false);
    reader.close();
    assert.equal(await emptyLog(), true);
    assert.deepEqual([patience, timeout()], [[0, 0], 1234]);
    await close();
  });
});

describe('an acknowledged transaction on SQLite', () => {
  /** A writer with a slow disk, and a record of what has happened. */
  function open(t: TestContext, busyTimeoutMs?: number) {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-sqlite-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'latchkey.db');
    const file = openSqliteFile(path, busyTimeoutMs);
    file.write.run('create table entry (name text)', []);
    const events: string[] = [];
    const disk = Promise.withResolvers<void>();
    const slow: SqliteFile = {
      ...file,
      async flush() {
        events.push('to disk');
        await disk.promise;
        events.push('on disk');
      },
    };
    const { begin, close } = createWriter(slow);
    const count = () => file.read.run('select name from entry', []).rows.length;
    async function write(name: string, milestone: Milestone) {
      const turn = await begin(milestone);
      file.write.run('insert into entry values (?)', [name]);
      await turn.end('keep');
      events.push(name);
    }
    return { slow, path, write, count, close, events, disk };
  }

  it('does not wait for the disk if it only has to be committed', async (t) => {
    const { write, count, close, events } = open(t);
    await Promise.all([write('one', 'committed'), write('another', 'committed')]);
    assert.equal(count(), 2);
    assert.deepEqual(events, ['one', 'another']);
    await close();
  });

  it('waits for the disk if it has to be durable, and delays no other of its turn', async (t) => {
    const { write, count, close, events, disk } = open(t);
    const durable = write('durable', 'durable');
    await write('passing', 'committed');
    assert.equal(count(), 2);
    const late = write('late', 'committed');
    await nextTurn();
    await nextTurn();
    assert.deepEqual(events, ['to disk', 'passing']);
    disk.resolve();
    await Promise.all([durable, late]);
    assert.deepEqual(events, ['to disk', 'passing', 'on disk', 'durable', 'late']);
    await close();
  });

  it('shares one flush with all transactions of its turn, and delays no reader', async (t) => {
    const { slow, events, disk } = open(t);
    const db = new Kysely<{ entry: { name: string } }>({ dialect: createSqliteDialect(slow) });
    const insert = (name: string) =>
      db.transaction().execute((tx) => tx.insertInto('entry').values({ name }).execute());
    const work = Promise.all(Array.from({ length: 16 }, (_, n) => insert(`entry ${n}`)));
    while (events.length === 0) await nextTurn();
    const late = insert('late');
    assert.equal((await db.selectFrom('entry').select('name').execute()).length, 16);
    assert.deepEqual(events, ['to disk']);
    disk.resolve();
    await Promise.all([work, late]);
    assert.deepEqual(events, ['to disk', 'on disk', 'to disk', 'on disk']);
    await db.destroy();
  });

  it('is rolled back with its whole group when one of them cannot be rolled back alone', async (t) => {
    const { slow, disk } = open(t);
    disk.resolve();
    const run: SqliteHandle['run'] = (text, parameters) => {
      if (text === 'rollback to tx') throw new Error('disk I/O error');
      return slow.write.run(text, parameters);
    };
    const { begin, close } = createWriter({ ...slow, write: { ...slow.write, run } });
    async function write(name: string, outcome: 'keep' | 'undo') {
      const turn = await begin('durable');
      slow.write.run('insert into entry values (?)', [name]);
      await turn.end(outcome);
    }
    const ends = await Promise.allSettled([write('kept', 'keep'), write('undone', 'undo')]);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    await write('later', 'keep');
    assert.deepEqual(
      slow.read.run('select name from entry', []).rows.map(({ name }) => name),
      ['later'],
    );
    await close();
  });

  it('waits once a turn, not once per transaction, for a process that holds the lock', async (t) => {
    const { slow, disk, path } = open(t, 50);
    disk.resolve();
    const begun: string[] = [];
    const run: SqliteHandle['run'] = (text, parameters) => {
      if (text.startsWith('begin')) begun.push(text);
      return slow.write.run(text, parameters);
    };
    const { begin, close } = createWriter({ ...slow, write: { ...slow.write, run } });
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => begin('durable')));
    assert.ok(ends.every((end) => end.status === 'rejected' && end.reason.status === 503));
    assert.equal(begun.length, 1);
    other.exec('rollback');
    await nextTurn();
    await (await begin('durable')).end('keep');
    other.close();
    await close();
  });
});
