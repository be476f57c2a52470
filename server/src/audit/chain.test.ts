// The chain over the trail on both engines: every change of a row is found, and the first entry that does not fit is named.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import type { Occurrence } from '../foundation/events.ts';
import { systemRandom } from '../foundation/random.ts';
import type { Database } from '../storage/database.ts';
import { exportChain, readChain } from './chain-file.ts';
import { createChainer } from './chainer.ts';
import { createChainSource, createChainStore } from './store.chain.sql.ts';
import { createAuditStore } from './store.sql.ts';
import { type Misfit, type Source, verifyChain } from './verification.ts';

const changed = { name: 'user.updated', description: '' };
const refused: Occurrence = { action: { name: 'signIn.password', description: '' }, outcome: 'refused', reason: 'r' };
const nothing = 'user_name = null, ip_address = null, user_agent = null, details = null';
const erasureOf = (id: number): Occurrence => ({
  action: { name: 'account.erased', description: '' },
  outcome: 'success',
  user: { id, name: null },
});
const byAdmin = (id: number): Occurrence => ({
  action: changed,
  outcome: 'success',
  user: { id, name: `person ${id}` },
  origin: { ipAddress: '192.0.2.1', userAgent: 'Browser', frontEnd: 'default-app' },
  details: { by: 'admin', byId: 99, changed: ['name'] },
});

