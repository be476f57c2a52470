// A full disk on SQLite: each caller whose write is not durable gets an error, nothing is half done, and reads continue.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { AuthError } from '../../src/foundation/errors.ts';
import type { Database } from '../../src/storage/database.ts';
import { openDatabase } from '../../src/storage/open.ts';

describe('a full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-full-'));
  let database: Database;
  before(async () => {
    database = await openDatabase(`sqlite:${join(folder, 'full.db')}`);
  });
  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const insert = (topic: string) =>
    database.transaction(async (tx) => {
      await tx.sql.insertInto('version').values({ topic, number: 1 }).execute();
    });
  const topics = async () =>
    (await database.sql.selectFrom('version').select('topic').execute()).map(({ topic }) => topic);
  const limitPages = async (pages: number | bigint) => {
    await sql`pragma max_page_count = ${sql.lit(Number(pages))}`.execute(database.sql);
  };

  it('commits each transaction of the turn or answers 503, and nothing in between', async () => {
    await insert('before');
    await limitPages(1);
    const large = 'x'.repeat(50_000);
    const ends = await Promise.allSettled([insert('small'), insert(large), insert('other'), insert(`${large}y`)]);
    const stored = new Set(await topics());
    for (const [index, topic] of ['small', large, 'other', `${large}y`].entries()) {
      const end = ends[index];
      assert.equal(end?.status === 'fulfilled', stored.has(topic), topic.slice(0, 10));
      if (end?.status === 'rejected') assert.equal((end.reason as AuthError).reason, 'service.unavailable');
    }
    assert.ok(!stored.has(large), 'the disk was full');
    assert.ok(stored.has('before'), 'reads go on');
  });

  it('works again when the disk has room', async () => {
    await limitPages(1_000_000);
    await insert('after');
    assert.ok((await topics()).includes('after'));
  });
});
