// Security questions: setting one's own answers, and choosing a new password by answering all questions asked.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const SETTINGS = '/api/services/app/Settings';
const LIST = 'Latchkey.SecurityQuestions';
const QUESTIONS = 8;
const NEW_PASSWORD = 'gravel lantern meadow';
const WRONG_PASSWORD = 'a wrong guess at it';

type Question = { id: string; question: string };

/** A person's answer to each question. */
const answerTo = (id: string) => `Mrs. Ànswer ${id.slice(0, 4)}`;

for (const engine of enginesAtLength) {
  describe(`security questions on ${engine}`, () => {
    let test: TestService;
    let list: Question[];
    let count = 10;
    let name: string;
    let id: number;
    let token: string;

    before(async () => {
      test = await startTestService(engine);
      const { result } = await mine(await test.admin());
      list = result.questions.map(({ id: questionId, question }: Question) => ({ id: questionId, question }));
    });
    beforeEach(async () => {
      count += 1;
      name = `nandi${count}`;
      id = await test.createUser(name);
      token = await test.signIn(name);
      await switchTo({ useResetPasswordViaSecurityQuestions: true });
    });
    after(() => test.close());

    const switchTo = (value: object) => test.set('Shesha.Security', value);
    const mine = (owner: string) => test.get(`${USER}/GetMySecurityQuestions`, { token: owner });
    const set = (answers: unknown, more: object = {}, owner = token) =>
      test.post(`${USER}/SetMySecurityQuestions`, {
        token: owner,
        body: { currentPassword: USER_PASSWORD, answers, ...more },
      });
    const answered = (ids: readonly string[]) =>
      ids.map((questionId) => ({ questionId, answer: answerTo(questionId) }));
    /** Answers this many questions of the list, starting with the one at `first`. */
    const setSome = async (size: number, first = 0) => {
      const ids = list.slice(first, first + size).map((question) => question.id);
      const answer = await set(answered(ids));
      assert.equal(answer.status, 200, answer.text);
      return ids;
    };
    const ask = (username = name) => test.get(`${USER}/GetSecurityQuestions`, { query: { username } });
    const askedIds = async (username = name) => (await ask(username)).result.map((one) => one.id);
    const give = (answers: Record<string, string>, username = name) => {
      const entries = Object.entries(answers);
      const submittedQuestions = entries.map(([questionId, submittedAnswer]) => ({ questionId, submittedAnswer }));
      return test.post(`${USER}/ValidateSecurityQuestions`, { body: { username, submittedQuestions } });
    };
    const right = (ids: readonly string[]) => Object.fromEntries(ids.map((one) => [one, answerTo(one)]));
    const reset = (resetToken: string | null, newPassword = NEW_PASSWORD) =>
      test.post(`${USER}/ResetPasswordUsingToken`, { body: { username: name, token: resetToken, newPassword } });
    const offered = async () => {
      const { result } = await test.get(`${USER}/GetUserPasswordResetOptions`, { query: { username: name } });
      return result.map(({ method }) => method);
    };

    it('lead from answers to a new password, which ends earlier sessions', async () => {
      await setSome(3, 4);
      assert.deepEqual(await offered(), [QUESTIONS]);
      const asked = (await ask()).result;
      assert.deepEqual(new Set(asked.map((one) => one.id)), new Set(list.slice(4, 7).map((one) => one.id)));
      for (const { id: questionId, question } of asked) {
        assert.equal(question, list.find((one) => one.id === questionId)?.question);
      }
      const ids = asked.map((one) => one.id);
      const wrong = await give({ ...right(ids), [ids[2] as string]: 'something else' });
      assert.equal(wrong.status, 200);
      const { errorMessage, ...nothing } = wrong.result;
      assert.deepEqual(nothing, { isSuccess: false, token: null, username: null });
      assert.match(errorMessage ?? '', /wrong/);

      const { result } = await give(right(ids));
      assert.deepEqual([result.isSuccess, result.errorMessage, result.username], [true, null, name]);
      assert.match(result.token ?? '', /^[\w-]{43}$/);
      assert.equal((await test.get(WHO, { token })).result.user?.userName, name, 'nothing has changed yet');
      assert.equal((await reset(result.token)).result, true);
      assertRefused(await reset(result.token), 400, 'reset.invalidToken');
      assert.equal((await test.get(WHO, { token })).result.user, null);
      assertRefused(await mine(token), 401, 'token.revoked');
      const body = { userNameOrEmailAddress: name, password: USER_PASSWORD };
      assertRefused(await test.post('/api/TokenAuth/Authenticate', { body }), 401, 'signIn.invalidCredentials');
      await test.signIn(name, NEW_PASSWORD);
      assert.equal((await give(right(ids))).result.isSuccess, true, 'the answers stay valid after use');
    });

    it('accept answers in any equivalent spelling, and question ids in capitals', async () => {
      const ids = await setSome(3);
      const spellings = (text: string) => [
        text.toUpperCase(),
        ` ${text.toLowerCase().replaceAll(' ', '   ')}\t`,
        text.normalize('NFD'),
        text.replace('Mrs.', 'mrs'),
        text.replaceAll('s', 'ｓ'),
        `“${text}”!`,
      ];
      for (let turn = 0; turn < 6; turn += 1) {
        const given = ids.map((one) => [one.toUpperCase(), spellings(answerTo(one))[turn] as string]);
        assert.equal((await give(Object.fromEntries(given))).result.isSuccess, true, JSON.stringify(given));
      }
      const bare = ids.map((one) => [one, answerTo(one).replace('À', 'A')]);
      assert.equal((await give(Object.fromEntries(bare))).result.isSuccess, false, 'accents count');
    });

    it('are off until an administrator switches them on, and the setting says why', async () => {
      const ids = await setSome(3);
      await test.post(`${SETTINGS}/ResetValue`, { token: await test.admin(), body: { name: 'Shesha.Security' } });
      await switchTo({ useResetPasswordViaEmailLink: false, useResetPasswordViaSmsOtp: false });
      assertRefused(await set(answered(ids.slice(1))), 400, 'reset.methodNotAllowed');
      for (const username of [name, 'nobody']) {
        assertRefused(await ask(username), 400, 'reset.methodNotAllowed');
        assertRefused(await give(right(ids), username), 400, 'reset.methodNotAllowed');
      }
      assert.deepEqual(await offered(), []);
      assert.deepEqual((await mine(token)).result.questions.slice(0, 3).map(isAnswered), [true, true, true]);
      const { result } = await test.get(`${SETTINGS}/GetConfigurations`, { token: await test.admin() });
      const form = result.find((one) => one.name === 'Shesha.Security');
      assert.ok(form);
      const { properties } = form.schema as { properties: Record<string, { description: string }> };
      assert.match(
        properties.useResetPasswordViaSecurityQuestions?.description ?? '',
        /Off by default, .*OWASP ASVS 6\.4\.2.*NIST SP 800-63B-4/,
      );
      await switchTo({ useResetPasswordViaSecurityQuestions: true });
      assert.equal((await give(right(await askedIds()))).result.isSuccess, true);
      await switchTo({ useResetPasswordViaEmailLink: true, useResetPasswordViaSmsOtp: true });
    });

    it('end at once, with their tokens, when they are switched off', async () => {
      const { result } = await give(right(await setSome(3)));
      await switchTo({ useResetPasswordViaSecurityQuestions: false });
      assertRefused(await ask(), 400, 'reset.methodNotAllowed');
      assertRefused(await reset(result.token), 400, 'reset.invalidToken');
      await switchTo({ useResetPasswordViaSecurityQuestions: true });
      assertRefused(await reset(result.token), 400, 'reset.invalidToken');
      await test.signIn(name);
    });

    const isAnswered = (one: { answered: boolean }) => one.answered;

    it('show their owner the list, how many are asked, and which are answered', async () => {
      const fresh = (await mine(token)).result;
      assert.deepEqual([fresh.required, fresh.questions.length], [3, 10]);
      assert.ok(!fresh.questions.some(isAnswered));
      await setSome(4, 2);
      await setSome(2, 5);
      const { questions } = (await mine(token)).result;
      const answeredIds = questions.filter(isAnswered).map((one) => one.id);
      assert.deepEqual(answeredIds, [list[5]?.id, list[6]?.id], 'new answers replace all old ones');
      assert.deepEqual(Object.keys(questions[0] ?? {}), ['id', 'question', 'answered']);
      assert.equal((await give(right(await askedIds()))).result.isSuccess, false);
    });

    it('ask as many as the setting says, always the same ones', async () => {
      await setSome(8);
      for (const [wanted, size] of [
        [1, 1],
        [5, 5],
        [8, 8],
      ] as const) {
        await switchTo({ resetPasswordViaSecurityQuestionsNumQuestionsAllowed: wanted });
        const ids = await askedIds();
        assert.equal(new Set(ids).size, size);
        assert.deepEqual(await askedIds(name.toUpperCase()), ids);
        assert.equal((await give(right(ids.slice(1)))).result.isSuccess, false);
        assert.equal((await give(right(ids))).result.isSuccess, true, `${wanted}`);
      }
      await switchTo({ resetPasswordViaSecurityQuestionsNumQuestionsAllowed: 9 });
      const ids = await askedIds();
      assert.equal(ids.length, 9);
      assert.equal((await give(right(ids))).result.isSuccess, false, 'eight answers are one too few');
      await switchTo({ resetPasswordViaSecurityQuestionsNumQuestionsAllowed: 3 });
    });

    it('say what is wrong with answers, and keep the old ones', async () => {
      await setSome(3);
      const [first = '', second = ''] = list.map((one) => one.id);
      const one = { questionId: first, answer: 'Teddy' };
      const wrongs: [unknown, string[]][] = [
        [[], ['answers']],
        [undefined, ['answers']],
        ['Teddy', ['answers']],
        [[one, { questionId: '00000000-0000-4000-8000-000000000000', answer: 'Rex' }], ['answers.1.questionId']],
        [[one, { questionId: first.toUpperCase(), answer: 'Rex' }], ['answers.1.questionId']],
        [[one, { questionId: 'x', answer: 'Rex' }], ['answers.1.questionId']],
        [[one, { questionId: second, answer: 'teddy!' }], ['answers.1.answer']],
        [[one, { questionId: second, answer: '?' }], ['answers.1.answer']],
        [[one, { questionId: second, answer: '' }], ['answers.1.answer']],
        [[one, { questionId: second, answer: 'x'.repeat(201) }], ['answers.1.answer']],
        [[{ questionId: first, answer: 'stuffed toy' }], ['answers.0.answer']],
        [Array.from({ length: 21 }, () => one), ['answers']],
      ];
      for (const [answers, members] of wrongs) {
        const answer = await set(answers);
        assertRefused(answer, 400, 'request.invalid', answers);
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, members);
        assert.ok(!answer.text.includes('Teddy') && !answer.text.includes('Rex'));
      }
      assert.equal((await give(right(await askedIds()))).result.isSuccess, true);
    });

    it('are set with the current password only, under its lockout', async () => {
      await setSome(3);
      const others = [{ questionId: list[0]?.id, answer: 'Teddy' }];
      for (let turn = 0; turn < 4; turn += 1) {
        assertRefused(await set(others, { currentPassword: WRONG_PASSWORD }), 400, 'password.incorrect');
      }
      assertRefused(await set(others, { currentPassword: WRONG_PASSWORD }), 401, 'signIn.lockedOut');
      assertRefused(await set(others), 401, 'signIn.lockedOut');
      assertRefused(await set(others, {}, `${token}x`), 401, 'token.invalid');
      assert.equal((await give(right(await askedIds()))).result.isSuccess, true);
      await test.createUser(`must${count}`, { requireChangePassword: true });
      const must = await test.signIn(`must${count}`);
      assertRefused(await set(others, {}, must), 403, 'password.changeRequired');
    });

    it('can be edited by administrators', async () => {
      const admin = await test.admin();
      const update = (value: unknown) =>
        test.post(`${SETTINGS}/UpdateValue`, { token: admin, body: { name: LIST, value } });
      const read = async () => (await test.get(`${SETTINGS}/GetValue`, { token: admin, query: { name: LIST } })).result;
      const ids = await setSome(3);
      const added = { id: '11111111-2222-4333-8444-555555555555', question: 'Où était la première fête?' };
      await test.set(LIST, [...list, added]);
      assert.deepEqual((await mine(token)).result.questions.at(-1), { ...added, answered: false });
      assert.deepEqual(
        new Set(await askedIds()),
        new Set(ids),
        'new questions change nothing for an owner who has chosen',
      );
      for (const value of [
        [],
        {},
        { 0: added },
        [added, added],
        [added, { ...added, id: added.id.replace('1', 'a'), question: 'OÙ ÉTAIT  la première FÊTE' }],
        [{ ...added, id: added.id.replace('1', 'A') }],
        [{ ...added, id: 'x' }],
        [{ ...added, question: 'two\nlines' }],
        [{ ...added, question: ' ' }],
        [{ ...added, question: 'x'.repeat(201) }],
        [{ id: added.id }],
        Array.from({ length: 51 }, (_, n) => ({
          id: added.id.replace(/^1{8}/, String(10_000_000 + n)),
          question: `Q${n}`,
        })),
      ]) {
        assertRefused(await update(value), 400, 'request.invalid', value);
      }
      assert.equal(((await read()) as unknown[]).length, 11);
      await test.set(LIST, [{ ...added, module: 'x' }]);
      assert.deepEqual(await read(), [added], 'the list is replaced as a whole');
      assertRefused(await test.get(`${SETTINGS}/GetValue`, { query: { name: LIST } }), 401, 'token.missing');
      await test.post(`${SETTINGS}/ResetValue`, { token: admin, body: { name: LIST } });
      assert.deepEqual(await read(), list);
    });

    it('count only while they are in the list', async () => {
      const ids = await setSome(4);
      const chosen = await askedIds();
      const [gone = ''] = chosen;
      const kept = ids.filter((one) => one !== gone);
      await test.set(
        LIST,
        list.filter((one) => one.id !== gone),
      );
      assert.deepEqual(new Set(await askedIds()), new Set(kept), 'the fourth answer takes its place');
      assert.equal((await give(right(chosen))).result.isSuccess, false);
      assert.equal((await give(right(kept))).result.isSuccess, true);
      await test.set(
        LIST,
        list.filter((one) => one.id !== gone && one.id !== kept[0]),
      );
      assert.equal((await give(right(await askedIds()))).result.isSuccess, false, 'two are left');
      await test.post(`${SETTINGS}/ResetValue`, { token: await test.admin(), body: { name: LIST } });
      test.clock.advance(300);
      assert.deepEqual(await askedIds(), chosen);
      assert.equal((await give(right(chosen))).result.isSuccess, true, 'an answer counts again with its question');
    });

    it('are not offered to anyone while the list has fewer than a reset asks', async (context) => {
      context.after(async () => {
        await switchTo({ resetPasswordViaSecurityQuestionsNumQuestionsAllowed: 3 });
        await test.post(`${SETTINGS}/ResetValue`, { token: await test.admin(), body: { name: LIST } });
      });
      const ids = await setSome(3);
      const { result: proven } = await give(right(ids));
      const assertClosed = async () => {
        for (const username of [name, 'nobody']) {
          assertRefused(await ask(username), 400, 'reset.methodNotAllowed');
          assertRefused(await give(right(ids.slice(0, 2)), username), 400, 'reset.methodNotAllowed');
          const options = await test.get(`${USER}/GetUserPasswordResetOptions`, { query: { username } });
          assert.ok(!options.result.some(({ method }) => method === QUESTIONS));
        }
      };
      await test.set(LIST, list.slice(0, 2));
      await assertClosed();
      assertRefused(await reset(proven.token), 400, 'reset.invalidToken');
      const { required, questions } = (await mine(token)).result;
      assert.deepEqual([required, questions.map(isAnswered)], [3, [true, true]]);
      await switchTo({ resetPasswordViaSecurityQuestionsNumQuestionsAllowed: 2 });
      assert.equal((await give(right(ids.slice(0, 2)))).result.isSuccess, true);
      await switchTo({ resetPasswordViaSecurityQuestionsNumQuestionsAllowed: 3 });
      await assertClosed();
      await test.set(LIST, list.slice(0, 3));
      assert.equal((await give(right(ids))).result.isSuccess, true);
    });

    const countKept = async () => {
      const { sql } = test.service.database;
      return (await sql.selectFrom('security_answer').selectAll().where('account_id', '=', id).execute()).length;
    };

    /** Makes the account reachable by mail and SMS, as far as its addresses are verified. */
    const reachAt = async (verified: object) => {
      const body = { id, emailAddress: `${name}@example.com`, mobileNumber: `+278212345${count}`, ...verified };
      assert.equal((await test.send('PUT', `${USER}/Update`, { token: await test.admin(), body })).status, 200);
    };
    const prove = async (request: string, method: number, code: RegExp) => {
      await test.post(`${USER}/${request}`, { body: { username: name } });
      const [message] = await test.deliver();
      const body = { username: name, method, code: code.exec(message?.text ?? '')?.[1] };
      const { result } = await test.post(`${USER}/ValidateResetCode`, { body });
      return reset(result.token);
    };
    const ways: Record<string, () => Promise<TestAnswer>> = {
      'a mailed link': () => prove('SendEmailLink', 2, /&code=([\w-]+)/),
      SMS: () => prove('SendSmsOtp', 4, /^(\d{6})/),
      async 'an administrator'() {
        const body = { userId: id, newPassword: NEW_PASSWORD };
        return test.post(`${USER}/ResetPassword`, { token: await test.admin(), body });
      },
    };
    for (const [way, resetBy] of Object.entries(ways)) {
      it(`are deleted once ${way} has reset the password`, async () => {
        await reachAt({ isEmailConfirmed: true, isMobileConfirmed: true });
        const ids = await setSome(3);
        await test.deliver();
        const { result } = await give(right(await askedIds()));
        assert.equal((await resetBy()).result, true);
        assertRefused(await reset(result.token), 400, 'reset.invalidToken');
        assert.equal((await give(right(ids))).result.isSuccess, false);
        assert.ok(!(await offered()).includes(QUESTIONS));
        assert.equal(await countKept(), 0);
        await test.signIn(name, NEW_PASSWORD);
      });
    }

    it('notify their owner on every verified address, and send nothing to others, when they are set', async () => {
      const told = async (verified: object) => {
        await reachAt(verified);
        test.clock.advance(300);
        await test.deliver();
        await setSome(3);
        const messages = await test.deliver();
        for (const { text } of messages) assert.match(text, /security questions/);
        return messages.map(({ to, subject }) => [to, subject]).sort();
      };
      const sms = [`+278212345${count}`, null];
      const mail = [`${name}@example.com`, 'Your security questions for Latchkey were changed'];
      assert.deepEqual(await told({ isEmailConfirmed: true, isMobileConfirmed: true }), [sms, mail]);
      await set([], { currentPassword: WRONG_PASSWORD });
      await set(answered(list.slice(0, 3).map((one) => one.id)), { currentPassword: WRONG_PASSWORD });
      assert.deepEqual(await test.deliver(), []);
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['NA'] });
      assert.deepEqual(await told({}), [mail], 'nothing goes to countries that are not allowed');
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: [] });
      assert.deepEqual(await told({ isEmailConfirmed: false }), [sms]);
      assert.deepEqual(await told({ isMobileConfirmed: false }), []);
    });

    it('are deleted with their account', async () => {
      await setSome(3);
      assert.equal(await countKept(), 3);
      await test.send('DELETE', `${USER}/Delete`, { token: await test.admin(), query: { id } });
      assert.equal(await countKept(), 0);
      assert.equal((await ask()).result.length, 3);
    });

    it('are recorded in the audit trail, without any text of an answer', async () => {
      const ids = await setSome(4);
      await set(answered(ids), { currentPassword: WRONG_PASSWORD });
      const asked = await askedIds();
      await give(right(asked.slice(1)));
      const { result } = await give(right(asked));
      await reset(result.token);
      const query = { userId: id, maxResultCount: 100 };
      const trail = await test.get('/api/services/app/Audit/GetAll', { token: await test.admin(), query });
      const told = trail.result.items.filter(({ action }) => /^reset\.|Questions/.test(action));
      const method = { method: QUESTIONS };
      assert.deepEqual(
        told.map(({ action, outcome, reason, details }) => [action, outcome, reason, details]),
        [
          ['reset.completed', 'success', null, method],
          ['reset.proven', 'success', null, method],
          ['reset.proven', 'refused', 'reset.invalidToken', method],
          ['account.securityQuestionsSet', 'refused', 'password.incorrect', null],
          ['account.securityQuestionsSet', 'success', null, { count: 4 }],
        ],
      );
      assert.doesNotMatch(trail.text, /nswer [0-9a-f]{4}/i);
    });
  });
}