for (const engine of engines) {
  describe(`the chain over the trail on ${engine}`, () => {
    const clock = createManualClock();
    let database: Database;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    const onError = (error: unknown) => assert.fail(String(error));
    const createTestChainer = () =>
      createChainer({ database, store: createChainStore(database), clock, random: systemRandom, onError });
    const chainAll = () => createTestChainer().chainAll();
    const append = (...occurrences: Occurrence[]) =>
      createAuditStore(database).append(database.sql, clock.now(), occurrences);
    const verify = (hash?: string) => verifyChain(createChainSource(database), hash);
    const readSome =
      (count: number): Source['readAfter'] =>
      async (place) =>
        (await createChainSource(database).readAfter(place)).slice(0, count);
    const run = (text: string) => sql.raw(text).execute(database.sql);
    const readAll = () => createChainStore(database).readAfter(0, 1000);

    /** Ten entries: odd ones of accounts, changed by an administrator, even ones of nobody. */
    beforeEach(async () => {
      for (const table of ['audit', 'audit_key'] as const) await database.sql.deleteFrom(table).execute();
      await run("update audit_chain set base_sequence = 0, base_hash = '', head_sequence = 0, head_hash = ''");
      for (let id = 1; id <= 9; id += 2) await append(byAdmin(id), refused);
      await chainAll();
    });

    async function assertBroken(sequence: number, why: RegExp, isMissing = false): Promise<Misfit> {
      const { misfit, verified } = await verify();
      assert.ok(misfit, 'nothing was found');
      const rows = await readAll();
      const id = rows.find((row) => row.sequence === sequence)?.id ?? null;
      assert.deepEqual([misfit.sequence, misfit.id], [sequence, isMissing ? null : id], misfit.why);
      assert.match(misfit.why, why);
      assert.equal(verified, sequence - 1);
      return misfit;
    }

    it('numbers all entries without gaps, and verifies', async () => {
      const rows = await readAll();
      assert.deepEqual(
        rows.map(({ sequence }) => sequence),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      );
      const { head } = await createChainStore(database).readEnds();
      assert.deepEqual([head.sequence, head.hash, head.at], [10, rows[9]?.hash, clock.now()]);
      const verdict = await verify(rows[4]?.hash);
      assert.deepEqual(verdict, {
        verified: 10,
        erased: 0,
        untold: 0,
        first: { sequence: 1, at: clock.now() },
        last: { sequence: 10, hash: head.hash },
        waiting: { count: 0, since: null, erased: [] },
        misfit: undefined,
        hasHash: true,
      });
      for (const hash of ['another', '']) assert.equal((await verify(hash)).hasHash, false);
    });

    it('has a hash that tells nothing of the person without the key', async () => {
      const rows = await readAll();
      const [one, , three] = rows;
      assert.notEqual(one?.byCommitment, three?.byCommitment, 'the same administrator in two entries');
      assert.deepEqual([rows[1]?.commitment, rows[1]?.byCommitment], [null, null], 'nothing personal');
      const keys = await database.sql.selectFrom('audit_key').select('account_id').orderBy('account_id').execute();
      assert.deepEqual(
        keys.map(({ account_id }) => account_id),
        [0, 1, 3, 5, 7, 9, 99],
      );
    });

    const edits = {
      id: '1000000',
      at: 'at + 1',
      action: "'user.deleted'",
      outcome: "'refused'",
      reason: "'other'",
      user_id: '2',
      user_name: "'somebody else'",
      ip_address: 'null',
      front_end: "'other'",
      user_agent: "'Other'",
      details: `'{"by":"admin","byId":99,"changed":[]}'`,
      commitment: 'null',
      by_commitment: "'A'",
      hash: "'A'",
    };
    for (const [column, value] of Object.entries(edits)) {
      it(`finds an edited ${column}`, async () => {
        await run(`update audit set ${column} = ${value} where sequence = 3`);
        await assertBroken(3, /changed/);
      });
    }

    it('finds a changed name of who acted', async () => {
      await run(`update audit set details = '{"by":"other","byId":99,"changed":["name"]}' where sequence = 5`);
      await assertBroken(5, /name of who acted was changed/);
    });

    it('finds removed personal data, marked as erased or not', async () => {
      await run(`update audit set ${nothing} where sequence = 7`);
      await assertBroken(7, /personal data were changed/);
      await run('update audit set erased_for = 7 where sequence = 7');
      const { misfit, erased } = await verify();
      assert.deepEqual([misfit?.sequence, erased], [7, 1]);
      assert.match(misfit?.why ?? '', /no entry tells that account 7 was erased/);
      await run('update audit set erased_for = 5 where sequence = 7');
      await assertBroken(7, /marked as erased/);
    });

    it('finds personal data in an entry that is marked as erased', async () => {
      await run('update audit set erased_for = 3 where sequence = 3');
      await assertBroken(3, /marked as erased/);
      await run('update audit set erased_for = null, erased_by_for = 99 where sequence = 3');
      await assertBroken(3, /marked as erased/);
    });

    it('finds deleted entries: in the middle, the first, the newest', async () => {
      await run('delete from audit where sequence in (4, 5)');
      await assertBroken(4, /missing\. The next one is 6/, true);
      await run('delete from audit where sequence = 1');
      await assertBroken(1, /missing/, true);
    });

    it('finds that the newest are missing', async () => {
      await run('delete from audit where sequence >= 9');
      await assertBroken(9, /missing, and so are all/, true);
      await run('update audit_chain set head_sequence = 8');
      await assertBroken(8, /head of the chain has another hash/);
    });

    it('finds by an older head that the newest are missing and the end was rewritten', async () => {
      const [newest, rewritten] = (await readAll()).slice(-2).toReversed();
      await run('delete from audit where sequence = 10');
      await run(`update audit_chain set head_sequence = 9, head_hash = '${rewritten?.hash}'`);
      const verdict = await verify(newest?.hash);
      assert.deepEqual([verdict.misfit, verdict.hasHash], [undefined, false]);
    });

    it('finds inserted entries', async () => {
      const columns = 'at, action, outcome, user_id, user_name, hash';
      for (const sequence of [0, -1, 1, 6, 10]) {
        const added = `select ${columns}, ${sequence} from audit where sequence = 6`;
        await run(`insert into audit (${columns}, sequence) ${added}`);
        assert.equal((await verify()).misfit?.sequence, sequence);
        const small = { ...createChainSource(database), readAfter: readSome(1) };
        assert.equal((await verifyChain(small)).misfit?.sequence, sequence, 'read one by one');
        await run('delete from audit where id = (select max(id) from audit)');
      }
    });

    it('finds entries that changed places', async () => {
      await run('update audit set sequence = 11 - sequence where sequence in (4, 7)');
      await assertBroken(4, /changed/);
    });

    it('finds entries that were rewritten with their hashes, by a head from before', async () => {
      const head = (await createChainStore(database).readEnds()).head.hash;
      await run('update audit set sequence = null, hash = null, commitment = null, by_commitment = null');
      await run("update audit set reason = 'other' where reason = 'r'");
      await run("update audit_chain set head_sequence = 0, head_hash = ''");
      await chainAll();
      const verdict = await verify(head);
      assert.deepEqual([verdict.misfit, verdict.verified, verdict.hasHash], [undefined, 10, false]);
    });

    it('verifies after an erasure that has an entry, and after that of who acted', async () => {
      const before = (await createChainStore(database).readEnds()).head.hash;
      await append(erasureOf(3), erasureOf(99));
      await chainAll();
      await run(`update audit set ${nothing}, erased_for = 3 where user_id = 3 and action <> 'account.erased'`);
      await run(`update audit set details = '{"byId":99,"changed":["name"]}', ip_address = null,
        user_agent = null, erased_by_for = 99 where user_id = 5`);
      await run('delete from audit_key where account_id in (3, 99)');
      await run(`update audit set details = '{"byId":99,"changed":["name"]}', ip_address = null,
        user_agent = null, erased_by_for = 99
        where user_id in (1, 7, 9)`);
      const { verified, erased, misfit, hasHash } = await verify(before);
      assert.deepEqual(
        { verified, erased, misfit, hasHash },
        { verified: 12, erased: 5, misfit: undefined, hasHash: true },
      );
    });

    it('accepts entries without personal data while their erasure waits, and exports none until then', async () => {
      await append(erasureOf(3));
      await run(`update audit set ${nothing}, erased_for = 3 where user_id = 3 and action <> 'account.erased'`);
      const { misfit, waiting } = await verify();
      assert.deepEqual([misfit, waiting], [undefined, { count: 1, since: clock.now(), erased: [3] }]);
      await assert.rejects(exportAll(), /An erasure is not chained yet/);
      await chainAll();
      assert.equal((await verifyLines(await exportAll())).misfit, undefined);
    });

    it('finds the entry of an erasure that was emptied itself', async () => {
      await append({ ...erasureOf(3), origin: { ipAddress: '192.0.2.1', userAgent: null, frontEnd: 'default-app' } });
      await chainAll();
      await run(`update audit set ${nothing}, erased_for = 3 where sequence = 11`);
      await assertBroken(11, /tells of an erasure/);
    });

    it('accepts what was emptied late, and no entry of who got the number again', async () => {
      await append(erasureOf(3));
      clock.advance(86_400);
      await append(byAdmin(3));
      await chainAll();
      await run(`update audit set ${nothing}, erased_for = 3 where sequence = 12`);
      assert.equal((await verify()).misfit, undefined);
      clock.advance(86_401);
      await append(byAdmin(3));
      await chainAll();
      await run(`update audit set ${nothing}, erased_for = 3 where sequence = 13`);
      const { misfit } = await verify();
      assert.equal(misfit?.sequence, 13);
    });

    const later = {
      'is edited': 'update audit set reason = 1 where sequence = 8',
      'is missing': 'delete from audit where sequence = 8',
      'is the first of the newest that are missing': 'delete from audit where sequence >= 8',
      'stands twice': 'insert into audit (at, action, outcome, sequence) values (1, 1, 1, 8)',
      'is an erasure that was inserted': `insert into audit (at, action, outcome, user_id, sequence)
        select max(at), 'account.erased', 'success', 3, 11 from audit`,
    };
    for (const [what, edit] of Object.entries(later)) {
      it(`names the entry that somebody has emptied before one that ${what}`, async () => {
        await run(`update audit set ${nothing}, erased_for = 3 where sequence = 3`);
        await run(edit);
        const misfits = [await verify(), await verifyChain({ ...createChainSource(database), readAfter: readSome(2) })];
        for (const { misfit } of misfits) {
          assert.equal(misfit?.sequence, 3);
          assert.match(misfit?.why ?? '', /no entry tells that account 3 was erased/);
        }
      });
    }

    it('names the entry that somebody has edited between an emptied one and its erasure', async () => {
      await append(erasureOf(3));
      await chainAll();
      await run(`update audit set ${nothing}, erased_for = 3 where sequence = 3`);
      const lines = await exportAll();
      await run('update audit set reason = 1 where sequence = 8');
      await assertBroken(8, /changed/);
      assert.equal((await verifyLines(lines.with(8, String(lines[8]).replace('"r"', '"s"')))).misfit?.sequence, 8);
      await run('delete from audit where sequence = 10');
      await assertBroken(8, /changed/);
      await run('delete from audit where sequence = 8');
      await assertBroken(8, /missing/, true);
    });

    it('verifies when retention has deleted an erasure, and not yet the late entry after it', async () => {
      await append(erasureOf(3), byAdmin(3), refused);
      await chainAll();
      await run(`update audit set ${nothing}, erased_for = 3 where sequence = 12`);
      const store = createChainStore(database);
      await store.deleteFirst(database.sql, await store.readFirst(database.sql, await store.readEnds(), 11));
      const { verified, misfit, first, untold } = await verify();
      assert.deepEqual([verified, misfit, first?.sequence, untold], [2, undefined, 12, 1]);
    });

    it('tells how many of the first entries have lost their personal data by no erasure that it has', async () => {
      const empty = (id: number) =>
        run(`update audit set ${nothing}, erased_for = ${id} where user_id = ${id} and action <> 'account.erased'`);
      for (const id of [3, 5]) await empty(id);
      const store = createChainStore(database);
      const deleteFirst = async () =>
        store.deleteFirst(database.sql, await store.readFirst(database.sql, await store.readEnds(), 2));
      assert.equal((await verify()).misfit?.sequence, 3, 'retention has deleted nothing');
      await deleteFirst();
      const count = async () => {
        const { misfit, erased, untold } = await verify();
        return [misfit, erased, untold];
      };
      assert.deepEqual(await count(), [undefined, 2, 2]);
      await append(erasureOf(3));
      assert.deepEqual(await count(), [undefined, 2, 1], 'one waits');
      await chainAll();
      assert.deepEqual(await count(), [undefined, 2, 1]);
      clock.advance(2 * 86_400 + 1);
      await append(byAdmin(11));
      await chainAll();
      await empty(11);
      assert.equal((await verify()).misfit?.sequence, 12);
    });

    it('is made although somebody has edited the details of an entry that waits', async () => {
      await append(byAdmin(3), byAdmin(5), byAdmin(7));
      const edits = ['{"by":"a","byId":1.5}', '{"by":"a","byId":1e400}', '"byId":'];
      for (const [index, details] of edits.entries())
        await run(`update audit set details = '${details}' where sequence is null and user_id = ${3 + 2 * index}`);
      await chainAll();
      assert.equal((await verify()).verified, 13);
    });

    it('says that its row is missing', async () => {
      await append(refused);
      const [row] = await database.sql.selectFrom('audit_chain').selectAll().execute();
      assert.ok(row);
      await database.sql.deleteFrom('audit_chain').execute();
      await assert.rejects(chainAll(), /no result/);
      await database.sql.insertInto('audit_chain').values(row).execute();
    });

    it('goes on over entries that retention deletes meanwhile', async () => {
      const source = createChainSource(database);
      const store = createChainStore(database);
      let reads = 0;
      const { verified, misfit } = await verifyChain({
        ...source,
        async readAfter(place) {
          reads += 1;
          if (reads === 2) {
            const first = await store.readFirst(database.sql, await store.readEnds(), 5);
            await store.deleteFirst(database.sql, first);
          }
          return (await source.readAfter(place)).slice(0, 2);
        },
      });
      assert.deepEqual([verified, misfit], [7, undefined]);
      assert.equal((await verify()).verified, 5);
    });

    it('is made by several nodes at once, without a gap', async () => {
      await Promise.all(Array.from({ length: 300 }, (_, id) => append(byAdmin(id), refused)));
      await Promise.all(Array.from({ length: 4 }, () => chainAll()));
      const { verified, misfit } = await verify();
      assert.deepEqual([verified, misfit], [610, undefined]);
    });

    async function exportAll() {
      let text = '';
      for await (const piece of exportChain(createChainSource(database))) text += piece;
      return text.trimEnd().split('\n');
    }
    const verifyLines = (lines: readonly string[], hash?: string) =>
      verifyChain(
        readChain(
          (async function* () {
            yield* lines;
          })(),
        ),
        hash,
      );

    it('verifies in a file, without the database', async () => {
      const lines = await exportAll();
      assert.equal(lines.length, 11);
      const { head } = await createChainStore(database).readEnds();
      const verdict = await verifyLines(lines, head.hash);
      assert.deepEqual([verdict.verified, verdict.misfit, verdict.hasHash], [10, undefined, true]);
    });

    it('verifies in a file before which an editor has written a byte order mark', async () => {
      const [first = '', ...others] = await exportAll();
      assert.deepEqual((await verifyLines([`\ufeff${first}`, ...others])).misfit, undefined);
      await assert.rejects(verifyLines([first, `\ufeff${others[0]}`]), /Line 2 is not one/);
    });

    const unreadable = {
      'a time beyond those of JavaScript': 'at = 9000000000000000',
      'the first time of all': 'at = -9223372036854775807',
      'details that are no JSON': "details = '{'",
      'details that JSON writes otherwise': `details = '{"a" :1}'`,
      'details that are a text': `details = '"a"'`,
      'details that say null': "details = 'null'",
    };
    for (const [what, edit] of Object.entries(unreadable)) {
      it(`names an entry that somebody has given ${what}, also in a file`, async () => {
        const id = (await append(byAdmin(3)))[0];
        await run(`update audit set ${edit} where id = ${id}`);
        await chainAll();
        assert.equal((await verify()).misfit, undefined, 'edited before it was chained');
        assert.equal((await verifyLines(await exportAll())).misfit, undefined);
        await run(`update audit set ${edit} where sequence = 5`);
        await assertBroken(5, /changed/);
        const { misfit } = await verifyLines(await exportAll());
        assert.deepEqual(misfit, (await verify()).misfit);
      });
    }

    it('finds each changed member of each line of a file', async () => {
      const lines = await exportAll();
      for (const [index, line] of lines.entries()) {
        if (index === 0) continue;
        for (const [name, value] of Object.entries(JSON.parse(line))) {
          const isKeyOfNothing = value === null || name === 'key' || name === 'byKey';
          const other = typeof value === 'number' ? value + 1 : name === 'at' ? '2001-01-01T00:00:00.000Z' : 'x';
          if (isKeyOfNothing && !['userName', 'reason', 'details', 'commitment'].includes(name)) continue;
          const edited = lines.with(index, JSON.stringify({ ...JSON.parse(line), [name]: other }));
          const { misfit } = await verifyLines(edited);
          assert.ok(misfit && misfit.sequence <= index + 1, `line ${index + 1}: ${name}`);
        }
      }
      assert.equal((await verifyLines(lines.toSpliced(4, 1))).misfit?.sequence, 4);
      assert.equal((await verifyLines(lines.slice(0, -1))).misfit?.sequence, 10);
      await assert.rejects(verifyLines(lines.with(3, '{')), /Line 4 is not one/);
      await assert.rejects(verifyLines([]), /empty/);
      await assert.rejects(verifyLines(['{}']), /Line 1/);
    });
  });
}
