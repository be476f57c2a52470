// Attacks on the audit trail: filling it with cheap refusals, and searches that stall other requests.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { watchForRestore } from '../../src/app/restore-check.ts';
import { createAuditStore, createChainStore } from '../../src/audit/index.ts';
import { addSeconds, type Instant } from '../../src/foundation/clock.ts';
import type { Occurrence } from '../../src/foundation/events.ts';
import { assertRefused, readResult } from '../support/answers.ts';
import { fillTrail } from '../support/audit.ts';
import { engines } from '../support/databases.ts';
import { openWithPlans } from '../support/plans.ts';
import { createTestProvider, linkBody } from '../support/providers.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const SESSION = '/api/services/app/Session';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const LINK = '/api/services/app/ExternalLogin/Link';

const AUDIT = '/api/services/app/Audit/GetAll';

const AT_ONCE = 20;
const MAX_FAILURES = 5;

const MAX_COUNTED = 10_000;
const MAX_LOOKED_AT = 100_000;
const MAX_PAGE = 100;
const DAY = 86_400;

for (const engine of engines) {
  describe(`filling the audit trail on ${engine}`, () => {
    const acme = createTestProvider('Acme');
    let test: TestService;
    let published: Occurrence[];
    let count = 0;
    let id: number;
    let userName: string;
    let token: string;

    before(async () => {
      test = await startTestService(engine, { additions: { providers: [acme.info] } });
      await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
      test.service.events.subscribe((occurrence) => void published.push(occurrence));
    });
    after(() => test.close());
    beforeEach(async () => {
      published = [];
      count += 1;
      userName = `mallory${count}`;
      id = await test.createUser(userName);
      token = await test.signIn(userName);
    });

    /** Returns the entries of this account, oldest first. */
    const entriesOf = async (action: string, outcome: 'success' | 'refused') => {
      const { entries } = await test.service.audit.list({ userId: id, action, outcome }, { skip: 0, take: 100 });
      return entries.toReversed();
    };
    const publishedOf = (action: string) =>
      published.filter((one) => one.action.name === action && one.outcome === 'refused' && one.user?.id === id).length;

    /**
     * Sends refused calls concurrently, one after the other, and later. Asserts that each minute adds one entry.
     */
    async function assertOneEntryAMinute(
      action: string,
      call: () => Promise<TestAnswer>,
      isRefused: (answer: TestAnswer) => void,
    ) {
      const earlier = { entries: (await entriesOf(action, 'refused')).length, published: publishedOf(action) };
      const callMany = async () => {
        for (const answer of await Promise.all(Array.from({ length: AT_ONCE }, call))) isRefused(answer);
        isRefused(await call());
      };
      const added = async () => (await entriesOf(action, 'refused')).length - earlier.entries;
      await callMany();
      assert.equal(await added(), 1);
      test.clock.advance(59);
      await callMany();
      assert.equal(await added(), 1, 'within the same minute');
      test.clock.advance(1);
      await callMany();
      assert.equal(await added(), 2, 'a minute later');
      assert.equal(publishedOf(action) - earlier.published, 3 * (AT_ONCE + 1), 'metrics and listeners count each call');
    }

    it('with a token that was signed off adds one entry a minute', async () => {
      await test.post('/api/TokenAuth/SignOff', { token });
      const refresh = () => test.post(REFRESH, { token });
      await assertOneEntryAMinute('session.refreshed', refresh, (answer) =>
        assertRefused(answer, 401, 'token.revoked'),
      );
      const [first] = await entriesOf('session.refreshed', 'refused');
      assert.deepEqual([first?.reason, first?.userId], ['token.revoked', id]);
    });

    it('with all revoked tokens of one session adds one entry a minute', async () => {
      const tokens = [token];
      for (let n = 0; n < 5; n += 1)
        tokens.push((await test.post(REFRESH, { token: tokens.at(-1) })).result.accessToken);
      assert.equal((await entriesOf('session.refreshed', 'success')).length, 1);
      for (const dead of tokens.slice(0, -1))
        assertRefused(await test.post(REFRESH, { token: dead }), 401, 'token.revoked');
      assert.equal((await entriesOf('session.refreshed', 'refused')).length, 1);
      await test.post('/api/TokenAuth/SignOff', { token: tokens.at(-1) });
      const another = await test.signIn(userName);
      await test.post('/api/TokenAuth/SignOff', { token: another });
      assertRefused(await test.post(REFRESH, { token: another }), 401, 'token.revoked');
      assert.equal(
        (await entriesOf('session.refreshed', 'refused')).length,
        2,
        'another session has an entry of its own',
      );
    });

    it('by ending other sessions when there are none adds one entry a minute', async () => {
      const endOthers = async () => assert.equal((await test.post(`${SESSION}/EndOthers`, { token })).result, true);
      await Promise.all(Array.from({ length: AT_ONCE }, endOthers));
      assert.deepEqual(await entriesOf('session.ended', 'success'), []);
      await test.signIn(userName);
      await Promise.all(Array.from({ length: AT_ONCE }, endOthers));
      const [ended, ...more] = await entriesOf('session.ended', 'success');
      assert.deepEqual([ended?.details, more.length], [{ count: 1 }, 0]);
    });

    it('with pins that were never sent adds one entry a minute', async () => {
      const verify = () =>
        test.post(`${USER}/VerifyMyAddress`, { token, body: { operationId: randomUUID(), pin: '123456' } });
      await assertOneEntryAMinute('account.addressChanged', verify, (answer) =>
        assert.deepEqual([answer.status, readResult(answer)?.isSuccess], [200, false]),
      );
    });

    it('with a pin that is no longer valid adds one entry a minute, after one entry for each attempt before', async () => {
      const wanted = { currentPassword: USER_PASSWORD, emailAddress: `${userName}@example.com` };
      const { operationId } = (await test.post(`${USER}/ChangeMyAddress`, { token, body: wanted })).result;
      const verify = () => test.post(`${USER}/VerifyMyAddress`, { token, body: { operationId, pin: '000000' } });
      for (let n = 0; n < MAX_FAILURES; n += 1) await verify();
      assert.equal((await entriesOf('account.addressChanged', 'refused')).length, MAX_FAILURES);
      await Promise.all(Array.from({ length: AT_ONCE }, verify));
      assert.equal((await entriesOf('account.addressChanged', 'refused')).length, MAX_FAILURES + 1);
    });

    it('with wrong passwords, and with any for a locked account, adds one entry a minute', async () => {
      const { questions } = (await test.get(`${USER}/GetMySecurityQuestions`, { token })).result;
      const answers = [{ questionId: questions[0]?.id, answer: 'blue' }];
      const calls = {
        'account.passwordChanged': ['ChangePassword', { newPassword: 'quarry velvet thimble' }],
        'account.securityQuestionsSet': ['SetMySecurityQuestions', { answers }],
      } as const;
      const call = ([name, more]: readonly [string, object]) =>
        test.post(`${USER}/${name}`, { token, body: { currentPassword: 'wrong', ...more } });
      for (let n = 0; n < MAX_FAILURES; n += 1) await call(calls['account.passwordChanged']);
      const reasons = (await entriesOf('account.passwordChanged', 'refused')).map(({ reason }) => reason);
      assert.deepEqual(new Set(reasons), new Set(['password.incorrect', 'signIn.lockedOut']));
      assert.equal(reasons.length, 2);
      test.clock.advance(60);
      for (const [action, wanted] of Object.entries(calls)) {
        await assertOneEntryAMinute(
          action,
          () => call(wanted),
          (answer) => assertRefused(answer, 401, 'signIn.lockedOut'),
        );
      }
    });

    it('with the right password, and nothing to change, adds one entry a minute', async () => {
      const body = { currentPassword: USER_PASSWORD };
      const regenerate = () => test.post('/api/services/app/RecoveryCode/Regenerate', { token, body });
      for (let n = 0; n < 3; n += 1) assertRefused(await regenerate(), 400, 'factor.notEnrolled');
      assert.equal((await entriesOf('factor.recoveryCodesReplaced', 'refused')).length, 1);
      test.clock.advance(60);
      assertRefused(await regenerate(), 400, 'factor.notEnrolled');
      assert.equal((await entriesOf('factor.recoveryCodesReplaced', 'refused')).length, 2);
    });

    it('with proofs that the provider rejects adds one entry a minute', async () => {
      const stranger = { providerKey: 'stranger', emailAddress: 'stranger@example.com' };
      const link = () => test.post(LINK, { token, body: { ...linkBody(acme, stranger), providerAccessCode: 'wrong' } });
      const refused = (answer: TestAnswer) => assertRefused(answer, 401, 'external.couldNotValidate');
      for (let n = 0; n < 4; n += 1) refused(await link());
      assert.equal((await entriesOf('account.externalLoginLinked', 'refused')).length, 1);
      test.clock.advance(60);
      refused(await link());
      assert.equal((await entriesOf('account.externalLoginLinked', 'refused')).length, 2);
    });

    it('still adds entries after the clock was set back', async () => {
      await test.post('/api/TokenAuth/SignOff', { token });
      const refused = async () => assertRefused(await test.post(REFRESH, { token }), 401, 'token.revoked');
      await refused();
      test.clock.set(-20);
      await refused();
      assert.equal((await entriesOf('session.refreshed', 'refused')).length, 2);
      test.clock.set(20);
    });
  });
}

