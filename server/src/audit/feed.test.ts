// The audit feed on either engine: all entries once, in the order of the chain, and no cursor that would miss one.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { createMigratedUrl, engines, openPatiently } from '../../test/support/databases.ts';
import { createEvents, defineActions, type Occurrence } from '../foundation/events.ts';
import { systemRandom } from '../foundation/random.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database } from '../storage/database.ts';
import { type Chainer, createChainer } from './chainer.ts';
import { type AuditFeed, createAuditFeed } from './feed.ts';
import { createAuditRetention } from './retention.ts';
import { createChainStore } from './store.chain.sql.ts';
import { createAuditStore } from './store.sql.ts';
import { type AuditTrail, createAuditTrail } from './trail.ts';

const DAY_SECONDS = 86_400;
const PAGE_SIZE = 500;
const { done: action } = defineActions('test', { done: '' });
const settings = { read: () => ({ retentionDays: 30 }) } as unknown as SettingReader;
const onError = (error: unknown) => assert.fail(String(error));

for (const engine of engines) {
  describe(`the audit feed on ${engine}`, () => {
    let url: string;
    let database: Database;
    let clock: ManualClock;
    let trail: AuditTrail;
    let chainer: Chainer;
    let feed: AuditFeed;
    let deleteExpired: () => Promise<void>;
    before(async () => {
      url = await createMigratedUrl(engine);
      database = await openPatiently(url);
    });
    after(() => database.close());
    beforeEach(async () => {
      await database.sql.deleteFrom('audit').execute();
      await database.sql
        .updateTable('audit_chain')
        .set({ base_sequence: 0, base_hash: '', head_sequence: 0, head_hash: '' })
        .execute();
      clock = createManualClock();
      const [store, chainStore] = [createAuditStore(database), createChainStore(database)];
      trail = createAuditTrail({ database, store, events: createEvents(onError), clock, onError });
      chainer = createChainer({ database, store: chainStore, clock, random: systemRandom, onError });
      feed = createAuditFeed({ store, chainStore, chainer, clock, onError });
      ({ deleteExpired } = createAuditRetention({ database, store, chainStore, settings, clock }));
    });

    let count = 0;
    async function write(amount: number, more: Partial<Occurrence> = {}): Promise<string[]> {
      const reasons = Array.from({ length: amount }, () => `r${++count}`);
      await database.transaction(async (tx) => {
        for (const reason of reasons) await trail.record(tx, { action, outcome: 'refused', reason, ...more });
      });
      return reasons;
    }
    async function writeChained(amount: number, more?: Partial<Occurrence>) {
      const reasons = await write(amount, more);
      await chainer.chainAll();
      return reasons;
    }
    const read = async (after = '') => {
      const page = await feed.read(after);
      return { ...page, reasons: page.items.map(({ reason }) => reason) };
    };
    const isGone = (cursor: string) => assert.rejects(feed.read(cursor), { reason: 'feed.cursorGone', status: 410 });

    it('has what administrators read of an entry, and its place in the chain', async () => {
      const origin = { ipAddress: '192.0.2.1', frontEnd: 'shop', userAgent: 'browser' };
      const [reason] = await writeChained(1, { user: { id: 7, name: 'thandi' }, origin, details: { a: [1] } });
      const { items, next, complete } = await feed.read('');
      const [entry] = (await trail.list({}, { skip: 0, take: 1 })).entries;
      const { head } = await createChainStore(database).readEnds();
      assert.ok(entry);
      const link = { sequence: 1, hash: head.hash, cursor: next };
      assert.deepEqual(items, [{ ...entry, at: new Date(entry.at).toISOString(), ...link }]);
      assert.deepEqual([entry.reason, next, complete], [reason, `1-${head.hash.slice(0, 16)}`, true]);
    });

    it('goes on after each entry, from page to page, and says nothing twice', async () => {
      const reasons = await writeChained(2 * PAGE_SIZE);
      const first = await read();
      assert.deepEqual([first.reasons, first.complete], [reasons.slice(0, PAGE_SIZE), false]);
      const second = await read(first.next);
      assert.deepEqual([second.reasons, second.complete], [reasons.slice(PAGE_SIZE), false]);
      const end = await read(second.next);
      assert.deepEqual([end.items, end.next, end.complete], [[], second.next, true]);
      assert.deepEqual((await read(first.items[497]?.cursor)).reasons, reasons.slice(498, 998));
      assert.deepEqual((await read(second.items[497]?.cursor)).reasons, reasons.slice(998));
      const more = await writeChained(1);
      assert.deepEqual((await read(end.next)).reasons, more);
    });

    it('has an entry as soon as it is in the chain', async () => {
      const start = await read();
      assert.deepEqual([start.items, start.next, start.complete], [[], '0-', true]);
      const reasons = await write(2);
      assert.deepEqual((await read(start.next)).items, []);
      await chainer.chainAll();
      assert.deepEqual((await read(start.next)).reasons, reasons);
    });

    it('refuses what is no cursor, and what is not of this chain', async () => {
      await writeChained(3);
      const { items, next } = await read();
      const hash = next.slice('3-'.length);
      for (const text of ['x', '-', '1', '1-', `01-${'a'.repeat(16)}`, `1-${'a'.repeat(17)}`, `-1-${'a'.repeat(16)}`]) {
        const expected = { '1-': 'feed.cursorGone' }[text] ?? 'feed.cursorInvalid';
        await assert.rejects(feed.read(text), { reason: expected }, text);
      }
      const wrong = [`2-${hash}`, `3-${'a'.repeat(16)}`, `4-${hash}`, `999999999999999-${hash}`, `0-${hash}`];
      for (const cursor of wrong) await isGone(cursor);
      assert.equal((await read(items[1]?.cursor)).items.length, 1);
    });

    it('goes on at the last entry that retention has deleted, and refuses a reader that has not got so far', async () => {
      await writeChained(60);
      const { items, next } = await read();
      clock.advance(31 * DAY_SECONDS);
      const kept = await writeChained(3);
      await deleteExpired();
      assert.deepEqual((await read()).reasons, kept);
      assert.deepEqual((await read(next)).reasons, kept);
      for (const cursor of ['0-', items[0]?.cursor ?? '', items.at(-2)?.cursor ?? '']) await isGone(cursor);
    });

    it('knows a reader who has read what a restored backup does not have', async () => {
      await writeChained(2);
      const { next: shared } = await read();
      const [ends] = await database.sql.selectFrom('audit_chain').selectAll().execute();
      await writeChained(2);
      const { next, items } = await read(shared);
      await database.sql.deleteFrom('audit').where('sequence', '>', 2).execute();
      await database.sql
        .updateTable('audit_chain')
        .set({ ...ends })
        .execute();
      await isGone(next);
      assert.deepEqual((await read(shared)).items, []);
      const other = await writeChained(3);
      for (const { cursor } of items) await isGone(cursor);
      assert.deepEqual((await read(shared)).reasons, other);
    });

    it('has all that follows a row which an attacker has edited', async () => {
      const [, ...rest] = await writeChained(3, { details: { a: 1 } });
      await database.sql
        .updateTable('audit')
        .set({ details: '{', reason: 'edited' })
        .where('sequence', '=', 1)
        .execute();
      const { items, reasons } = await read();
      assert.deepEqual(reasons, ['edited', ...rest]);
      assert.deepEqual(items[0]?.details, { unreadable: '{' });
    });

    const edits = {
      'a time beyond those of JavaScript': 'at = 9000000000000000',
      'the first time of all': 'at = -9223372036854775807',
      'details that are no JSON': "details = '{'",
      'no hash': 'hash = null',
      'another hash': "hash = 'an hour ago'",
      'the place of the entry before': 'sequence = sequence - 1',
      'a place beyond all others': 'sequence = 1000000000000000',
    };
    for (const [what, edit] of Object.entries(edits)) {
      it(`leads on when somebody has given an entry ${what}`, async () => {
        const reasons = await writeChained(PAGE_SIZE, { details: { a: 1 } });
        await sql.raw(`update audit set ${edit} where sequence = ${PAGE_SIZE}`).execute(database.sql);
        const first = await read();
        const isBeyond = edit.startsWith('sequence = 1');
        assert.deepEqual(first.reasons, isBeyond ? reasons.slice(0, -1) : reasons);
        const more = await writeChained(2);
        assert.deepEqual((await read(first.next)).reasons, more);
        for (const { at } of first.items) assert.match(at, /^\d{4}-\d\d-\d\dT/);
      });
    }

    it('gives followers each entry once it is in the chain, and ends them when the chain is another one', async () => {
      await writeChained(2);
      const heard: (string | null)[] = [];
      const ended = Promise.withResolvers<void>();
      let arrived = Promise.withResolvers<void>();
      const leave = await feed.follow({
        next({ page }) {
          heard.push(...page.items.map(({ reason }) => reason));
          if (page.items.length > 0) arrived.resolve();
        },
        end: ended.resolve,
      });
      const first = await writeChained(2);
      await arrived.promise;
      arrived = Promise.withResolvers();
      const second = await writeChained(PAGE_SIZE + 1);
      while (heard.length < first.length + second.length) {
        await arrived.promise;
        arrived = Promise.withResolvers();
      }
      assert.deepEqual(heard, [...first, ...second]);
      const changed = { hash: 'other' };
      const newest = (await createChainStore(database).readEnds()).head.sequence;
      await database.sql.updateTable('audit').set(changed).where('sequence', '=', newest).execute();
      await writeChained(1);
      await ended.promise;
      assert.equal(feed.state().followers, 0);
      leave();
    });
  });
}

