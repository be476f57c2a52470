// Erasures in the trail on both engines: one search through the acts of administrators serves all that wait.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { createEvents } from '../foundation/events.ts';
import type { Database } from '../storage/database.ts';
import { type AuditErasure, createAuditErasure } from './erasure.ts';
import { createErasureStore, type ErasureStore } from './store.erasure.sql.ts';
import { createAuditStore } from './store.sql.ts';
import { createAuditTrail } from './trail.ts';

const LATE_SECONDS = 300;

/** Acts that one run of the job searches. */
const RUN = 20_000;

const [ADMIN, ANN, BOB] = [1, 2, 3];

for (const engine of engines) {
  describe(`erasures in the trail on ${engine}`, () => {
    let database: Database;
    let clock: ManualClock;
    let reads: number;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());
    beforeEach(async () => {
      clock = createManualClock();
      reads = 0;
      for (const table of ['audit', 'audit_key', 'audit_erasure'] as const)
        await database.sql.deleteFrom(table).execute();
    });

    const onError = (error: unknown) => assert.fail(String(error));

    function createNode(changed: Partial<ErasureStore> = {}): AuditErasure {
      const store = createErasureStore(database);
      const readActs: ErasureStore['readActs'] = (...given) => {
        reads += 1;
        return store.readActs(...given);
      };
      const audit = createAuditTrail({
        database,
        store: createAuditStore(database),
        events: createEvents(onError),
        clock,
        onError,
      });
      return createAuditErasure({ database, store: { ...store, readActs, ...changed }, audit, clock });
    }

    /** Adds chained entries of what an administrator did. */
    const addActs = (byId: number, count = 1) =>
      sql`
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < cast(${count} as integer))
        insert into audit (at, action, outcome, details, sequence, hash, by_commitment)
        select 1, 'account.updated', 'success', ${JSON.stringify({ by: 'name', byId })}, n, 'hash', 'commitment'
        from numbers`.execute(database.sql);

    const chain = () => sql`update audit set sequence = id where sequence is null`.execute(database.sql);

    /** Begins the erasures of accounts, and chains their entries. */
    async function erase(node: AuditErasure, ...ids: number[]) {
      for (const id of ids) {
        await database.sql.insertInto('audit_key').values({ account_id: id, key: 'key' }).execute();
        await database.transaction((tx) => node.begin(tx, id, {}));
      }
      await chain();
    }

    const goOn = (node: AuditErasure) => node.goOn(async () => false);
    const keys = () => database.sql.selectFrom('audit_key').selectAll().execute();
    async function stepOf(id: number) {
      const row = await database.sql
        .selectFrom('audit_erasure')
        .select('step')
        .where('account_id', '=', id)
        .executeTakeFirst();
      return row?.step;
    }
    /** Returns how many entries have the name of an administrator. */
    async function countNamed(byId: number): Promise<number> {
      const details = JSON.stringify({ by: 'name', byId });
      return (await database.sql.selectFrom('audit').select('id').where('details', '=', details).execute()).length;
    }

    it('read what administrators did once for all that wait', async () => {
      await addActs(ADMIN, RUN + 1);
      const node = createNode();
      const users = Array.from({ length: 20 }, (_, index) => 100 + index);
      await erase(node, ...users);
      clock.advance(LATE_SECONDS);
      await goOn(node);
      assert.equal((await keys()).length, users.length);
      await goOn(node);
      assert.deepEqual(await keys(), []);
      assert.deepEqual(new Set(await Promise.all(users.map(stepOf))), new Set([3]));
      assert.equal(reads, 101);
      assert.equal(await countNamed(ADMIN), RUN + 1);
    });

    it('serve in the next search those that begin during one', async () => {
      for (const [id, count] of [
        [ANN, 1],
        [BOB, 1],
        [ADMIN, RUN],
        [ANN, 1],
        [BOB, 1],
      ] as const)
        await addActs(id, count);
      const node = createNode();
      await erase(node, ANN);
      await goOn(node);
      assert.deepEqual([await countNamed(ANN), await countNamed(BOB)], [1, 2]);
      await erase(node, BOB);
      await goOn(node);
      assert.deepEqual([await stepOf(ANN), await stepOf(BOB), await countNamed(ANN)], [2, 1, 0]);
      await goOn(node);
      assert.deepEqual([await stepOf(BOB), await countNamed(BOB)], [2, 0]);
    });

    it('begin again on another node, and end the search of the first one', async () => {
      await addActs(ANN);
      await addActs(ADMIN, RUN);
      await addActs(ANN);
      const [first, second] = [createNode(), createNode()];
      await erase(first, ANN);
      await goOn(first);
      await goOn(second);
      await goOn(second);
      assert.deepEqual([await stepOf(ANN), await countNamed(ANN)], [2, 0]);
      const before = reads;
      await addActs(BOB);
      await erase(first, BOB);
      await goOn(first);
      // The first node has no place in a search any more: it finds what stands before, too.
      assert.deepEqual([await stepOf(BOB), await countNamed(BOB), reads - before], [1, 1, 100]);
      await goOn(first);
      assert.deepEqual([await stepOf(BOB), await countNamed(BOB)], [2, 0]);
    });

    it('search anew for a number that was given and erased again', async () => {
      await addActs(ADMIN, RUN);
      const node = createNode();
      await erase(node, ANN);
      await goOn(node);
      await database.sql.deleteFrom('audit_key').execute();
      await addActs(ANN);
      await erase(node, ANN);
      for (let runs = 0; runs < 2; runs += 1) await goOn(node);
      assert.deepEqual([await stepOf(ANN), await countNamed(ANN)], [2, 0]);
    });

    it('are not held up by one whose entries cannot be emptied', async () => {
      await addActs(ANN);
      await addActs(BOB);
      const { emptyAct } = createErasureStore(database);
      let isAway = true;
      const node = createNode({
        async emptyAct(on, act, kept, accountId) {
          if (isAway && accountId === ANN) throw new Error('away');
          await emptyAct(on, act, kept, accountId);
        },
      });
      await erase(node, ANN, BOB);
      await assert.rejects(goOn(node), /away/);
      assert.deepEqual([await stepOf(ANN), await stepOf(BOB), await countNamed(BOB)], [1, 2, 0]);
      isAway = false;
      await goOn(node);
      assert.deepEqual([await stepOf(ANN), await countNamed(ANN)], [2, 0]);
    });

    it('wait until all entries before them are chained', async () => {
      const node = createNode();
      await erase(node, ANN);
      await addActs(BOB);
      await sql`update audit set sequence = null where details is not null`.execute(database.sql);
      await database.transaction((tx) => node.begin(tx, BOB, {}));
      await goOn(node);
      assert.deepEqual([await stepOf(ANN), await stepOf(BOB), await countNamed(BOB)], [2, 1, 1]);
      await chain();
      await goOn(node);
      assert.deepEqual([await stepOf(BOB), await countNamed(BOB)], [2, 0]);
    });
  });
}
