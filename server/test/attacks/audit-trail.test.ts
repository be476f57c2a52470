// Attacks on the audit trail: filling it with refusals that cost the caller nothing.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Occurrence } from '../../src/foundation/events.ts';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { createTestProvider, linkBody } from '../support/providers.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const SESSION = '/api/services/app/Session';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const LINK = '/api/services/app/ExternalLogin/Link';

const AT_ONCE = 20;
const MAX_FAILURES = 5;

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

    /** The entries of this account, oldest first. */
    const entriesOf = async (action: string, outcome: 'success' | 'refused') => {
      const { entries } = await test.service.audit.list({ userId: id, action, outcome }, { skip: 0, take: 100 });
      return entries.toReversed();
    };
    const publishedOf = (action: string) =>
      published.filter((one) => one.action.name === action && one.outcome === 'refused' && one.user?.id === id).length;

    /**
     * Makes refused calls at once, one after the other, and later: each minute gets one entry, however many calls it has.
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
      assert.equal(publishedOf(action) - earlier.published, 3 * (AT_ONCE + 1), 'metrics and listeners miss none');
    }

    it('with a token that was signed off', async () => {
      await test.post('/api/TokenAuth/SignOff', { token });
      const refresh = () => test.post(REFRESH, { token });
      await assertOneEntryAMinute('session.refreshed', refresh, (answer) =>
        assertRefused(answer, 401, 'token.revoked'),
      );
      const [first] = await entriesOf('session.refreshed', 'refused');
      assert.deepEqual([first?.reason, first?.userId], ['token.revoked', id]);
    });

    it('with all the tokens that one session has had', async () => {
      const tokens = [token];
      for (let n = 0; n < 5; n += 1)
        tokens.push((await test.post(REFRESH, { token: tokens.at(-1) })).result.accessToken);
      assert.equal((await entriesOf('session.refreshed', 'success')).length, 5, 'what succeeds is always recorded');
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

    it('by ending the other sessions when there are none', async () => {
      const endOthers = async () => assert.equal((await test.post(`${SESSION}/EndOthers`, { token })).result, true);
      await Promise.all(Array.from({ length: AT_ONCE }, endOthers));
      assert.deepEqual(await entriesOf('session.ended', 'success'), []);
      await test.signIn(userName);
      await Promise.all(Array.from({ length: AT_ONCE }, endOthers));
      const [ended, ...more] = await entriesOf('session.ended', 'success');
      assert.deepEqual([ended?.details, more.length], [{ count: 1 }, 0]);
    });

    it('with pins that nobody was sent', async () => {
      const verify = () =>
        test.post(`${USER}/VerifyMyAddress`, { token, body: { operationId: randomUUID(), pin: '123456' } });
      await assertOneEntryAMinute('account.addressChanged', verify, ({ status, result }) =>
        assert.deepEqual([status, result.isSuccess], [200, false]),
      );
    });

    it('with a pin that is dead, though each try before has its entry', async () => {
      const wanted = { currentPassword: USER_PASSWORD, emailAddress: `${userName}@example.com` };
      const { operationId } = (await test.post(`${USER}/ChangeMyAddress`, { token, body: wanted })).result;
      const verify = () => test.post(`${USER}/VerifyMyAddress`, { token, body: { operationId, pin: 'wrong' } });
      for (let n = 0; n < MAX_FAILURES; n += 1) await verify();
      assert.equal((await entriesOf('account.addressChanged', 'refused')).length, MAX_FAILURES);
      await Promise.all(Array.from({ length: AT_ONCE }, verify));
      assert.equal((await entriesOf('account.addressChanged', 'refused')).length, MAX_FAILURES + 1);
    });

    it('with passwords for an account that is locked, though each attempt before has its entry', async () => {
      const { questions } = (await test.get(`${USER}/GetMySecurityQuestions`, { token })).result;
      const answers = [{ questionId: questions[0].id, answer: 'blue' }];
      const calls = {
        'account.passwordChanged': ['ChangePassword', { newPassword: 'quarry velvet thimble' }],
        'account.securityQuestionsSet': ['SetMySecurityQuestions', { answers }],
      } as const;
      const call = ([name, more]: readonly [string, object]) =>
        test.post(`${USER}/${name}`, { token, body: { currentPassword: 'wrong', ...more } });
      for (let n = 0; n < MAX_FAILURES; n += 1) await call(calls['account.passwordChanged']);
      assert.equal((await entriesOf('account.passwordChanged', 'refused')).length, MAX_FAILURES);
      for (const [action, wanted] of Object.entries(calls)) {
        await assertOneEntryAMinute(
          action,
          () => call(wanted),
          (answer) => assertRefused(answer, 401, 'signIn.lockedOut'),
        );
      }
    });

    it('with proofs that the provider does not know', async () => {
      const stranger = { providerKey: 'stranger', emailAddress: 'stranger@example.com' };
      const link = () => test.post(LINK, { token, body: { ...linkBody(acme, stranger), providerAccessCode: 'wrong' } });
      const refused = (answer: TestAnswer) => assertRefused(answer, 401, 'external.couldNotValidate');
      for (let n = 0; n < 4; n += 1) refused(await link());
      assert.equal((await entriesOf('account.externalLoginLinked', 'refused')).length, 1);
      test.clock.advance(60);
      refused(await link());
      assert.equal((await entriesOf('account.externalLoginLinked', 'refused')).length, 2);
    });

    it('is not hidden by a clock that was set back', async () => {
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
