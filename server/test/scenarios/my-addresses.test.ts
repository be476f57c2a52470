// A person's own addresses: a pin verifies a new or the present address, and the service notifies the old one.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { pinIn, wrongPin } from '../support/registration.ts';
import { type SentMessage, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const CHANGE = '/api/services/app/User/ChangeMyAddress';
const VERIFY = '/api/services/app/User/VerifyMyAddress';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const COOLDOWN = 60;
const DAY = 86_400;
const PROOF = { isSuccess: true, errorMessage: null };
const NO_PROOF = {
  isSuccess: false,
  errorMessage: 'This pin is wrong, or can no longer be used. Please check it, or request a new one.',
};

for (const engine of enginesAtLength) {
  describe(`my addresses, on ${engine}`, () => {
    let test: TestService;
    let count = 10;
    let userName: string;
    let email: string;
    let number: string;
    let token: string;

    before(async () => {
      test = await startTestService(engine);
    });
    beforeEach(async () => {
      count += 1;
      userName = `thandi${count}`;
      email = `Thandi${count}@Example.com`;
      number = `+278212345${count}`;
      const addresses = { emailAddress: email, isEmailConfirmed: true, mobileNumber: number, isMobileConfirmed: true };
      await test.createUser(userName, { name: 'Thandi', surname: 'Nkosi', ...addresses });
      token = await test.signIn(userName);
      await test.deliver();
    });
    after(() => test.close());

    const change = (wanted: object, call: { token?: string } = { token }) =>
      test.post(CHANGE, { ...call, body: { currentPassword: USER_PASSWORD, ...wanted } });
    const verify = (operationId: string, pin: string, call: { token?: string } = { token }) =>
      test.post(VERIFY, { ...call, body: { operationId, pin } });
    const findMe = async (call: { token?: string }) => (await test.get(WHO, call)).result.user;
    const me = async (call: { token?: string } = { token }) => (await findMe(call)) ?? assert.fail('not signed in');
    const tryName = (name: string) =>
      test.post(AUTHENTICATE, { body: { userNameOrEmailAddress: name, password: USER_PASSWORD } });
    const only = ([message, ...others]: SentMessage[]) => {
      assert.ok(message && others.length === 0, 'one message');
      return message;
    };

    /** Returns the e-mail and the SMS that two messages are. */
    function both(messages: SentMessage[]): [SentMessage, SentMessage] {
      assert.equal(messages.length, 2);
      const of = (wanted: string) => messages.find(({ means }) => means === wanted) ?? assert.fail(wanted);
      return [of('email'), of('sms')];
    }

    /** Requests an address and verifies it. @returns the messages sent afterwards, to the former address. */
    async function prove(wanted: object, call: { token?: string } = { token }) {
      const { result, text } = await change(wanted, call);
      assert.ok(result, text);
      const message = only(await test.deliver());
      assert.equal(message.to, result.sentTo);
      assert.deepEqual((await verify(result.operationId, pinIn(message), call)).result, PROOF);
      return test.deliver();
    }

    it('changes the e-mail address with the pin sent to the new one, and notifies the old one', async () => {
      const other = await test.signIn(userName);
      const emailAddress = `New${count}@Example.org`;
      const { result } = await change({ emailAddress });
      assert.deepEqual(Object.keys(result), ['operationId', 'sentTo']);
      assert.equal(result.sentTo, emailAddress);
      const message = only(await test.deliver());
      assert.deepEqual([message.means, message.to], ['email', emailAddress]);
      assert.match(message.text, /valid for 10 minutes/);
      assert.ok(!/thandi|nkosi/i.test(message.text), 'nothing about the account goes to an unverified address');
      assert.equal((await me()).email, email, 'nothing is changed yet');
      assert.equal((await tryName(emailAddress)).status, 401);

      const pin = pinIn(message);
      assert.deepEqual((await verify(result.operationId, wrongPin(pin))).result, NO_PROOF);
      assert.deepEqual((await verify(result.operationId, pin)).result, PROOF);
      assert.deepEqual((await verify(result.operationId, pin)).result, NO_PROOF);

      const { email: now, isEmailConfirmed, userName: same } = await me();
      assert.deepEqual([now, isEmailConfirmed, same], [emailAddress, true, userName]);
      const [told, toNumber] = both(await test.deliver());
      assert.deepEqual([told.to, toNumber.to], [email, number]);
      assert.match(toNumber.text, /another e-mail address was verified for your account/);
      assert.match(told.subject ?? '', /^Your e-mail address for Latchkey was changed$/);
      assert.match(told.text, /^Hello Thandi Nkosi,\n.*If you did not, change your password at once/s);
      assert.ok(!told.text.includes(emailAddress) && !told.text.includes(pin));

      assert.equal((await tryName(emailAddress.toUpperCase())).status, 200);
      assertRefused(await tryName(email), 401, 'signIn.invalidCredentials');
      assert.equal(await findMe({ token: other }), null, 'other sessions end');
      const refreshed = await test.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assert.equal(claimsOf(refreshed.result.accessToken).email, emailAddress);
    });

    it('changes the mobile number, in any spelling, and signs in with pins sent to the new one', async () => {
      const { result } = await change({ mobileNumber: `+27 (0)83 765-43${count}`, emailAddress: null });
      assert.equal(result.sentTo, `+278376543${count}`);
      const message = only(await test.deliver());
      assert.deepEqual([message.means, message.to], ['sms', `+278376543${count}`]);
      const pin = pinIn(message);
      const typed = ` ${pin.slice(0, 3)} ${pin.slice(3)}`;
      assert.deepEqual((await verify(result.operationId.toUpperCase(), typed)).result, PROOF);
      const [toEmail, told] = both(await test.deliver());
      assert.deepEqual([toEmail.to, told.to], [email, number]);
      assert.match(toEmail.subject ?? '', /^Your mobile number for Latchkey was set$/);
      assert.ok(!toEmail.text.includes(`278376543${count}`));
      assert.match(told.text, /another number was verified for your account and has replaced this one/);
      const { mobileNumber, isMobileConfirmed, email: same } = await me();
      assert.deepEqual([mobileNumber, isMobileConfirmed, same], [`+278376543${count}`, true, email]);

      test.clock.advance(COOLDOWN);
      const askByNumber = (userNameOrMobileNo: string) =>
        test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo } });
      await askByNumber(number);
      assert.deepEqual(await test.deliver(), []);
      const { operationId } = (await askByNumber(mobileNumber ?? '')).result;
      const code = pinIn(only(await test.deliver()));
      const signedIn = await test.post('/api/TokenAuth/OtpAuthenticate', { body: { operationId, code } });
      assert.equal(signedIn.status, 200);
    });

    it('verifies the present address, and sends no notice', async () => {
      const body = { emailAddress: `sipho${count}@example.com`, mobileNumber: `+278498765${count}` };
      await test.createUser(`sipho${count}`, body);
      const call = { token: await test.signIn(`sipho${count}`) };
      assert.deepEqual(await prove({ emailAddress: body.emailAddress }, call), []);
      test.clock.advance(COOLDOWN);
      assert.deepEqual(await prove({ mobileNumber: body.mobileNumber }, call), []);
      const { isEmailConfirmed, isMobileConfirmed } = await me(call);
      assert.deepEqual([isEmailConfirmed, isMobileConfirmed], [true, true]);
    });

    it('sends no notice to an address that was never verified, and tells the other one of a first one', async () => {
      await test.createUser(`lerato${count}`, { emailAddress: `lerato${count}@example.com` });
      const call = { token: await test.signIn(`lerato${count}`) };
      assert.deepEqual(await prove({ emailAddress: `lerato${count}@example.org` }, call), []);
      test.clock.advance(COOLDOWN);
      const told = await prove({ mobileNumber: `+278398765${count}` }, call);
      assert.deepEqual(
        told.map(({ means, to }) => [means, to]),
        [['email', `lerato${count}@example.org`]],
      );
      const user = await me(call);
      assert.deepEqual([user.email, user.mobileNumber], [`lerato${count}@example.org`, `+278398765${count}`]);
    });

    it('accepts another spelling of the same address, and notifies the old one', async () => {
      const [told] = both(await prove({ emailAddress: email.toLowerCase() }));
      assert.equal(told.to, email);
      assert.equal((await me()).email, email.toLowerCase());
    });

    it('changes a user name along with the address it equals, so that it can never be another person’s address', async () => {
      const emailAddress = `named${count}@example.com`;
      const mobileNumber = `+278498765${count}`;
      const proven = { isEmailConfirmed: true, isMobileConfirmed: true };
      await test.createUser(emailAddress.toUpperCase(), { emailAddress, ...proven });
      await test.createUser(mobileNumber, { mobileNumber, ...proven });
      const byEmail = { token: await test.signIn(emailAddress) };
      await prove({ emailAddress: `renamed${count}@example.com` }, byEmail);
      assert.equal((await me(byEmail)).userName, `renamed${count}@example.com`);
      const byNumber = { token: await test.signIn(mobileNumber) };
      await prove({ emailAddress: `other${count}@example.com` }, byNumber);
      assert.equal((await me(byNumber)).userName, mobileNumber);
      test.clock.advance(COOLDOWN);
      await prove({ mobileNumber: `+278598765${count}` }, byNumber);
      assert.equal((await me(byNumber)).userName, `+278598765${count}`);
      for (const name of [emailAddress, mobileNumber])
        assertRefused(await tryName(name), 401, 'signIn.invalidCredentials');
      for (const name of [`renamed${count}@example.com`, `+278598765${count}`]) await test.signIn(name);
      await test.createUser(emailAddress, { emailAddress });
    });

    it('requires exactly one valid address, and says what is wrong', async () => {
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['ZA', 'NA'] });
      const either = /^Give either an e-mail address or a mobile number\.$/;
      const wrongs: [object, string[], RegExp][] = [
        [{}, ['emailAddress', 'mobileNumber'], either],
        [{ emailAddress: null, mobileNumber: '' }, ['emailAddress', 'mobileNumber'], either],
        [{ emailAddress: `x${count}@example.com`, mobileNumber: number }, ['emailAddress', 'mobileNumber'], either],
        [{ emailAddress: 'no address' }, ['emailAddress'], /emailAddress/],
        [{ emailAddress: 'two@example.com,three@example.com' }, ['emailAddress'], /emailAddress/],
        [{ emailAddress: `${'\ufdfa'.repeat(200)}@example.com` }, ['emailAddress'], /ordinary characters/],
        [{ mobileNumber: '082 123 4567' }, ['mobileNumber'], /^Give the mobile number with its country code/],
        [{ mobileNumber: '+27 82' }, ['mobileNumber'], /^Give the mobile number with its country code/],
        [{ mobileNumber: '+49 151 12345678' }, ['mobileNumber'], /not sent to numbers of this country/],
        [{ emailAddress: `x${count}@example.com`, currentPassword: undefined }, ['currentPassword'], /currentPassword/],
      ];
      for (const [wanted, members, telling] of wrongs) {
        const answer = await change(wanted);
        assertRefused(answer, 400, 'request.invalid', wanted);
        assert.match(answer.error.details, telling);
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, members);
      }
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: [] });
      assert.deepEqual(await test.deliver(), []);
      await prove({ emailAddress: `x${count}@example.com` });
    });

    it('lets the owner request one pin a minute and ten a day, over all addresses', async () => {
      await change({ emailAddress: `a${count}@example.com` });
      test.clock.advance(COOLDOWN - 1);
      for (const wanted of [{ emailAddress: `b${count}@example.com` }, { mobileNumber: `+278376543${count}` }]) {
        const answer = await change(wanted);
        assertRefused(answer, 429, 'pin.cooldown');
        assert.equal(answer.headers['retry-after'], '1');
      }
      test.clock.advance(1);
      for (let turn = 1; turn < 10; turn += 1) {
        assert.equal((await change({ emailAddress: `c${turn}.${count}@example.com` })).status, 200);
        test.clock.advance(COOLDOWN);
      }
      const refused = await change({ emailAddress: `d${count}@example.com` });
      assertRefused(refused, 429, 'pin.dailyLimit');
      assert.equal(refused.headers['retry-after'], String(DAY - 10 * COOLDOWN));
    });

    it('counts no refused request as a failed password', async () => {
      await change({ emailAddress: `a${count}@example.com` });
      for (let turn = 0; turn < 10; turn += 1) {
        assertRefused(await change({ emailAddress: `b${count}@example.com` }), 429, 'pin.cooldown');
      }
      const { sql } = test.service.database;
      const open = () =>
        sql.selectFrom('lockout').select(['failures', 'reservations']).where('reservations', '<>', '[]').execute();
      // The reservation is settled after the answer.
      for (let turn = 0; turn < 1000 && (await open()).length > 0; turn += 1) await nextTurn();
      assert.deepEqual(await open(), []);
      await test.signIn(userName);
    });

    it('accepts a pin until its lifetime ends, and not at the end itself', async () => {
      await test.set('Shesha.Otp', { verificationPinLifetime: 90 });
      for (const [seconds, expected] of [
        [90, NO_PROOF],
        [89, PROOF],
      ] as const) {
        const { operationId } = (await change({ emailAddress: `late${count}@example.com` })).result;
        const message = only(await test.deliver());
        assert.match(message.text, /valid for 2 minutes/);
        test.clock.advance(seconds);
        assert.deepEqual((await verify(operationId, pinIn(message))).result, expected);
      }
      await test.set('Shesha.Otp', { verificationPinLifetime: 600 });
    });

    it('tries for a day to notify the old address, and no longer', async () => {
      const { operationId } = (await change({ emailAddress: `slow${count}@example.com` })).result;
      await verify(operationId, pinIn(only(await test.deliver())));
      const before = test.printed.length;
      test.clock.advance(DAY);
      await test.deliver();
      assert.equal(test.printed.length, before);
    });

    it('is recorded in the audit trail, with masked addresses', async () => {
      const { operationId } = (await change({ emailAddress: `new${count}@example.org` })).result;
      const pin = pinIn(only(await test.deliver()));
      await verify(operationId, wrongPin(pin));
      await verify(operationId, pin);
      await change({ currentPassword: 'a wrong guess at it', mobileNumber: number });
      const { id: userId } = await me();
      const path = '/api/services/app/Audit/GetAll';
      const trail = (await test.get(path, { token: await test.admin(), query: { userId } })).result.items;
      const address = { address: 'emailAddress', to: 'n***@***.org' };
      const told = trail.filter(({ action }) => action.startsWith('account.addressChange'));
      assert.deepEqual(
        told.map(({ action, outcome, reason, details }) => [action, outcome, reason, details]),
        [
          ['account.addressChangeRequested', 'refused', 'password.incorrect', null],
          ['account.addressChanged', 'success', null, address],
          ['account.addressChanged', 'refused', 'pin.invalid', null],
          ['account.addressChangeRequested', 'success', null, address],
        ],
      );
    });
  });
}