for (const engine of engines) {
  describe(`a long audit trail on ${engine}`, () => {
    let test: TestService;
    let token: string;

    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
      const at = test.clock.now();
      await fillTrail(test.service.database, MAX_LOOKED_AT + 1000, { at, action: 'test.long' });
      await fillTrail(test.service.database, 250, { at, action: 'test.short', userId: 77 });
    });
    after(() => test.close());

    const list = async (query: Record<string, string | number>) => {
      const { status, result, text } = await test.get(AUDIT, { token, query });
      assert.equal(status, 200, text);
      return result;
    };

    /** Counts the statements of searches until the test ends. */
    function watchScans(context: { after(run: () => void): void }) {
      const { auditStore } = test.service;
      const { scan } = auditStore;
      const seen = { statements: 0, entries: 0, most: 0 };
      auditStore.scan = (filter, place, most) => {
        seen.statements += 1;
        seen.entries += most;
        seen.most = Math.max(seen.most, most);
        return scan(filter, place, most);
      };
      context.after(() => Object.assign(auditStore, { scan }));
      return seen;
    }

    it('is counted up to 10,000', async (context) => {
      const seen = watchScans(context);
      for (const query of [{}, { action: 'test.long' }, { outcome: 'success' }, { ipAddress: '192.0.2.1' }]) {
        seen.entries = 0;
        const { items, totalCount, searchedTo } = await list(query);
        assert.deepEqual([items.length, totalCount, searchedTo], [10, MAX_COUNTED + 1, null], JSON.stringify(query));
        assert.ok(seen.entries <= MAX_COUNTED + 1000, String(seen.entries));
      }
      assert.deepEqual((await list({ action: 'test.short', outcome: 'success' })).totalCount, 250);
    });

    it('limits how many entries a search may skip', async () => {
      const { items } = await list({ skipCount: MAX_COUNTED, maxResultCount: MAX_PAGE });
      assert.equal(items.length, MAX_PAGE);
      for (const skipCount of [MAX_COUNTED + 1, 1_000_000, Number.MAX_SAFE_INTEGER]) {
        const answer = await test.get(AUDIT, { token, query: { skipCount } });
        assertRefused(answer, 400, 'request.invalid');
        assert.match(answer.error.details, /beforeId/);
      }
    });

    it('can be read from a given entry on', async () => {
      const query = { userId: 77, maxResultCount: MAX_PAGE };
      const ids: number[] = [];
      const counts: number[] = [];
      for (const _ of [1, 2, 3]) {
        const beforeId = ids.at(-1);
        const { items, totalCount } = await list({ ...query, ...(beforeId && { beforeId }) });
        ids.push(...items.map(({ id }) => id));
        counts.push(totalCount);
      }
      assert.deepEqual((await list({ ...query, beforeId: ids.at(-1) ?? 0 })).items, []);
      assert.deepEqual(counts, [250, 150, 50], 'counts are of the remaining entries');
      assert.equal(new Set(ids).size, 250);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => b - a),
      );
      const { database } = test.service;
      const [middle = 0] = ids.slice(100);
      await database.sql.deleteFrom('audit').where('id', '=', middle).execute();
      const { items } = await list({ ...query, beforeId: middle });
      assert.equal(items[0]?.id, ids[101], 'also after a removed entry');
      assert.deepEqual(await list({ beforeId: 1 }), { items: [], totalCount: 0, searchedTo: null });
    });

    it('is searched 100,000 entries at a time, in slices between which other requests are served', async (context) => {
      const seen = watchScans(context);
      const nothing = { action: 'test.long', outcome: 'refused' };
      let turns = 0;
      let isSearching = true;
      const others = (async () => {
        for (; isSearching; turns += 1) await nextTurn();
      })();
      const first = await list(nothing);
      isSearching = false;
      await others;
      assert.deepEqual([first.items.length, first.totalCount], [0, 0]);
      assert.equal(typeof first.searchedTo, 'number');
      assert.deepEqual([seen.entries, seen.most], [MAX_LOOKED_AT, 500]);
      assert.ok(turns >= seen.statements - 1, `${turns} turns of the event loop in ${seen.statements} slices`);
      const second = await list({ ...nothing, beforeId: first.searchedTo ?? 0 });
      assert.deepEqual([second.totalCount, second.searchedTo], [0, null], 'the rest');
    });
  });

  describe(`searching the audit trail on ${engine}`, () => {
    it('reads an index in order for every filter', async (context) => {
      const { database, explainLast } = await openWithPlans(context, engine, ['seqscan', 'bitmapscan', 'sort']);
      const store = createAuditStore(database);
      const chain = createChainStore(database);
      const now = Date.now() as Instant;
      const times = { from: now, to: now };
      const filters = {
        audit_by_time: [{}, times, { action: 'a' }, { action: 'a', outcome: 'b', ipAddress: 'c' }],
        audit_by_user: [
          { userId: 1 },
          { userId: 1, ...times },
          { userId: 1, outcome: 'a', ipAddress: 'b', action: 'c' },
        ],
      };
      for (const [index, list] of Object.entries(filters)) {
        for (const filter of list) {
          for (const place of [undefined, { at: now, id: 5 }]) {
            await store.scan(filter, place, 500);
            const plan = await explainLast();
            assert.match(plan, new RegExp(`INDEX (SCAN |ONLY SCAN )?(BACKWARD )?(USING )?${index}`, 'i'), plan);
            assert.doesNotMatch(plan, /TEMP B-TREE|Sort|Seq Scan/, plan);
          }
        }
      }
      const inChain = {
        audit_by_sequence: [
          () => chain.readAfter(7, 500),
          async () => chain.readFirst(database.sql, await chain.readEnds(), 50),
        ],
        audit_unchained: [() => chain.hasUnchained(), () => chain.readUnchained(database.sql, 200)],
      };
      for (const [index, reads] of Object.entries(inChain)) {
        for (const read of reads) {
          await read();
          const plan = await explainLast();
          assert.match(plan, new RegExp(index), plan);
          assert.doesNotMatch(plan, /TEMP B-TREE|Sort|Seq Scan/, plan);
        }
      }
    });
  });

  describe(`the retention of the audit trail on ${engine}`, () => {
    let test: TestService;
    before(async () => {
      test = await startTestService(engine);
    });
    after(() => test.close());

    const count = async (action?: string) => {
      const all = test.service.database.sql.selectFrom('audit').select('id');
      return (await (action ? all.where('action', '=', action) : all).execute()).length;
    };

    it('is a setting with bounds', async () => {
      const token = await test.admin();
      for (const retentionDays of [29, 3651, 30.5, null]) {
        const body = { name: 'Latchkey.Audit', value: { retentionDays } };
        assertRefused(
          await test.post('/api/services/app/Settings/UpdateValue', { token, body }),
          400,
          'request.invalid',
        );
      }
    });

    it('removes entries older than the setting, at most 2,000 per run', async () => {
      const { database, auditRetention, chainer } = test.service;
      const others = await count();
      await fillTrail(database, 3000 - others, { at: test.clock.now(), action: 'test.old' });
      test.clock.advance(335 * DAY);
      await fillTrail(database, 100, { at: test.clock.now(), action: 'test.young' });
      test.clock.advance(31 * DAY);
      await auditRetention.deleteExpired();
      assert.equal(await count(), 3100, 'entries are chained first');
      await chainer.chainAll();
      await auditRetention.deleteExpired();
      assert.deepEqual([await count('test.old'), await count('test.young')], [1000, 100]);
      await auditRetention.deleteExpired();
      await auditRetention.deleteExpired();
      assert.deepEqual([await count('test.old'), await count('test.young')], [0, 100]);
      await test.set('Latchkey.Audit', { retentionDays: 30 });
      await chainer.chainAll();
      await auditRetention.deleteExpired();
      assert.equal(await count('test.young'), 0);
    });

    it('takes entries of a clock that was ahead for as old as the one after them, however many they are', async () => {
      const { database, auditRetention, chainer } = test.service;
      await fillTrail(database, 120, { at: addSeconds(test.clock.now(), 4000 * DAY), action: 'test.ahead' });
      await fillTrail(database, 10, { at: test.clock.now(), action: 'test.after' });
      test.clock.advance(29 * DAY);
      await fillTrail(database, 10, { at: test.clock.now(), action: 'test.young' });
      await chainer.chainAll();
      await auditRetention.deleteExpired();
      assert.deepEqual([await count('test.ahead'), await count('test.after')], [120, 10]);
      test.clock.advance(2 * DAY);
      await auditRetention.deleteExpired();
      assert.deepEqual([await count('test.ahead'), await count('test.after'), await count('test.young')], [0, 0, 10]);
    });

    it('keeps the newest entry at any age', async () => {
      const { auditStore, auditRetention, chainer } = test.service;
      const newest = await auditStore.newest();
      await chainer.chainAll();
      test.clock.advance(4000 * DAY);
      for (let run = 0; run < 3; run += 1) await auditRetention.deleteExpired();
      assert.deepEqual([await count(), await auditStore.newest()], [1, newest]);
      await test.admin();
      assert.ok((await auditStore.newest()) > newest);
      await chainer.chainAll();
      await auditRetention.deleteExpired();
      assert.equal(await count('signIn.password'), 1);
    });
  });
}

describe('the retention of the audit trail and the restore check', () => {
  it('do not mistake a database whose entries were removed for a restored one', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-retention-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const url = `sqlite:${join(folder, 'latchkey.db')}`;
    const test = await startTestService('sqlite', { url });
    context.after(() => test.close());
    const watch = () => watchForRestore(test.service, url, (error) => assert.fail(String(error)));
    const first = await watch();
    const token = await test.admin();
    await first.stop();
    test.clock.advance(400 * DAY);
    await test.service.chainer.chainAll();
    await test.service.auditRetention.deleteExpired();
    const second = await watch();
    await second.stop();
    assert.equal(second.wasRestored, false);
    test.clock.set(-400 * DAY);
    assert.equal((await test.get(`${SESSION}/GetAll`, { token })).status, 200, 'no session was ended');
  });
});
