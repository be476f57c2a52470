// Open resets end when the address changes, the account is deactivated or the method is switched off.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { watchVerifications } from '../support/verifications.ts';

const USER = '/api/services/app/User';
const SECURITY = 'Shesha.Security';
const LIST = 'Latchkey.SecurityQuestions';
const NEW_PASSWORD = 'quarry velvet thimble';
const EMAIL = 2;

for (const engine of engines) {
  describe(`an open reset, on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let name: string;
    let mail: string;
    let id: number;
    let count = 0;
    before(async () => {
      test = await startTestService(engine);
      admin = await test.admin();
      await test.set(SECURITY, { useResetPasswordViaSecurityQuestions: true });
    });
    beforeEach(async () => {
      count += 1;
      [name, mail] = [`zanele${count}`, `zanele${count}@example.com`];
      id = await test.createUser(name, { emailAddress: mail, isEmailConfirmed: true });
    });
    after(() => test.close());

    const update = async (changes: object) => {
      const answer = await test.send('PUT', `${USER}/Update`, { token: admin, body: { id, ...changes } });
      assert.equal(answer.status, 200, answer.text);
    };
    const manage = async (call: string) => {
      assert.equal((await test.post(`${USER}/${call}`, { token: admin, body: { userId: id } })).result, true);
    };
    const validate = async (code: string, username = name) =>
      (await test.post(`${USER}/ValidateResetCode`, { body: { username, code, method: EMAIL } })).result;
    const redeem = (token: string | null, newPassword = NEW_PASSWORD) =>
      test.post(`${USER}/ResetPasswordUsingToken`, { body: { username: name, token, newPassword } });

    /** Returns the secret of the mailed link, and its code. */
    async function receive() {
      assert.equal((await test.post(`${USER}/SendEmailLink`, { body: { username: name } })).result, true);
      const { text = '' } =
        (await test.deliver()).find((mailed) => mailed.to === mail && mailed.text.includes('&code=')) ?? {};
      const [, link = ''] = /&code=([\w-]+)/.exec(text) ?? [];
      const [, code = ''] = /^\s+(\d{6})$/m.exec(text) ?? [];
      assert.ok(link && code, text);
      return { link, code };
    }

    const ends: Record<string, () => Promise<unknown>> = {
      'another address': () => update({ emailAddress: `other${count}@example.com`, isEmailConfirmed: true }),
      async 'another address and the first again'() {
        await update({ emailAddress: `other${count}@example.com`, isEmailConfirmed: true });
        await update({ emailAddress: mail, isEmailConfirmed: true });
      },
      async 'another number'() {
        await update({ mobileNumber: `+2782123${4000 + count}`, isMobileConfirmed: true });
      },
      async 'deactivation, though it was activated again'() {
        await manage('InactivateUser');
        await manage('ActivateUser');
      },
      async 'deactivation by an update, though it was activated again'() {
        await update({ isActive: false });
        await update({ isActive: true });
      },
    };
    for (const [what, end] of Object.entries(ends)) {
      it(`ends with ${what}: link, code and token`, async () => {
        const first = await receive();
        const { token } = await validate(first.link);
        assert.ok(token);
        test.clock.advance(60);
        const second = await receive();
        await end();
        assert.equal((await validate(second.link)).isSuccess, false);
        assert.equal((await validate(second.code)).isSuccess, false);
        assertRefused(await redeem(token), 400, 'reset.invalidToken');
        await test.signIn(name);
      });
    }

    it('stays valid when only a name or role changes', async () => {
      const { link } = await receive();
      await update({ name: 'Zanele', roleNames: ['Clerk'] });
      const { token } = await validate(link);
      assert.equal((await redeem(token)).result, true);
    });

    it('refuses the current password, which an attacker may know, and keeps the token', async () => {
      const body = { userId: id, newPassword: NEW_PASSWORD };
      assert.equal((await test.post(`${USER}/ResetPassword`, { token: admin, body })).result, true);
      const { token } = await validate((await receive()).link);
      assertRefused(await redeem(token), 400, 'password.policy');
      assert.equal((await redeem(token, 'marble anchor thistle')).result, true);
    });

    const askedIds = async (username: string): Promise<string[]> =>
      (await test.get(`${USER}/GetSecurityQuestions`, { query: { username } })).result.map((one) => one.id);
    const give = async (username: string, ids: readonly string[]) => {
      const submittedQuestions = ids.map((one) => ({ questionId: one, submittedAnswer: `Plumage ${one}` }));
      const body = { username, submittedQuestions };
      return (await test.post(`${USER}/ValidateSecurityQuestions`, { body })).result;
    };
    const setAnswers = async (size: number) => {
      const token = await test.signIn(name);
      const { result } = await test.get(`${USER}/GetMySecurityQuestions`, { token });
      const ids: string[] = result.questions.slice(0, size).map((one) => one.id);
      const answers = ids.map((one) => ({ questionId: one, answer: `Plumage ${one}` }));
      const body = { currentPassword: USER_PASSWORD, answers };
      assert.equal((await test.post(`${USER}/SetMySecurityQuestions`, { token, body })).result, true);
      return ids;
    };

    it('asks known and unknown names the same number of questions, and one more when the setting is raised', async () => {
      await setAnswers(3);
      const names = [name, `nobody${count}`, `nobody${count}@example.com`];
      const before = await Promise.all(names.map(askedIds));
      await test.set(SECURITY, { resetPasswordViaSecurityQuestionsNumQuestionsAllowed: 4 });
      for (const [index, who] of names.entries()) {
        const ids = await askedIds(who);
        assert.deepEqual([ids.slice(0, 3), ids.length], [before[index], 4], who);
      }
      assert.equal((await give(name, await askedIds(name))).isSuccess, false, 'three answers are not four');
      await test.set(SECURITY, { resetPasswordViaSecurityQuestionsNumQuestionsAllowed: 3 });
      const [gone = ''] = before[0] ?? [];
      const query = { name: LIST };
      const { result } = await test.get('/api/services/app/Settings/GetValue', { token: admin, query });
      const list = result as { id: string }[];
      await test.set(
        LIST,
        list.filter((one) => one.id !== gone),
      );
      for (const [index, who] of names.entries()) {
        const kept = (before[index] ?? []).filter((one) => one !== gone);
        assert.deepEqual((await askedIds(who)).filter((one) => kept.includes(one)).length, kept.length, who);
      }
      await test.post('/api/services/app/Settings/ResetValue', { token: admin, body: { name: LIST } });
    });

    it('issues no token for answers when the method is switched off while they are verified', async () => {
      await setAnswers(3);
      const ids = await askedIds(name);
      const watched = watchVerifications(test);
      let isClosed = false;
      watched.before(async () => {
        if (isClosed) return;
        isClosed = true;
        watched.restore();
        await test.set(SECURITY, { useResetPasswordViaSecurityQuestions: false });
      });
      const { token } = await give(name, ids);
      await test.set(SECURITY, { useResetPasswordViaSecurityQuestions: true });
      assert.deepEqual([isClosed, token], [true, null]);
      assert.equal((await give(name, ids)).isSuccess, true);
    });

    it('never delays a sign-in, with any number of answers waiting to be verified', async () => {
      const { answerHashing } = test.service;
      const { verify } = answerHashing;
      const held = Promise.withResolvers<{ matches: boolean; outdated: boolean }>();
      Object.assign(answerHashing, { verify: () => held.promise });
      const rounds = Array.from({ length: 50 }, (_, turn) => give(`crowd${turn}`, []));
      await test.signIn(name);
      held.resolve({ matches: false, outdated: false });
      // A round that was refused for lack of a place has no result.
      for (const round of await Promise.all(rounds)) assert.notEqual(round?.isSuccess, true);
      Object.assign(answerHashing, { verify });
    });
  });
}
