// Resetting a forgotten password by a mailed link, its code, or SMS: in time, once, and as the settings say.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { type SentMessage, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const SETTINGS = '/api/services/app/Settings';
const SESSIONS = '/api/services/app/Session/GetAll';
const NEW_PASSWORD = 'quarry velvet thimble';
const NEWER_PASSWORD = 'marble anchor thistle';
const COOLDOWN = 60;
const TOKEN_LIFETIME = 600;
const EMAIL = 2;
const SMS = 4;

const base64 = (name: string) => Buffer.from(name).toString('base64');
const base64url = (name: string) => Buffer.from(name).toString('base64url');

/** The link in a mail, the content of its fragment, and the code beside it. */
function readMail(mail: SentMessage | undefined) {
  const [link = ''] = mail?.text.match(/http\S+/) ?? [];
  const said = new URLSearchParams(new URL(link).hash.slice(1));
  const [, code = ''] = mail?.text.match(/^\s+(\d{6})$/m) ?? [];
  return { link, username: said.get('username'), secret: said.get('code') ?? '', code };
}

const pinOf = (sms: SentMessage | undefined) => sms?.text.match(/^\d{6}/)?.[0] ?? assert.fail(sms?.text ?? 'no SMS');

for (const engine of enginesAtLength) {
  describe(`resetting a password by link or SMS, on ${engine}`, () => {
    let test: TestService;
    let count = 10;
    let userName: string;
    let number: string;
    let mail: string;
    let id: number;

    before(async () => {
      test = await startTestService(engine);
    });
    beforeEach(async () => {
      await test.deliver();
      count += 1;
      userName = `thandi${count}`;
      number = `+278212345${count}`;
      mail = `Thandi${count}@Example.com`;
      const verified = { emailAddress: mail, isEmailConfirmed: true, mobileNumber: number, isMobileConfirmed: true };
      id = await test.createUser(userName, { name: 'Thandi', surname: 'Nkosi', ...verified });
    });
    after(() => test.close());

    const post = <Name extends string>(name: Name, body: object) => test.post(`${USER}/${name}`, { body });
    const call = async <Name extends string>(name: Name, body: object) => {
      const answer = await post(name, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.result;
    };
    const validate = (code: string, method: number, username = userName) =>
      call('ValidateResetCode', { code, username, method });
    const redeem = (token: string | null | undefined, newPassword = NEW_PASSWORD, headers = {}) =>
      test.post(`${USER}/ResetPasswordUsingToken`, { body: { username: userName, token, newPassword }, headers });
    const signIn = (password: string) =>
      test.post('/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress: userName, password } });

    async function receiveLink(name = userName) {
      assert.equal(await call('SendEmailLink', { username: name }), true);
      const [message, ...others] = await test.deliver();
      assert.equal(others.length, 0);
      return readMail(message);
    }

    async function receivePin(name = userName) {
      assert.equal(await call('SendSmsOtp', { username: name }), true);
      return pinOf((await test.deliver())[0]);
    }

    async function receivePinByNumber(typed = number) {
      const { operationId } = await call('ResetPasswordSendOtp', { mobileNo: typed });
      return { operationId, pin: pinOf((await test.deliver())[0]) };
    }

    /** Each way to a token: `ask` sends what `give` gives back. */
    const ways = {
      'the link': async () => {
        const { secret } = await receiveLink();
        return () => validate(secret, EMAIL);
      },
      'the code beside the link': async () => {
        const { code } = await receiveLink();
        return () => validate(code, EMAIL);
      },
      'a pin by SMS': async () => {
        const pin = await receivePin();
        return () => validate(pin, SMS);
      },
      'a pin to a number': async () => {
        const { operationId, pin } = await receivePinByNumber();
        return () => call('ResetPasswordVerifyOtp', { mobileNo: number, operationId, pin });
      },
    };

    /** Changes settings until the end of this test. */
    async function change(context: TestContext, name: string, value: object) {
      context.after(async () => test.post(`${SETTINGS}/ResetValue`, { token: await test.admin(), body: { name } }));
      await test.set(name, value);
    }

    const assertNotProven = ({ isSuccess, errorMessage, token, username }: Record<string, unknown>, hint = 'given') => {
      assert.deepEqual([isSuccess, token, username], [false, null, null], hint);
      assert.match(String(errorMessage), /wrong, or can no longer be used/);
    };

    for (const [way, ask] of Object.entries(ways)) {
      it(`sets a new password by ${way}, once, and ends all sessions`, async () => {
        const sessions = [await test.signIn(userName), await test.signIn(userName)];
        const give = await ask();
        for (const token of sessions) assert.equal((await test.get(SESSIONS, { token })).status, 200, 'not yet');
        const { isSuccess, errorMessage, token, username } = await give();
        assert.deepEqual([isSuccess, errorMessage, username], [true, null, userName]);
        assert.match(token ?? '', /^[\w-]{43}$/);
        assertNotProven(await give(), 'given twice');
        assert.equal((await signIn(USER_PASSWORD)).status, 200, 'the old password works until it is replaced');
        assert.equal((await redeem(token)).result, true);
        assertRefused(await signIn(USER_PASSWORD), 401, 'signIn.invalidCredentials');
        assert.equal((await signIn(NEW_PASSWORD)).status, 200);
        for (const session of sessions) {
          assertRefused(await test.get(SESSIONS, { token: session }), 401, 'token.revoked');
          assert.equal((await test.post('/api/TokenAuth/RefreshTokenAsync', { token: session })).status, 401);
        }
        assertRefused(await redeem(token, NEWER_PASSWORD), 400, 'reset.invalidToken');
      });
    }

    it('mails the stored address a link with all data in its fragment, and a code', async () => {
      await call('SendEmailLink', { username: mail.toUpperCase() });
      const [message] = await test.deliver();
      assert.deepEqual([message?.means, message?.to], ['email', mail]);
      assert.equal(message?.subject, 'Reset your password for Latchkey');
      assert.match(message?.text ?? '', /^Hello Thandi Nkosi,[\s\S]* valid for 30 minutes/);
      const { link, username, secret, code } = readMail(message);
      assert.equal(link, `http://localhost:8080/reset-password#username=${userName}&code=${secret}`);
      assert.equal(username, userName);
      assert.match(secret, /^[\w-]{43}$/);
      assert.match(code, /^\d{6}$/);
    });

    it('accepts names in any spelling, and the name of a proof also in base64', async () => {
      const odd = `Łu>>>???${count}`;
      const more = { emailAddress: `odd${count}@example.com`, isEmailConfirmed: true };
      await test.createUser(odd, more);
      const spellings = [
        odd,
        odd.toUpperCase(),
        more.emailAddress,
        base64(odd),
        base64url(odd),
        base64(odd.toLowerCase()),
      ];
      assert.match(base64(odd), /[+/]/, 'differs from the url-safe one');
      for (const spelling of [...spellings, base64(odd).replace(/=+$/, ''), base64(more.emailAddress)]) {
        const { secret, code } = await receiveLink(odd);
        const given = spelling.length % 2 ? secret : code;
        assert.equal((await validate(given, EMAIL, spelling)).username, odd, spelling);
        test.clock.advance(COOLDOWN);
      }
    });

    it('accepts numbers in many spellings, codes with blanks, and operation ids in capitals', async () => {
      const { operationId, pin } = await receivePinByNumber(number.replace('+27', '+27 (0)'));
      const typed = ` ${pin.slice(0, 3)}-${pin.slice(3)} `;
      const given = { mobileNo: number.replace('82', ' 82-'), operationId: operationId.toUpperCase(), pin: typed };
      const { token } = await call('ResetPasswordVerifyOtp', given);
      const body = { username: number, token, newPassword: NEW_PASSWORD };
      assert.equal(await call('ResetPasswordUsingToken', body), true);
      assertRefused(await post('ResetPasswordSendOtp', { mobileNo: '123' }), 400, 'request.invalid');
    });

    it('takes the tokens of both accounts if one has verified the number that is the user name of the other', async (context) => {
      const national = number.replace('+27', '0');
      await test.createUser(national, { emailAddress: `namesake${count}@example.com`, isEmailConfirmed: true });
      // The user name is a number since then.
      await change(context, 'Latchkey.PhoneNumbers', { defaultRegion: 'ZA' });
      const ofNamesake = await validate((await receiveLink(national)).secret, EMAIL, national);
      const ofHolder = await call('ResetPasswordVerifyOtp', { mobileNo: national, ...(await receivePinByNumber()) });
      for (const { token } of [ofNamesake, ofHolder]) {
        const body = { username: national, token, newPassword: NEW_PASSWORD };
        assert.equal(await call('ResetPasswordUsingToken', body), true);
      }
      for (const name of [national, userName]) await test.signIn(name, NEW_PASSWORD);
    });

    it('ends the lockout and a forced change', async () => {
      const body = { userId: id, newPassword: NEWER_PASSWORD };
      await test.post(`${USER}/ResetPassword`, { token: await test.admin(), body });
      // The owner is told.
      await test.deliver();
      for (let turn = 0; turn < 5; turn += 1) await signIn('a wrong guess at it');
      assertRefused(await signIn(NEWER_PASSWORD), 401, 'signIn.lockedOut');
      const { token } = await validate(await receivePin(), SMS);
      assertRefused(await signIn(NEWER_PASSWORD), 401, 'signIn.lockedOut');
      assert.equal((await redeem(token)).status, 200);
      const { result } = await signIn(NEW_PASSWORD);
      assert.equal(result.requiredChangePassword, false);
      assert.equal((await test.get(SESSIONS, { token: result.accessToken })).status, 200);
    });

    it('notifies the owner on every verified address, and sends nothing to others', async () => {
      const reset = async (password = NEW_PASSWORD) => {
        const { secret } = await receiveLink();
        const { token } = await validate(secret, EMAIL);
        await redeem(token, password);
        test.clock.advance(COOLDOWN);
        return (await test.deliver()).sort((one, other) => other.means.localeCompare(one.means));
      };
      const [sms, email, ...others] = await reset();
      assert.deepEqual([sms?.to, email?.to, others.length], [number, mail, 0]);
      assert.match(sms?.text ?? '', /password was just reset/);
      assert.equal(email?.subject, 'Your password for Latchkey was reset');
      const body = { id, isMobileConfirmed: false };
      await test.send('PUT', `${USER}/Update`, { token: await test.admin(), body });
      await test.deliver();
      assert.deepEqual(
        (await reset(NEWER_PASSWORD)).map(({ to }) => to),
        [mail],
      );
    });

    it('applies the front end’s password policy, and keeps the token when a password breaks it', async () => {
      const token = await test.admin();
      const appKey = `strict${count}`;
      await test.post('/api/services/app/FrontEndApp/Create', { token, body: { appKey, name: appKey } });
      await test.set('Abp.Zero.UserManagement.PasswordComplexity.RequiredLength', 30, appKey);
      const { token: reset } = await validate((await receiveLink()).secret, EMAIL);
      const headers = { 'sha-frontend-application': appKey };
      for (const [password, more] of [
        ['short', {}],
        [NEW_PASSWORD, headers],
        [`${userName}`, {}],
      ] as const) {
        const answer = await redeem(reset, password, more);
        assertRefused(answer, 400, 'password.policy', password);
        assert.ok(answer.error.validationErrors?.length);
      }
      assert.equal((await signIn(USER_PASSWORD)).status, 200);
      assert.equal((await redeem(reset, `${NEW_PASSWORD} ${NEWER_PASSWORD}`, headers)).status, 200);
    });

    it('keeps links and pins valid as long as the settings say, and tokens for ten minutes', async (context) => {
      const assertLifetime = async (seconds: number, ask: () => Promise<() => Promise<{ isSuccess: boolean }>>) => {
        const inTime = await ask();
        test.clock.advance(seconds - 1);
        assert.equal((await inTime()).isSuccess, true, `after ${seconds - 1} s`);
        test.clock.advance(COOLDOWN);
        const late = await ask();
        test.clock.advance(seconds);
        assert.equal((await late()).isSuccess, false, `after ${seconds} s`);
        test.clock.advance(COOLDOWN);
      };
      const {
        'the link': link,
        'the code beside the link': code,
        'a pin by SMS': sms,
        'a pin to a number': byNumber,
      } = ways;
      for (const way of [link, code]) await assertLifetime(1800, way);
      for (const way of [sms, byNumber]) await assertLifetime(300, way);
      const lifetimes = { resetPasswordEmailLinkLifetime: 90, resetPasswordSmsOtpLifetime: 30 };
      await change(context, 'Shesha.Security', lifetimes);
      for (const way of [link, code]) await assertLifetime(90, way);
      test.clock.advance(86_400);
      for (const way of [sms, byNumber]) await assertLifetime(30, way);
      const tokens = [await validate((await receiveLink()).secret, EMAIL)];
      test.clock.advance(COOLDOWN);
      tokens.push(await validate((await receiveLink()).secret, EMAIL));
      test.clock.advance(TOKEN_LIFETIME - COOLDOWN);
      assertRefused(await redeem(tokens[0]?.token), 400, 'reset.invalidToken');
      test.clock.advance(COOLDOWN - 1);
      assert.equal((await redeem(tokens[1]?.token)).status, 200);
    });

    for (const [method, field] of [
      [EMAIL, 'useResetPasswordViaEmailLink'],
      [SMS, 'useResetPasswordViaSmsOtp'],
    ] as const) {
      it(`closes at once and for good, for every account, what ${field} switches off`, async (context) => {
        const isMail = method === EMAIL;
        const ask = ways[isMail ? 'the code beside the link' : 'a pin by SMS'];
        const { token } = await (await ask())();
        test.clock.advance(COOLDOWN);
        const { secret, code } = isMail ? await receiveLink() : { secret: '', code: '' };
        const { operationId, pin } = isMail ? { operationId: '', pin: '' } : await receivePinByNumber();
        const given = { mobileNo: number, operationId, pin };
        const gives = isMail
          ? [() => validate(secret, EMAIL), () => validate(code, EMAIL)]
          : [() => validate(pin, SMS), () => call('ResetPasswordVerifyOtp', given)];
        test.clock.advance(COOLDOWN);
        await change(context, 'Shesha.Security', { [field]: false });
        for (const username of [userName, `nobody${count}`]) {
          const proof = { username, code: '000000', method };
          const mobileNo = username === userName ? number : '+27827654321';
          const byLink: [string, object][] = [
            ['SendEmailLink', { username }],
            ['ValidateResetCode', { ...proof, code: 'x'.repeat(43) }],
          ];
          const bySms: [string, object][] = [
            ['SendSmsOtp', { username }],
            ['ResetPasswordSendOtp', { mobileNo }],
            ['ResetPasswordVerifyOtp', { mobileNo, operationId: 'of none', pin: '000000' }],
          ];
          const calls = [['ValidateResetCode', proof] as const, ...(isMail ? byLink : bySms)];
          for (const [name, body] of calls) {
            assertRefused(await post(name, body), 400, 'reset.methodNotAllowed', name);
          }
        }
        assert.deepEqual(await test.deliver(), []);
        assertRefused(await redeem(token), 400, 'reset.invalidToken');
        await test.set('Shesha.Security', { [field]: true });
        for (const give of gives) assertNotProven(await give(), 'given after the setting was switched on again');
        assertRefused(await redeem(token), 400, 'reset.invalidToken');
        const { token: fresh } = await (await ask())();
        assert.equal((await redeem(fresh)).status, 200);
      });

      it(`leaves open what ${field} does not switch`, async (context) => {
        const give = await ways[method === EMAIL ? 'a pin by SMS' : 'the link']();
        await change(context, 'Shesha.Security', { [field]: false });
        const { token } = await give();
        assert.equal((await redeem(token)).status, 200);
      });
    }

    it('ends unused links, codes and tokens when the password is changed with the current one', async () => {
      const { token: held } = await validate(await receivePin(), SMS);
      test.clock.advance(COOLDOWN);
      const { secret, code } = await receiveLink();
      test.clock.advance(COOLDOWN);
      const { operationId, pin } = await receivePinByNumber();
      const body = { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD };
      assert.equal(
        (await test.post(`${USER}/ChangePassword`, { token: await test.signIn(userName), body })).status,
        200,
      );
      assertRefused(await redeem(held, NEWER_PASSWORD), 400, 'reset.invalidToken');
      assertNotProven(await validate(secret, EMAIL), 'the link');
      assertNotProven(await validate(code, EMAIL), 'the code beside it');
      assertNotProven(await validate(pin, SMS), 'the pin');
      assertNotProven(await call('ResetPasswordVerifyOtp', { mobileNo: number, operationId, pin }), 'its operation');
      assert.equal((await signIn(NEW_PASSWORD)).status, 200);
    });

    it('writes audit entries that name the method and mask the address', async () => {
      await redeem((await validate((await receiveLink()).secret, EMAIL)).token);
      const query = { userId: id };
      const { items } = (await test.get('/api/services/app/Audit/GetAll', { token: await test.admin(), query })).result;
      const told = items.filter(({ action }) => action.startsWith('reset.'));
      assert.deepEqual(
        told.map(({ action, outcome, details }: Record<string, unknown>) => [action, outcome, details]).reverse(),
        [
          ['reset.requested', 'success', { method: EMAIL, to: 'T***@***.com' }],
          ['reset.proven', 'success', { method: EMAIL }],
          ['reset.completed', 'success', { method: EMAIL }],
        ],
      );
    });

    it('refuses input that is no name, number or code, and never fails on it', async () => {
      const bodies: [string, Record<string, unknown>][] = [
        ['SendEmailLink', { username: userName }],
        ['SendSmsOtp', { username: userName }],
        ['ResetPasswordSendOtp', { mobileNo: number }],
        ['ValidateResetCode', { username: userName, code: '123456', method: EMAIL }],
        ['ResetPasswordVerifyOtp', { mobileNo: number, operationId: 'none', pin: '123456' }],
        ['ResetPasswordUsingToken', { username: userName, token: 'none', newPassword: NEW_PASSWORD }],
      ];
      for (const [name, body] of bodies) {
        for (const member of Object.keys(body)) {
          const isSecret = ['code', 'pin', 'token', 'newPassword'].includes(member);
          const bad: unknown[] = ['x'.repeat(10_000), '', null, 1.5, true, [userName], { $ne: '' }, undefined];
          const controls = isSecret
            ? []
            : ['\u0000', `${userName}\r\nBcc: x@evil.org`, '\n', `${userName}\u0000`, `\u200b `];
          for (const value of [...bad, ...controls]) {
            const answer = await post(name, { ...body, [member]: value });
            assertRefused(answer, 400, 'request.invalid', [name, member, String(value).slice(0, 20)]);
          }
          if (!isSecret) continue;
          for (const value of ['\u0000', '\r\n', '\ud800', '💥', `123456\u0000`]) {
            const { status, result, error } = await post(name, { ...body, [member]: value });
            const isNotProven = (result as { isSuccess?: boolean } | null)?.isSuccess === false;
            const isRefused = isNotProven || error?.reason === 'reset.invalidToken';
            assert.ok((status < 500 && isRefused) || error?.reason === 'request.invalid', `${name} ${member}`);
          }
        }
      }
      for (const method of [0, 1, 3, 8, -2, 2.5, 6, '2 or 4']) {
        assertRefused(
          await post('ValidateResetCode', { username: userName, code: '123456', method }),
          400,
          'request.invalid',
        );
      }
      assert.deepEqual(await test.deliver(), []);
    });
  });
}
