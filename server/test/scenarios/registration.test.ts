// Registration: people verify an address, create an account with it, and sign in.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertEnvelope, assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import {
  createRegistering,
  linkIn,
  pinIn,
  RESEND_PIN,
  type Registering,
  SEND_BY,
  SEND_PIN,
  wrongPin,
} from '../support/registration.ts';
import { ISSUER, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const COMPLETE = '/api/services/app/UserManagement/CompleteRegistration';
const SETTING = 'Shesha.UserManagement';
const USER = '/api/services/app/User';

for (const engine of enginesAtLength) {
  describe(`registration on ${engine}`, () => {
    let test: TestService;
    let people: Registering;
    let count = 0;
    let address: string;
    before(async () => {
      test = await startTestService(engine);
      people = createRegistering(test);
    });
    beforeEach(async () => {
      count += 1;
      address = `Newcomer${count}@Example.org`;
      await people.open('email', { userEmailAsUsername: false, goToUrlAfterRegistration: '/' });
    });
    after(() => test.close());

    const resend = (operationId: string) => test.post(RESEND_PIN, { body: { operationId } });

    async function findEntries(action: string) {
      const query = { action, maxResultCount: 100 };
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token: await test.admin(), query });
      return result.items;
    }

    async function whoIs(token: string) {
      const { user } = (await test.get(WHO, { token })).result;
      return user ?? assert.fail('not signed in');
    }

    it('creates an account with the e-mail address that a pin has verified', async () => {
      const asked = await people.askPin(address);
      assertEnvelope(asked);
      assert.equal(asked.result.sentTo, address);
      const { operationId } = asked.result;
      const [message] = await test.deliver();
      assert.deepEqual([message?.to, message?.means], [address, 'email']);
      const pin = pinIn(message);
      const wrong = await people.verifyPin(operationId, wrongPin(pin));
      assert.deepEqual([wrong.status, wrong.result.isSuccess], [200, false]);
      assert.ok(wrong.result.errorMessage);
      const spaced = `${pin.slice(0, 3)} ${pin.slice(3)}`;
      const right = await people.verifyPin(operationId.toUpperCase(), spaced);
      assert.deepEqual(right.result, { isSuccess: true, errorMessage: null });

      await people.open('email', { goToUrlAfterRegistration: '/welcome?new=1' });
      const created = await people.create({ userName: `thandi${count}`, emailAddress: address, operationId });
      assertEnvelope(created);
      const { id, userId, ...told } = created.result;
      assert.deepEqual(told, {
        userName: `thandi${count}`,
        fullName: 'Thandi Nkosi',
        goToUrlAfterRegistration: '/welcome?new=1',
      });
      const user = await whoIs(await test.signIn(`thandi${count}`));
      assert.deepEqual(
        [user.id, user.personId, user.email, user.isEmailConfirmed, user.roles, user.requireChangePassword],
        [userId, id, address, true, [], false],
      );
      await test.signIn(address.toLowerCase());
    });

    it('lets a newly registered person sign in with a pin as well', async () => {
      const operationId = await people.prove(address);
      assert.equal((await people.create({ emailAddress: address, operationId })).status, 200);
      test.clock.advance(60);
      const body = { userNameOrMobileNo: address };
      const asked = await test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body });
      const code = pinIn((await test.deliver()).at(0));
      const given = { operationId: asked.result.operationId, code };
      assert.equal((await test.post('/api/TokenAuth/OtpAuthenticate', { body: given })).status, 200);
    });

    it('sends a link that holds operation and pin in its fragment, which no server sees', async () => {
      const { result } = await people.askPin(address, SEND_BY.link);
      const [message] = await test.deliver();
      const { page, operation, pin } = linkIn(message);
      assert.deepEqual([page, pin], [`${ISSUER}/register`, pinIn(message)]);
      assert.notEqual(operation, result.operationId);
      assert.equal((await people.verifyPin(operation.toUpperCase(), pin)).result.isSuccess, true);
      assert.equal((await people.create({ emailAddress: address, operationId: operation })).status, 200);
    });

    it('takes the pin of a link where it was asked for, too, and sends another one in its place', async () => {
      const { result } = await people.askPin(address, SEND_BY.link);
      const { operation } = linkIn((await test.deliver()).at(0));
      test.clock.advance(60);
      assert.equal((await test.post(RESEND_PIN, { body: { operationId: operation } })).status, 200);
      const pin = pinIn((await test.deliver()).at(0));
      assert.equal((await people.verifyPin(result.operationId, pin)).result.isSuccess, true);
      assert.equal((await people.create({ emailAddress: address, operationId: result.operationId })).status, 200);
    });

    it('creates an account with the mobile number that a pin has verified, in any spelling', async () => {
      await people.open('mobile');
      const number = `+2782000${String(1000 + count)}`;
      const asked = await people.askPin(`+27 (0)82 000-${number.slice(-4)}`, SEND_BY.sms);
      assert.equal(asked.result?.sentTo, number, asked.text);
      const [message] = await test.deliver();
      assert.deepEqual([message?.to, message?.means], [number, 'sms']);
      assert.ok((message?.text.length ?? 161) <= 160);
      const { operationId } = asked.result;
      assert.equal((await people.verifyPin(operationId, pinIn(message))).result.isSuccess, true);
      const mobileNumber = `+27 82 000 ${number.slice(-4)}`;
      const created = await people.create({ mobileNumber, operationId });
      assert.equal(created.result?.userName, number, created.text);
      const user = await whoIs(await test.signIn(number));
      assert.deepEqual([user.mobileNumber, user.isMobileConfirmed, user.email], [number, true, null]);
    });

    it('keeps only the address that was proven', async () => {
      const operationId = await people.prove(address);
      const other = { mobileNumber: '+27820009999' };
      const created = await people.create({ emailAddress: address.toUpperCase(), operationId, ...other });
      assert.equal(created.result?.userName, address, created.text);
      const user = await whoIs(await test.signIn(address));
      assert.deepEqual([user.email, user.mobileNumber], [address, null]);
    });

    it('uses the address as user name where the setting says so, else the name in the request', async () => {
      await people.open('email', { userEmailAsUsername: true });
      const operationId = await people.prove(address);
      const created = await people.create({ userName: 'something', emailAddress: address, operationId });
      assert.equal(created.result.userName, address);
    });

    it('refuses user names that are taken or could be another person’s address, and keeps the proof', async () => {
      const operationId = await people.prove(address);
      const create = (userName: string) => people.create({ userName, emailAddress: address, operationId });
      assertRefused(await create('ＡＤＭＩＮ'), 409, 'account.userNameTaken');
      for (const userName of ['somebody@else.org', '+27820001234', 'a b', 'ﷺ'.repeat(256), 'x'.repeat(257)]) {
        const answer = await create(userName);
        assertRefused(answer, 400, 'request.invalid', userName);
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, ['userName']);
      }
      const own = address.toUpperCase();
      assert.equal((await create(own)).result?.userName, own);
    });

    it('checks the password against the rules of the front end in use', async () => {
      const token = await test.admin();
      const appKey = `strict${count}`;
      await test.post('/api/services/app/FrontEndApp/Create', { token, body: { appKey, name: 'Strict' } });
      await test.set('Abp.Zero.UserManagement.PasswordComplexity.RequireDigit', true, appKey);
      const operationId = await people.prove(address);
      const form = { userName: 'Sipho-Dube', emailAddress: address, operationId };
      const strict = { 'sha-frontend-application': appKey };
      const refusals = [
        await people.create(form, strict),
        await people.create({ ...form, password: 'short' }),
        await people.create({ ...form, password: 'my sipho-dube password' }),
        await people.create({ ...form, password: `my ${address} password` }),
        await people.create({ ...form, password: 'my mzimkulu password', firstName: 'Mzimkulu' }),
      ];
      for (const answer of refusals) {
        assertRefused(answer, 400, 'password.policy');
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, ['password']);
      }
      const mistyped = await people.create({ ...form, passwordConfirmation: `${USER_PASSWORD} ` });
      assertRefused(mistyped, 400, 'request.invalid');
      assert.deepEqual(mistyped.error.validationErrors?.[0]?.members, ['passwordConfirmation']);
      assert.equal((await people.create({ ...form, password: `${USER_PASSWORD} 1` }, strict)).status, 200);
    });

    it('sends a new pin in place of the old one, after a while', async () => {
      const asked = await people.askPin(address);
      const { operationId } = asked.result;
      const old = pinIn((await test.deliver()).at(0));
      const soon = await resend(operationId);
      assertRefused(soon, 429, 'pin.cooldown');
      assert.equal(soon.headers['retry-after'], '60');
      test.clock.advance(59);
      assert.equal((await people.askPin(address.toLowerCase())).headers['retry-after'], '1');
      test.clock.advance(1);
      assert.deepEqual((await resend(operationId.toUpperCase())).result, asked.result);
      const [message] = await test.deliver();
      assert.equal(message?.to, address);
      const pin = pinIn(message);
      if (pin !== old) assert.equal((await people.verifyPin(operationId, old)).result.isSuccess, false);
      assert.equal((await people.verifyPin(operationId, pin)).result.isSuccess, true);
    });

    it('keeps the verification, however often an attacker requests pins for the address', async () => {
      const operationId = await people.prove(address);
      test.clock.advance(60);
      assert.equal((await people.askPin(address.toUpperCase())).status, 200);
      assert.equal((await people.create({ emailAddress: address, operationId })).status, 200);
    });

    it('ends the verification of an older pin when the operation gets a newer one', async () => {
      const operationId = await people.prove(address);
      test.clock.advance(60);
      assert.equal((await resend(operationId)).status, 200);
      const form = { emailAddress: address, operationId };
      assertRefused(await people.create(form), 400, 'registration.addressNotProven');
      assert.equal((await people.verifyPin(operationId, pinIn((await test.deliver()).at(0)))).result.isSuccess, true);
      assert.equal((await people.create(form)).status, 200);
    });

    it('refuses an operation that never began, or is superseded', async () => {
      const [first, unknown] = [await people.askPin(address), '00000000-0000-4000-8000-000000000000'];
      assertRefused(await resend(unknown), 401, 'pin.invalid');
      test.clock.advance(60);
      await people.askPin(address);
      test.clock.advance(60);
      assertRefused(await resend(first.result.operationId), 401, 'pin.invalid');
      const verified = await people.verifyPin(unknown, '123456');
      assert.deepEqual([verified.status, verified.result.isSuccess], [200, false]);
    });

    it('forgets a pin when its time is over', async () => {
      await test.set('Shesha.Otp', { verificationPinLifetime: 60 });
      const { operationId } = (await people.askPin(address)).result;
      const pin = pinIn((await test.deliver()).at(0));
      test.clock.advance(60);
      assert.equal((await people.verifyPin(operationId, pin)).result.isSuccess, false);
      await test.set('Shesha.Otp', { verificationPinLifetime: 600 });
    });

    it('is off until it is switched on, and only by the means that is on', async () => {
      const operationId = await people.prove(address);
      const form = { emailAddress: address, operationId };
      const calls = async () => [
        await people.askPin(address),
        await people.askPin(address, SEND_BY.link),
        await resend(operationId),
        await people.verifyPin(operationId, '123456'),
        await people.create(form),
      ];
      await test.post('/api/services/app/Settings/ResetValue', { token: await test.admin(), body: { name: SETTING } });
      for (const answer of await calls()) assertRefused(answer, 400, 'registration.disabled');
      assertRefused(await people.askPin('+27820000001', SEND_BY.sms), 400, 'registration.disabled');
      await people.open('mobile');
      const reasons = (await calls()).map(({ error }) => error?.reason);
      const notProven = 'registration.addressNotProven';
      const off = 'registration.disabled';
      assert.deepEqual(reasons, [off, off, 'pin.invalid', undefined, notProven]);
      await people.open('email');
      assertRefused(await people.askPin('+27820000001', SEND_BY.sms), 400, off);
      assert.equal((await people.create(form)).status, 200);
    });

    it('says what is wrong with an address', async () => {
      for (const sendTo of ['nobody', 'a@b@c', 'a@b.o rg', 'a b@c.org', `${'a'.repeat(250)}@b.org`, '']) {
        const answer = await people.askPin(sendTo);
        assertRefused(answer, 400, 'request.invalid', sendTo);
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, ['sendTo']);
      }
      await people.open('mobile');
      for (const sendTo of ['082 000 1234', 'a@b.org', '+27 1']) {
        const answer = await people.askPin(sendTo, SEND_BY.sms);
        assertRefused(answer, 400, 'request.invalid', sendTo);
        assert.match(answer.error.details, /country code/);
      }
      for (const sendType of [0, 3, 8, 2.5, null]) {
        const body = { sendTo: address, sendType };
        assertRefused(await test.post(SEND_PIN, { body }), 400, 'request.invalid', sendType);
      }
    });

    it('redirects only to pages of this site', async () => {
      const token = await test.admin();
      const set = (goToUrlAfterRegistration: string) =>
        test.post('/api/services/app/Settings/UpdateValue', {
          token,
          body: { name: SETTING, value: { goToUrlAfterRegistration } },
        });
      const starts = [
        '',
        '//',
        '/\\',
        'https://',
        '/\t/',
        '/\n',
        '/..//',
        '/.//',
        '/x/..//',
        '/%2e%2e//',
        '/.%5c%5c',
        '/..%2f%2f',
      ];
      for (const bad of ['', '//front-end.invalid', ...starts.map((start) => `${start}evil.org`)]) {
        const answer = await set(bad);
        assertRefused(answer, 400, 'request.invalid', bad);
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, ['goToUrlAfterRegistration'], bad);
      }
      assertRefused(await set(`/${'x'.repeat(500)}`), 400, 'request.invalid');
      for (const good of ['/', '/a//b?c=d#e', '/ü']) assert.equal((await set(good)).status, 200, good);
      assert.equal((await test.get('/api/services/app/Settings/GetValue', { query: { name: SETTING } })).status, 200);
    });

    it('records that a registration is complete, once', async () => {
      const operationId = await people.prove(address);
      await people.create({ emailAddress: address, operationId });
      assertRefused(await test.post(COMPLETE), 401, 'token.missing');
      const token = await test.signIn(address);
      const earlier = (await findEntries('account.registrationCompleted')).length;
      for (let time = 0; time < 2; time += 1) assert.equal((await test.post(COMPLETE, { token })).result, true);
      const entries = await findEntries('account.registrationCompleted');
      assert.equal(entries.length, earlier + 1);
      assert.equal(entries[0]?.userName, address);
    });

    it('is recorded in the audit trail, without addresses, typed names, or pins', async () => {
      const operationId = await people.prove(address);
      await people.create({ emailAddress: address, operationId });
      const [registered] = await findEntries('account.registered');
      assert.deepEqual([registered?.userName, registered?.outcome], [address, 'success']);
      assert.deepEqual(registered?.details, { address: 'N***@***.org' });
      const [asked] = await findEntries('registration.pinRequested');
      assert.deepEqual([asked?.userId, asked?.details], [null, { to: 'N***@***.org' }]);
      const [tried] = await findEntries('registration.pinTried');
      assert.deepEqual([tried?.outcome, tried?.details], ['success', null]);
    });

    it('tells the owner of a taken address by message, and sends no pin', async () => {
      await test.createUser(`owner${count}`, { emailAddress: address });
      const { result } = await people.askPin(address.toUpperCase());
      assert.equal(result.sentTo, address.toUpperCase());
      const messages = await test.deliver();
      assert.deepEqual(
        messages.map(({ to }) => to),
        [address],
      );
      assert.match(messages[0]?.text ?? '', /already have an account/);
      assert.doesNotMatch(messages[0]?.text ?? '', /\d{6}/);
      const token = await test.admin();
      const { items } = (await test.get(`${USER}/GetAll`, { token, query: { keyword: address } })).result;
      assert.equal(items.length, 1);
    });
  });
}
