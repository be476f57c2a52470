// Attacks that try to enumerate accounts and their addresses with requests for resets and wrong proofs.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { newAccount } from '../../src/accounts/index.ts';
import { readResult } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';
import { countStatements } from '../support/statements.ts';

const USER = '/api/services/app/User';
const NEW_PASSWORD = 'quarry velvet thimble';
/** A code is this one once in a million. */
const WRONG_CODE = '000000';
const WRONG_SECRET = 'x'.repeat(43);
const NO_OPERATION = '5f7f6c3a-0b43-4a44-9c5e-0d6d6a7f0a11';
const COOLDOWN = 60;
const DAY = 86_400;
const EMAIL = 2;
const SMS = 4;

/** A name and a number, of one account or of none. */
type Somebody = { name: string; number: string };

/** Returns the parts of an answer that an attacker can compare. */
function visible(answer: TestAnswer) {
  const { status, headers, body } = answer;
  const { date: _, ...told } = headers;
  const operationId = readResult(answer)?.operationId;
  const shape = operationId ? { ...body, result: { operationId: operationId.length } } : body;
  return { status, headers: told, body: { ...shape, error: shape.error && { ...shape.error, traceId: 'any' } } };
}

/** Returns the reason of a refusal, `not proven` or `success`. */
const outcomeOf = (answer: TestAnswer) =>
  answer.error?.reason ?? (readResult(answer)?.isSuccess === false ? 'not proven' : 'success');