describe('entries of transactions that commit late, on PostgreSQL', () => {
  let url: string;
  let database: Database;
  const clients: pg.Client[] = [];
  before(async () => {
    url = await createMigratedUrl('postgres');
    database = await openPatiently(url);
  });
  after(async () => {
    // A test that fails leaves transactions open, which would keep the process alive.
    for (const client of clients) await client.end();
    await database.close();
  });

  it('come after what was read before', async () => {
    const [store, chainStore, clock] = [createAuditStore(database), createChainStore(database), createManualClock()];
    const chainer = createChainer({ database, store: chainStore, clock, random: systemRandom, onError });
    const feed = createAuditFeed({ store, chainStore, chainer, clock, onError });
    const writers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = new pg.Client(url);
        clients.push(client);
        await client.connect();
        await client.query('begin');
        return client;
      }),
    );
    for (const [index, writer] of writers.entries()) {
      await writer.query("insert into audit (at, action, outcome, reason) values (0, 'test.done', 'refused', $1)", [
        `late${index}`,
      ]);
    }
    const seen: unknown[] = [];
    let next = '';
    for (const index of [3, 1, 0, 2]) {
      await writers[index]?.query(index === 1 ? 'rollback' : 'commit');
      await chainer.chainAll();
      const page = await feed.read(next);
      seen.push(...page.items.map(({ reason }) => reason));
      next = page.next;
    }
    assert.deepEqual(seen, ['late3', 'late0', 'late2']);
  });
});
