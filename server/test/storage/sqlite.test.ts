// SQLite's own ways: reads that share a turn's snapshot hide nothing, and do not keep the log from being emptied.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../src/storage/database.ts';
import { openDatabase } from '../../src/storage/open.ts';

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

  it('shows whoever was acknowledged what they wrote', async () => {
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

  it('may be closed while somebody reads', async () => {
    const other = await openDatabase(`sqlite:${path}`);
    const readOther = other.keyedReader({ table: 'version', key: 'topic', columns: ['number'] });
    await readOther('counter').then(() => other.close());
    await nextTurn();
    await assert.rejects(readOther('counter'));
  });

  it('lets the log be emptied', async () => {
    const text = 'x'.repeat(4000);
    await besideReads(
      (async () => {
        for (let n = 0; n < 3000; n++) {
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
