// Repetitions in the audit trail when transactions are rolled back, the database fails, and memory is full.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { createEvents, defineActions, type Occurrence } from '../foundation/events.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createAuditStore } from './store.sql.ts';
import { type AuditTrail, createAuditTrail } from './trail.ts';

const RACERS = 100;
const { done: action } = defineActions('test', { done: '' });
const occurrence: Occurrence = { action, outcome: 'success' };
const refusal: Occurrence = { action, outcome: 'refused', reason: 'test.refused' };

for (const engine of engines) {
  describe(`repetitions in the audit trail on ${engine}`, () => {
    let database: Database;
    let clock: ManualClock;
    let trail: AuditTrail;
    let published: number[];
    /** Called after each publication. */
    let onPublished: () => void;
    let errors: unknown[];
    let isDown: boolean;

    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());
    beforeEach(async () => {
      await database.sql.deleteFrom('audit').execute();
      published = [];
      onPublished = () => {};
      errors = [];
      isDown = false;
      clock = createManualClock();
      const events = createEvents((error) => assert.fail(String(error)));
      events.subscribe((_, entry) => {
        published.push(entry);
        onPublished();
      });
      const onError = (error: unknown) => void errors.push(error);
      const around: Database = {
        ...database,
        transaction: async (work, options) => {
          if (isDown) throw new Error('down');
          return database.transaction(work, options);
        },
      };
      trail = createAuditTrail({ database: around, store: createAuditStore(database), events, clock, onError });
    });

    const entries = async () => (await trail.list({}, { skip: 0, take: 1000 })).entries.toReversed();
    const repeatedIn = async () => (await entries()).map(({ details }) => details?.repeated ?? null);
    const record = (session: string, more: (tx: Tx) => Promise<void> = async () => {}) =>
      database.transaction(async (tx) => {
        await trail.recordRepeatable(session, occurrence, tx);
        await more(tx);
      });
    const fail = async () => assert.fail('rolled back');
    const endMinute = async () => {
      clock.advance(60);
      await trail.recordRepetitions();
    };

    it('share one entry also when they run at the same time, and are counted', async () => {
      await Promise.all(Array.from({ length: RACERS }, () => record('session')));
      const [first, ...more] = await entries();
      assert.deepEqual(more, []);
      await endMinute();
      assert.deepEqual(await repeatedIn(), [null, RACERS - 1]);
      assert.deepEqual(published, Array(RACERS).fill(first?.id));
    });

    it('do not count on an entry that was rolled back', async () => {
      const all = Promise.withResolvers<void>();
      onPublished = () => published.length === RACERS / 2 && all.resolve();
      const ends = Array.from({ length: RACERS }, (_, n) => record('session', n % 2 === 0 ? fail : undefined));
      const failed = (await Promise.allSettled(ends)).filter(({ status }) => status === 'rejected');
      await all.promise;
      await endMinute();
      const counted = (await repeatedIn()).reduce((sum: number, repeated) => sum + Number(repeated ?? 1), 0);
      assert.deepEqual([failed.length, counted, published.length], [RACERS / 2, RACERS / 2, RACERS / 2]);
      await record('other', fail).catch(() => {});
      await record('other');
      assert.equal((await entries()).at(-1)?.details, null, 'the first one has an entry');
    });

    it('are refused while the database is down, and have an entry when it is back', async () => {
      isDown = true;
      await assert.rejects(trail.recordRepeatable('session', refusal));
      isDown = false;
      await trail.recordRepeatable('session', refusal);
      assert.deepEqual(await repeatedIn(), [null]);
    });

    it('are counted later if they cannot be written', async () => {
      for (const _ of [1, 2, 3]) await record('session');
      isDown = true;
      await endMinute();
      assert.deepEqual([await repeatedIn(), errors.length], [[null], 1]);
      isDown = false;
      await trail.stop();
      await trail.stop();
      assert.deepEqual(await repeatedIn(), [null, 2]);
    });

    it('have entries of their own when too many sessions repeat something', async () => {
      const sessions = Array.from({ length: 10_001 }, (_, n) => `session ${n}`);
      const memory: Occurrence[] = [];
      const tx = { sql: database.sql, afterCommit: (effect: () => void) => effect(), afterRollback: () => {} };
      const store = { ...createAuditStore(database), append: async () => [memory.push(occurrence)] };
      const events = createEvents(() => {});
      const full = createAuditTrail({ database, store, events, clock, onError: () => {} });
      const recordAll = async () => {
        for (const session of sessions) {
          for (const _ of [1, 2]) await full.recordRepeatable(session, occurrence, { ...tx, announce: async () => {} });
        }
      };
      await recordAll();
      assert.equal(memory.length, 10_002, 'the last session has two entries');
    });
  });
}
