// Signing in with a one-time pin: requested by a name or number, sent by SMS or e-mail, given back once and in time.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { enginesAtLength } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { type SentMessage, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const SEND_PIN = '/api/TokenAuth/OtpAuthenticateSendPin';
const SIGN_IN = '/api/TokenAuth/OtpAuthenticate';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const SESSIONS = '/api/services/app/Session/GetAll';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const SETTINGS = '/api/services/app/Settings';
const USER = '/api/services/app/User';
const COOLDOWN = 60;
const DEFAULT_LIFETIME = 300;

const pinOf = ({ text }: SentMessage) => text.match(/\b\d{6}\b/)?.[0] ?? assert.fail(`no pin in: ${text}`);

for (const engine of enginesAtLength) {
  describe(`signing in with a pin, on ${engine}`, () => {
    let test: TestService;
    let count = 10;
    let userName: string;
    let number: string;

    before(async () => {
      test = await startTestService(engine);
    });
    beforeEach(async () => {
      count += 1;
      userName = `thandi${count}`;
      number = `+278212345${count}`;
      await test.createUser(userName, { name: 'Thandi', mobileNumber: number, isMobileConfirmed: true });
    });
    after(() => test.close());

    const ask = (userNameOrMobileNo: string) => test.post(SEND_PIN, { body: { userNameOrMobileNo } });
    const give = (operationId: string, code: string, more = {}) =>
      test.post(SIGN_IN, { body: { operationId, code, ...more } });

    /** Changes a setting until the end of this test. */
    async function change(context: TestContext, name: string, value: unknown) {
      const body = { name };
      context.after(async () => test.post(`${SETTINGS}/ResetValue`, { token: await test.admin(), body }));
      await test.set(name, value);
    }

    /** Requests a pin, and reads it where it arrives. */
    async function receive(name = userName) {
      const { status, result, text } = await ask(name);
      assert.equal(status, 200, text);
      const [message, ...others] = await test.deliver();
      assert.ok(message && others.length === 0, 'one message arrives');
      return { operationId: result.operationId as string, pin: pinOf(message), message };
    }

    it('signs in by user name with the pin sent to the verified number, once', async () => {
      const answer = await ask(userName);
      assert.deepEqual(Object.keys(answer.result), ['operationId']);
      const [message] = await test.deliver();
      assert.ok(message);
      assert.deepEqual([message.means, message.to, message.subject], ['sms', number, null]);
      assert.match(message.text, /^\d{6} is your Latchkey code to sign in, valid for 5 min\./);
      const { operationId } = answer.result;
      const { result } = await give(operationId, pinOf(message));
      assert.deepEqual(Object.keys(result), [
        'accessToken',
        'expireInSeconds',
        'expireOn',
        'encryptedAccessToken',
        'userId',
        'personId',
        'deviceName',
        'resultType',
        'redirectUrl',
        'redirectModule',
        'redirectForm',
        'requiredChangePassword',
        'requiresTwoFactorVerification',
      ]);
      const { user } = (await test.get(WHO, { token: result.accessToken })).result;
      assert.deepEqual([user?.id, user?.userName], [result.userId, userName]);
      const again = await give(operationId, pinOf(message));
      assert.deepEqual([again.status, again.error.reason], [401, 'pin.invalid']);
      assert.equal(again.headers['www-authenticate'], undefined);
      assert.equal((await test.get(SESSIONS, { token: result.accessToken })).result.items.length, 1);
    });

    it('is recorded as a pin in the token, session list and audit trail', async () => {
      const { operationId, pin } = await receive();
      const { accessToken: token, userId } = (await give(operationId, pin)).result;
      assert.deepEqual(claimsOf(token).amr, ['otp']);
      const { items } = (await test.get(SESSIONS, { token })).result;
      assert.deepEqual([items[0]?.method, items[0]?.current], ['otp', true]);
      const query = { userId };
      const trail = (await test.get('/api/services/app/Audit/GetAll', { token: await test.admin(), query })).result;
      const told = trail.items.map(({ action, outcome, userName: name }) => [action, outcome, name]);
      assert.deepEqual(
        told.filter(([action]) => action?.startsWith('signIn.')),
        [
          ['signIn.pin', 'success', userName],
          ['signIn.pinRequested', 'success', userName],
        ],
      );
      const asked = trail.items.find(({ action }) => action === 'signIn.pinRequested');
      assert.deepEqual(asked?.details, { to: `***${number.slice(-2)}` });
      const refreshed = await test.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assert.deepEqual(claimsOf(refreshed.result.accessToken).amr, ['otp']);
    });

    it('accepts the mobile number in many spellings, and user name and e-mail address in any', async () => {
      const userId = await test.createUser(`Lerato${count}`, {
        emailAddress: `Lerato${count}@Example.com`,
        mobileNumber: `+278398765${count}`,
        isMobileConfirmed: true,
      });
      const spellings = [
        `+278398765${count}`,
        `+27 83 987 65${count}`,
        `+27 (0)83 987-65${count}`,
        `＋２７８３９８７６５${count}`,
        `LERATO${count}`,
        `ｌｅｒａｔｏ${count}`,
        `lerato${count}@example.COM`,
      ];
      for (const spelling of spellings) {
        const { operationId, pin, message } = await receive(spelling);
        assert.equal(message.to, `+278398765${count}`, spelling);
        assert.equal((await give(operationId, pin)).result.userId, userId, spelling);
        test.clock.advance(COOLDOWN);
      }
    });

    it('accepts national numbers once a default region is set', async (context) => {
      const national = `0${number.slice(3)}`;
      await ask(national);
      assert.deepEqual(await test.deliver(), []);
      test.clock.advance(COOLDOWN);
      await change(context, 'Latchkey.PhoneNumbers', { defaultRegion: 'ZA' });
      const { operationId, pin } = await receive(national);
      assert.equal((await give(operationId, pin, { mobileNo: national })).status, 200);
    });

    it('goes to the verified e-mail address where there is no verified number', async () => {
      const more = {
        name: 'Sipho',
        surname: 'Dube',
        emailAddress: `Sipho${count}@Example.com`,
        isEmailConfirmed: true,
      };
      await test.createUser(`sipho${count}`, { ...more, mobileNumber: `+278498765${count}` });
      const { operationId, pin, message } = await receive(`sipho${count}`);
      assert.deepEqual([message.means, message.to], ['email', `Sipho${count}@Example.com`]);
      assert.equal(message.subject, 'Your code to sign in to Latchkey');
      assert.match(message.text, /^Hello Sipho Dube,\n/);
      assert.ok(!message.subject?.includes(pin), 'locked screens show subjects');
      assert.equal((await give(operationId, pin)).status, 200);
    });

    it('accepts a pin until its lifetime ends, and not at the end itself', async (context) => {
      const inTime = await receive();
      test.clock.advance(DEFAULT_LIFETIME - 1);
      assert.equal((await give(inTime.operationId, inTime.pin)).status, 200);
      const late = await receive();
      test.clock.advance(DEFAULT_LIFETIME);
      assert.equal((await give(late.operationId, late.pin)).error.reason, 'pin.invalid');
      await change(context, 'Shesha.Security', { mobileLoginPinLifetime: 90 });
      const short = await receive();
      assert.match(short.message.text, /valid for 2 min/);
      test.clock.advance(90);
      assert.equal((await give(short.operationId, short.pin)).error.reason, 'pin.invalid');
      const shortInTime = await receive();
      test.clock.advance(89);
      assert.equal((await give(shortInTime.operationId, shortInTime.pin)).status, 200);
    });

    it('sends a pin again after the announced time, and revokes the older one', async () => {
      const first = await receive();
      for (const [seconds, left] of [
        [0, '60'],
        [59, '1'],
      ] as const) {
        test.clock.advance(seconds);
        const answer = await ask(userName.toUpperCase());
        assert.deepEqual([answer.status, answer.error.reason], [429, 'pin.cooldown']);
        assert.equal(answer.headers['retry-after'], left);
      }
      test.clock.advance(1);
      const second = await receive();
      assert.notEqual(second.operationId, first.operationId);
      assert.equal((await give(first.operationId, first.pin)).error.reason, 'pin.invalid');
      assert.equal((await give(second.operationId, second.pin)).status, 200);
    });

    it('limits requests and shapes pins as the settings say', async (context) => {
      const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ';
      await change(context, 'Shesha.Otp', { resendCooldown: 0, passwordLength: 8, alphabet });
      await ask(userName);
      test.clock.advance(1);
      const { result } = await ask(userName);
      const [, message] = await test.deliver();
      const pin = message?.text.match(/^[A-HJKMNP-Z]{8}(?= )/)?.[0] ?? assert.fail(message?.text);
      assert.equal((await give(result.operationId, pin)).status, 200);
    });

    it('accepts the name sent with the pin, if it is one of the account’s', async () => {
      for (const mobileNo of [number, userName.toUpperCase(), '', null]) {
        const { operationId, pin } = await receive();
        assert.equal((await give(operationId, pin, { mobileNo })).status, 200, String(mobileNo));
        test.clock.advance(COOLDOWN);
      }
      const { operationId, pin } = await receive();
      for (const mobileNo of ['+27821112222', 'somebody else']) {
        assert.equal((await give(operationId, pin, { mobileNo })).error.reason, 'pin.invalid', mobileNo);
      }
      assert.equal((await give(operationId, pin)).status, 200);
    });

    it('accepts a pin with blanks and hyphens', async () => {
      const { operationId, pin } = await receive();
      const typed = ` ${pin.slice(0, 3)}-${pin.slice(3)} `;
      assert.equal((await give(operationId.toUpperCase(), typed)).status, 200);
    });

    it('opens a session that must change the password where the account must', async () => {
      const id = await test.createUser(`new${count}`, {
        mobileNumber: `+278598765${count}`,
        isMobileConfirmed: true,
        requireChangePassword: true,
      });
      const { operationId, pin } = await receive(`new${count}`);
      const { result } = await give(operationId, pin);
      assert.deepEqual([result.userId, result.requiredChangePassword], [id, true]);
      const { accessToken: token } = result;
      assert.equal((await test.get(SESSIONS, { token })).error.reason, 'password.changeRequired');
      const body = { currentPassword: USER_PASSWORD, newPassword: 'quarry velvet thimble' };
      assert.equal((await test.post(`${USER}/ChangePassword`, { token, body })).status, 200);
      assert.equal((await test.get(SESSIONS, { token })).status, 200);
    });

    it('resets the count of wrong passwords', async () => {
      const tryPassword = () =>
        test.post(AUTHENTICATE, { body: { userNameOrEmailAddress: userName, password: 'a wrong guess at it' } });
      for (let round = 0; round < 2; round += 1) {
        for (let turn = 0; turn < 4; turn += 1) {
          assert.equal((await tryPassword()).error.reason, 'signIn.invalidCredentials');
        }
        const { operationId, pin } = await receive();
        assert.equal((await give(operationId, pin)).status, 200);
        test.clock.advance(COOLDOWN);
      }
    });

    it('sends the text that an administrator chose', async (context) => {
      const name = 'Latchkey.Messages.SignInPin';
      await change(context, name, { sms: '{{ application }}: {{pin}} ({{minutes}} min) for {{name}}' });
      await change(context, 'Latchkey.Application', { name: 'The Bank' });
      const { message, pin, operationId } = await receive();
      assert.equal(message.text, `The Bank: ${pin} (5 min) for Thandi`);
      assert.equal((await give(operationId, pin)).status, 200);
      const token = await test.admin();
      const refusals = [
        [{ sms: 'Your pin is {{pin}}, {{nam}}' }, 'sms', /sms holds \{\{nam\}\}, but may hold only \{\{pin\}\}, /],
        [{ text: '{{pin}} {{link}}' }, 'text', /text holds \{\{link\}\}/],
        [{ sms: 'Your pin is on its way' }, 'sms', /sms must hold \{\{pin\}\}/],
        [{ html: '<p>Look into the other part</p>' }, 'html', /html must hold \{\{pin\}\}/],
        [{ subject: 'Two\r\nBcc: lines@example.com' }, 'subject', /subject/],
      ] as const;
      for (const [value, member, telling] of refusals) {
        const answer = await test.post(`${SETTINGS}/UpdateValue`, { token, body: { name, value } });
        assert.deepEqual([answer.status, answer.error?.reason], [400, 'request.invalid']);
        assert.match(answer.error.details, telling);
        assert.ok(answer.error.validationErrors?.[0]?.members[0]?.endsWith(member), answer.text);
      }
    });
  });
}
