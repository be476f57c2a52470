// Names, addresses, numbers and codes as people paste and type them: with white space, invisible marks and their own digits.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { useFactors } from '../support/factors.ts';
import { createRegistering, pinIn, SEND_BY } from '../support/registration.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { inArabic, inFullWidth } from '../support/typing.ts';

const USER = '/api/services/app/User';
const TOKEN_AUTH = '/api/TokenAuth';
const COOLDOWN = 60;

/** A name as it is, and as chats, spreadsheets and phones paste it. */
const spell = (name: string) => [
  name,
  `${name} `,
  `\t${name}\r\n`,
  `\u202a${name}\u202c`,
  `${name.slice(0, 2)}\u200b${name.slice(2)}`,
  `\ufeff\u00a0${name.toUpperCase()}\u200f`,
];

/** A code in the groups and digits that people type. */
const spellCode = (code: string) => [
  `${code.slice(0, 3)} ${code.slice(3)}`,
  `${inFullWidth(code.slice(0, 3))}‐${inFullWidth(code.slice(3))}`,
  `\u200f${inArabic(code)}\n`,
];

for (const engine of enginesAtLength) {
  describe(`what people type, on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let count = 10;
    let person: { userName: string; emailAddress: string; mobileNumber: string };
    before(async () => {
      test = await startTestService(engine);
    });
    beforeEach(async () => {
      // The clock moves on by days.
      admin = await test.admin();
      count += 1;
      person = {
        userName: `anna${count}`,
        emailAddress: `anna${count}@example.com`,
        mobileNumber: `+278212345${count}`,
      };
      await test.createUser(person.userName, { ...person, isEmailConfirmed: true, isMobileConfirmed: true });
      await test.deliver();
    });
    after(() => test.close());

    const authenticate = (userNameOrEmailAddress: string, password = USER_PASSWORD, more = {}) =>
      test.post(`${TOKEN_AUTH}/Authenticate`, { body: { userNameOrEmailAddress, password, ...more } });
    const find = async (id: number) => (await test.get(`${USER}/Get`, { token: admin, query: { id } })).result;
    /** The one message that was sent. */
    async function message() {
      test.clock.advance(COOLDOWN);
      const [sent, ...more] = await test.deliver();
      assert.ok(sent && more.length === 0, `sent: ${JSON.stringify([sent, ...more])}`);
      return sent;
    }

    it('signs in by user name and address, with the password exactly as it is', async () => {
      for (const name of [...spell(person.userName), ...spell(person.emailAddress)]) {
        assert.equal((await authenticate(name)).status, 200, JSON.stringify(name));
      }
      for (const password of [` ${USER_PASSWORD}`, `${USER_PASSWORD}\u200b`]) {
        assertRefused(await authenticate(person.userName, password), 401, 'signIn.invalidCredentials');
      }
    });

    it('counts towards one lock in every spelling', async () => {
      for (const name of spell(person.userName).slice(0, 5)) await authenticate(name, 'a wrong password');
      assertRefused(await authenticate(person.emailAddress), 401, 'signIn.lockedOut');
    });

    it('gets and gives a pin to sign in', async () => {
      const { userName, emailAddress, mobileNumber } = person;
      const numbers = [
        `tel:${mobileNumber}`,
        `\u202a${inArabic(mobileNumber)}\u202c`,
        ` ${inFullWidth(mobileNumber)} `,
      ];
      for (const [at, name] of [...spell(userName), ...spell(emailAddress), ...numbers].entries()) {
        if (at % 4 === 0) test.clock.advance(86_400);
        const asked = await test.post(`${TOKEN_AUTH}/OtpAuthenticateSendPin`, { body: { userNameOrMobileNo: name } });
        const code = spellCode(pinIn(await message()))[at % 3];
        const body = { operationId: ` ${asked.result.operationId} `, code, mobileNo: name };
        const given = await test.post(`${TOKEN_AUTH}/OtpAuthenticate`, { body });
        assert.equal(given.status, 200, JSON.stringify([name, code]));
      }
    });

    it('resets a password by link, code and pin', async () => {
      const post = <Name extends string>(name: Name, body: object) => test.post(`${USER}/${name}`, { body });
      for (const [at, username] of [...spell(person.userName), ...spell(person.emailAddress)].entries()) {
        if (at % 4 === 0) test.clock.advance(86_400);
        await post('SendEmailLink', { username });
        const { text } = await message();
        const [code = ''] = /^\s+\d{6}$/m.exec(text) ?? [];
        const secret = new URLSearchParams(/#(\S+)/.exec(text)?.[1]).get('code') ?? '';
        const typed = at % 2 === 0 ? spellCode(code.trim())[at % 3] : `\u200e${secret}\n`;
        const proven = await post('ValidateResetCode', { username, code: typed, method: 2 });
        assert.equal(proven.result.isSuccess, true, JSON.stringify([username, typed]));
        const redeemed = { username, token: proven.result.token, newPassword: `${USER_PASSWORD} ${at}` };
        const reset = await post('ResetPasswordUsingToken', redeemed);
        assert.equal(reset.status, 200, reset.text);
        await test.deliver();
      }
      test.clock.advance(86_400);
      const mobileNo = `tel:${inArabic(person.mobileNumber)}`;
      const { operationId } = (await post('ResetPasswordSendOtp', { mobileNo })).result;
      const pin = spellCode(pinIn(await message()))[2];
      assert.equal((await post('ResetPasswordVerifyOtp', { mobileNo, operationId, pin })).result.isSuccess, true);
    });

    it('sees the same options and questions in every spelling of a name, known or not', async () => {
      await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
      for (const name of [person.userName, `nobody${count}`]) {
        for (const call of ['GetUserPasswordResetOptions', 'GetSecurityQuestions'] as const) {
          const answers = [];
          for (const username of spell(name)) answers.push(await test.get(`${USER}/${call}`, { query: { username } }));
          assert.equal(new Set(answers.map(({ result }) => JSON.stringify(result))).size, 1, `${call} ${name}`);
          assert.ok((answers[0]?.result.length ?? 0) > 0);
        }
      }
    });

    it('registers with what is left without the marks', async () => {
      const people = createRegistering(test);
      await people.open('email');
      const address = `New${count}@example.com`;
      const [, , , pasted = ''] = spell(address);
      const { result } = await people.askPin(` ${pasted}`, SEND_BY.email);
      assert.equal(result.sentTo, address);
      const pin = spellCode(pinIn(await message()))[1] ?? '';
      assert.equal((await people.verifyPin(result.operationId, pin)).result.isSuccess, true);
      const form = {
        userName: ` n\u200dew\u200e${count} `,
        firstName: '\u200bAn\u202dna ',
        lastName: ' علی\u200cرضا\u00a0',
      };
      const taken = { ...form, userName: `${person.userName}\u034f`, emailAddress: pasted };
      assertRefused(await people.create({ ...taken, operationId: result.operationId }), 409, 'account.userNameTaken');
      const made = await people.create({ ...form, emailAddress: pasted, operationId: result.operationId });
      const stored = await find(made.result.userId);
      const { userName, name, surname, emailAddress } = stored;
      assert.deepEqual([userName, name, surname, emailAddress], [`new${count}`, 'Anna', 'علی\u200cرضا', address]);
    });

    it('is stored by administrators without the marks, and a taken name stays taken', async () => {
      const create = (body: object) => test.post(`${USER}/Create`, { token: admin, body });
      const typed = {
        userName: `\u2066bea${count}\u2069 `,
        name: ' Bea\u200b',
        surname: '\tLee\u200f',
        emailAddress: `\u200fbea${count}@exam\u200bple.com\n`,
        mobileNumber: `tel:+27 82 999 99\u200e${count}`,
      };
      const created = await create(typed);
      assert.equal(created.status, 200, created.text);
      const { id } = created.result;
      const { userName, name, surname, emailAddress, mobileNumber } = await find(id);
      assert.deepEqual(
        { userName, name, surname, emailAddress, mobileNumber },
        {
          userName: `bea${count}`,
          name: 'Bea',
          surname: 'Lee',
          emailAddress: `bea${count}@example.com`,
          mobileNumber: `+278299999${count}`,
        },
      );
      for (const more of [
        { userName: `${person.userName}\u200d` },
        { userName: `c${count}`, emailAddress: ` ${person.emailAddress}` },
      ]) {
        assertRefused(await create(more), 409, 'account.duplicate', more);
      }
      const changed = { id, userName: ` bea${count}\u200b`, emailAddress: ` bea${count}@example.com ` };
      await test.send('PUT', `${USER}/Update`, { token: admin, body: changed });
      assert.equal((await find(id)).userName, `bea${count}`);
      const query = { keyword: `\u200f Bea Lee\u00a0` };
      const listed = (await test.get(`${USER}/GetAll`, { token: admin, query })).result.items.map((one) => one.id);
      assert.ok(listed.includes(id), 'a search finds it');
      const line = JSON.stringify({ userName: ` dan${count}\u200b`, emailAddress: `\u200fdan${count}@example.com ` });
      const imported = await test.post(`${USER}/Import`, { token: admin, body: { lines: [line] } });
      assert.deepEqual(imported.result.items[0]?.userName, `dan${count}`);
    });
  });

  describe(`a code as people type it, on ${engine}`, () => {
    let test: TestService;
    let factors: ReturnType<typeof useFactors>;
    before(async () => {
      test = await startTestService(engine);
      factors = useFactors({ here: test, there: test, close: test.close });
      await factors.allow();
    });
    after(() => test.close());

    it('of an app or of the recovery codes completes a sign-in, and a text that is none costs no try', async () => {
      await test.createUser('anna');
      const app = await factors.enroll(await test.signIn('anna'));
      const [recovery = ''] = app.codes;
      for (const provider of ['Authenticator', 'RecoveryCode']) {
        const token = await factors.challenge('anna');
        for (const text of ['12345', '1234567', 'x'.repeat(10), '١٢٣', '12.34.56', 'u'.repeat(10), recovery.slice(1)]) {
          assertRefused(await factors.verify(token, text, { provider }), 401, 'factor.invalid', text);
        }
        const code =
          provider === 'RecoveryCode' ? inFullWidth(` ${recovery.replaceAll('-', '–').toUpperCase()}`) : undefined;
        const given = await factors.verify(token, code ?? spellCode(factors.nextCode(app))[1] ?? '', { provider });
        assert.equal(given.status, 200, given.text);
      }
    });

    it('is absent when it is empty', async () => {
      await test.createUser('bea');
      const app = await factors.enroll(await test.signIn('bea'));
      for (const twoFactorVerificationCode of ['', ' ', '\u200b-', null]) {
        const more = { twoFactorVerificationCode, twoFactorRememberClientToken: '' };
        const { status, result } = await factors.signIn('bea', more);
        assert.deepEqual([status, result.requiresTwoFactorVerification], [200, true]);
      }
      for (const spelling of [0, 1, 2]) {
        const twoFactorVerificationCode = spellCode(factors.nextCode(app))[spelling] ?? '';
        const { result } = await factors.signIn('bea', { twoFactorVerificationCode });
        assert.equal(result.requiresTwoFactorVerification, false, twoFactorVerificationCode);
      }
    });
  });
}