for (const engine of enginesAtLength) {
  describe(`requests to reset a password, on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let count = 10;

    before(async () => {
      test = await startTestService(engine);
    });
    beforeEach(async () => {
      count += 1;
      admin = await test.admin();
      await test.deliver();
    });
    after(() => test.close());

    const post = <Call extends string>(call: Call, body: object) => test.post(`${USER}/${call}`, { body });
    const sendLink = ({ name }: Somebody) => post('SendEmailLink', { username: name });
    const sendPin = ({ name }: Somebody) => post('SendSmsOtp', { username: name });
    const sendToNumber = ({ number }: Somebody) => post('ResetPasswordSendOtp', { mobileNo: number });
    const give = (method: number, code: string) => (somebody: Somebody) =>
      post('ValidateResetCode', { username: somebody.name, code, method });
    const verify = ({ number }: Somebody, operationId: string) =>
      post('ResetPasswordVerifyOtp', { mobileNo: number, operationId, pin: WRONG_CODE });
    const redeem = ({ name }: Somebody) =>
      post('ResetPasswordUsingToken', { username: name, token: WRONG_SECRET, newPassword: NEW_PASSWORD });

    /** Creates one person per way to be reachable or not. The first has a verified address and a verified number. */
    async function createPeople(): Promise<Somebody[]> {
      const create = async (prefix: string, digits: string, more: object = {}) => {
        const somebody = { name: `${prefix}${count}`, number: `+2782${digits}${count}` };
        const id = await test.createUser(somebody.name, { mobileNumber: somebody.number, ...more });
        return { ...somebody, id };
      };
      const mailed = (prefix: string) => ({ emailAddress: `${prefix}${count}@example.com`, isEmailConfirmed: true });
      const both = (prefix: string) => ({ ...mailed(prefix), isMobileConfirmed: true });
      const known = await create('known', '11111', both('known'));
      const byMail = await create('mailed', '22222', mailed('mailed'));
      const bySms = await create('texted', '33333', { isMobileConfirmed: true });
      const unproven = await create('unproven', '44444', { emailAddress: `unproven${count}@example.com` });
      const bare = { name: `bare${count}`, number: `+278288888${count}` };
      await test.createUser(bare.name);
      const former = await create('former', '55555', both('former'));
      await test.post(`${USER}/InactivateUser`, { token: admin, body: { userId: former.id } });
      const gone = await create('gone', '66666', both('gone'));
      await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id: gone.id } });
      const shared = await create('shared', '77777', both('shared'));
      const twin = newAccount(`twin${count}`, { mobileNumber: shared.number, isMobileConfirmed: true });
      const { accounts, database } = test.service;
      await accounts.add(database.sql, { ...twin, passwordHash: null }, test.clock.now());
      const unknown = [`nobody${count}`, `nobody${count}@example.com`, `' or 1=1 -- ${count}`, `Łucja ${count}`];
      const nobodies = unknown.map((name, index) => ({ name, number: `+27829999${index}${count}` }));
      return [known, byMail, bySms, unproven, bare, former, gone, shared, ...nobodies];
    }

    /** Asserts that each person gets the same answers, in order. @returns the outcomes of those answers. */
    async function compare(people: readonly Somebody[], look: (somebody: Somebody) => Promise<TestAnswer[]>) {
      const seen = await Promise.all(people.map(look));
      const [first = [], ...others] = seen.map((answers) => answers.map(visible));
      for (const [index, other] of others.entries()) assert.deepEqual(other, first, `${people[index + 1]?.name}`);
      return (seen[0] ?? []).map(outcomeOf);
    }

    const repeat = async (times: number, call: () => Promise<TestAnswer>) => {
      const answers: TestAnswer[] = [];
      for (let turn = 0; turn < times; turn += 1) answers.push(await call());
      return answers;
    };

    it('get the same answer and add the same rows for every name', async () => {
      const people = await createPeople();
      const tables = ['message', 'pin', 'audit'] as const;
      const { sql } = test.service.database;
      const countRows = async (table: (typeof tables)[number]) => {
        const counted = sql.selectFrom(table).select(sql.fn.countAll<number>().as('n'));
        return Number((await counted.executeTakeFirstOrThrow()).n);
      };
      for (const [call, messages] of [
        [sendLink, 3],
        [sendPin, 3],
        [sendToNumber, 2],
      ] as const) {
        const seen: unknown[] = [];
        for (const somebody of people) {
          const before = await Promise.all(tables.map(countRows));
          seen.push(visible(await call(somebody)));
          const added = (await Promise.all(tables.map(countRows))).map((rows, index) => rows - (before[index] ?? 0));
          assert.deepEqual([added[0], added[2]], [1, 1], `${somebody.name}: one row each of message and audit`);
        }
        for (const [index, answer] of seen.entries()) assert.deepEqual(answer, seen[0], `${people[index]?.name}`);
        assert.equal((await test.deliver()).length, messages, call.name);
        test.clock.advance(COOLDOWN);
      }
    });

    it('refuse wrong codes, secrets, operations and tokens alike for every name, also after the last attempt', async () => {
      const people = await createPeople();
      const lost = Array(7).fill('not proven');
      for (const [ask, method] of [
        [sendLink, EMAIL],
        [sendPin, SMS],
      ] as const) {
        const reasons = await compare(people, async (one) => [
          ...(await repeat(7, () => give(method, WRONG_CODE)(one))),
          await ask(one),
          ...(await repeat(7, () => give(method, WRONG_CODE)(one))),
          await give(method, WRONG_SECRET)(one),
        ]);
        assert.deepEqual(reasons, [...lost, 'success', ...lost, 'not proven']);
        test.clock.advance(COOLDOWN);
      }
      const byNumber = await compare(people, async (one) => {
        const asked = await sendToNumber(one);
        return [
          asked,
          await verify(one, NO_OPERATION),
          ...(await repeat(7, () => verify(one, asked.result.operationId))),
        ];
      });
      assert.deepEqual(byNumber, ['success', 'not proven', ...lost]);
      const redeemed = await compare(people, async (one) => [
        await redeem(one),
        await redeem({ ...one, name: one.number }),
      ]);
      assert.deepEqual(redeemed, ['reset.invalidToken', 'reset.invalidToken']);
    });

    it('run the same number of statements for every name', async (context) => {
      // Only PostgreSQL: each statement costs a round trip that an attacker could measure.
      if (engine === 'sqlite') return;
      const people = await createPeople();
      const statements = countStatements(context);
      const operations = new Map<string, string>();
      const ownOperation = (one: Somebody) => operations.get(one.name) ?? '';
      const calls: [string, (one: Somebody) => Promise<unknown>][] = [
        ['a code before a link', give(EMAIL, WRONG_CODE)],
        ['a link', sendLink],
        ['another at once', sendLink],
        ['a wrong code', give(EMAIL, WRONG_CODE)],
        ['a wrong secret', give(EMAIL, WRONG_SECRET)],
        ['a pin', sendPin],
        ['a wrong pin', give(SMS, WRONG_CODE)],
        ['a pin to a number', async (one) => operations.set(one.name, (await sendToNumber(one)).result.operationId)],
        ['a wrong pin of a number', (one) => verify(one, ownOperation(one))],
        ['a pin of another number', (one) => verify({ ...one, number: `+27825555${count}0` }, ownOperation(one))],
        ['a pin of no operation', (one) => verify(one, NO_OPERATION)],
        ['a token', redeem],
      ];
      for (const [what, call] of calls) {
        const seen: [string, number][] = [];
        for (const one of people) {
          statements.reset();
          await call(one);
          seen.push([one.name, statements.read()]);
        }
        const [[, usual] = ['', 0]] = seen;
        assert.ok(usual > 0, 'statements are counted');
        const alike = people.map(({ name }) => [name, usual]);
        assert.deepEqual(seen, alike, what);
        if (what === 'a wrong secret' || what === 'a wrong pin') test.clock.advance(COOLDOWN);
      }
    });

    it('answer only at the end of a time step, for known and unknown names', async (context) => {
      const [known = { name: '', number: '' }] = await createPeople();
      await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
      const { sleep } = test.clock;
      let steps = 0;
      const counted: typeof sleep = (milliseconds) => {
        steps += 1;
        return sleep(milliseconds);
      };
      Object.assign(test.clock, { sleep: counted });
      context.after(async () => {
        Object.assign(test.clock, { sleep });
        await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: false });
      });
      const look = (call: string) => (one: Somebody) => test.get(`${USER}/${call}`, { query: { username: one.name } });
      const calls: Record<string, (one: Somebody) => Promise<TestAnswer>> = {
        options: look('GetUserPasswordResetOptions'),
        questions: look('GetSecurityQuestions'),
        answers: ({ name }) => post('ValidateSecurityQuestions', { username: name, submittedQuestions: [] }),
        link: sendLink,
        'a link at once': sendLink,
        secret: give(EMAIL, WRONG_SECRET),
        code: give(EMAIL, WRONG_CODE),
        pin: (one) => sendPin({ ...one, name: `${one.name}@example.com` }),
        'a pin to a number': sendToNumber,
        'a wrong pin of a number': (one) => verify(one, NO_OPERATION),
        token: redeem,
        'a pin to sign in': ({ name }) =>
          test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: name.toUpperCase() } }),
      };
      for (const [what, call] of Object.entries(calls)) {
        for (const one of [known, { name: `nobody${count}`, number: `+278299999${count}` }]) {
          steps = 0;
          await call(one);
          assert.ok(steps > 0, `${what} for ${one.name}`);
        }
      }
    });

    it('have one cooldown and one daily limit for all methods, alike for every name', async () => {
      const people = await createPeople();
      for (let turn = 0; turn < 10; turn += 1) {
        const answers = await compare(people, async (one) => [
          await (turn % 2 ? sendLink : sendPin)(one),
          await sendLink(one),
          await sendPin({ ...one, name: one.name.toUpperCase() }),
        ]);
        const refused = turn < 9 ? 'pin.cooldown' : 'pin.dailyLimit';
        assert.deepEqual(answers, ['success', refused, refused]);
        test.clock.advance(COOLDOWN - 1);
        const [early] = await repeat(1, () => sendLink(people[turn % people.length] as Somebody));
        assert.equal(early?.headers['retry-after'], String(turn < 9 ? 1 : DAY - 10 * COOLDOWN + 1));
        test.clock.advance(1);
      }
      const refused = await compare(people, async (one) => [await sendLink(one), await sendPin(one)]);
      assert.deepEqual(refused, ['pin.dailyLimit', 'pin.dailyLimit']);
      const byNumber = await compare(people, async (one) => [await sendToNumber(one), await sendToNumber(one)]);
      assert.deepEqual(byNumber, ['success', 'pin.cooldown'], 'the number has a budget of its own');
      test.clock.advance(DAY - 10 * COOLDOWN);
      assert.deepEqual(await compare(people, async (one) => [await sendLink(one)]), ['success']);
    });

    it('do not reveal that a name, a number and an e-mail address belong to one account', async () => {
      const [known = { name: '', number: '' }] = await createPeople();
      const stranger = { name: `stranger${count}`, number: `+278212121${count}` };
      await compare([known, stranger], async (one) => {
        const mailed = { ...one, name: `${one.name}@example.com` };
        const links = [await sendLink(one), await sendLink(mailed)];
        const pin = await sendToNumber(one);
        const operation = pin.result.operationId;
        return [
          ...links,
          pin,
          await give(EMAIL, WRONG_CODE)(mailed),
          await verify(one, operation),
          await sendLink(mailed),
        ];
      });
      assert.equal((await test.deliver()).length, 1, 'the owner gets one message per cooldown');
    });

    it('send nothing to deactivated accounts, or to unverified, shared or disallowed addresses', async () => {
      const people = await createPeople();
      const sentTo = async (one: Somebody) => {
        const sent: string[][] = [];
        for (const call of [sendLink, sendPin, sendToNumber]) {
          assert.equal((await call(one)).status, 200);
          sent.push((await test.deliver()).map(({ to }) => to));
          test.clock.advance(COOLDOWN);
        }
        return sent;
      };
      const addressed = (prefix: string) => [`${prefix}${count}@example.com`];
      const reached: Record<string, string[][]> = {
        known: [addressed('known'), [`+278211111${count}`], [`+278211111${count}`]],
        mailed: [addressed('mailed'), [], []],
        texted: [[], [`+278233333${count}`], [`+278233333${count}`]],
        shared: [addressed('shared'), [`+278277777${count}`], []],
      };
      for (const one of people) {
        assert.deepEqual(await sentTo(one), reached[one.name.replace(/\d+$/, '')] ?? [[], [], []], one.name);
      }
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['NA'] });
      const [known = { name: '', number: '' }] = people;
      assert.deepEqual(await sentTo(known), [addressed('known'), [], []]);
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: [] });
    });

    it('never write an unknown name to the database or the log', async () => {
      const typed = { name: `hunter2-typed-as-name-${count}`, number: `+278212121${count}` };
      for (const call of [
        sendLink,
        give(EMAIL, `hunter2-as-code-${count}`),
        give(EMAIL, 'hunter2'.repeat(9)),
        redeem,
      ]) {
        await call(typed);
      }
      const { sql } = test.service.database;
      for (const table of ['pin', 'pin_budget', 'message', 'audit', 'lockout', 'reset_token'] as const) {
        const rows = JSON.stringify(await sql.selectFrom(table).selectAll().execute());
        assert.ok(!rows.includes('hunter2'), table);
      }
      assert.ok(!test.logs.join('').includes('hunter2'));
    });
  });
}
