// A means of delivery that is off: every call that needs it says so, for every name alike, and other means take its place.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openChannels } from '../../src/app/channels.ts';
import { createOffChannel } from '../../src/delivery/index.ts';
import type { Medium } from '../../src/foundation/medium.ts';
import { createMigratedUrl } from '../support/databases.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const API = '/api/services/app';
const NOBODY = 'nobody-has-this-name';
const NUMBER = '+27821234567';

/** Starts a service whose means are off, with an account that both means reach. */
async function startWithout(...off: Medium[]) {
  const channels = Object.fromEntries(off.map((means) => [means, createOffChannel(means)]));
  const test = await startTestService('sqlite', { channels });
  const reach = { emailAddress: 'thandi@example.org', isEmailConfirmed: true, mobileNumber: NUMBER };
  await test.createUser('thandi', { ...reach, isMobileConfirmed: true });
  await test.createUser('new', { password: null, emailAddress: 'new@example.org' });
  await test.set('Shesha.Otp', { resendCooldown: 0 });
  return test;
}

/** Makes a call, and returns its status with the reason of a refusal. */
async function call(test: TestService, path: string, body: object, token?: string) {
  const { status, error } = await test.post(path, { body, token: token ?? null });
  return status === 200 ? status : `${status} ${error.reason}`;
}

/** Makes each call that needs SMS, for a name that has a number. */
async function useSms(test: TestService, { username, mobileNo }: { username: string; mobileNo: string }) {
  const code = '123456';
  return [
    await call(test, `${API}/User/SendSmsOtp`, { username }),
    await call(test, `${API}/User/ResetPasswordSendOtp`, { mobileNo }),
    await call(test, `${API}/User/ValidateResetCode`, { code, username, method: 4 }),
    await call(test, `${API}/User/ResetPasswordVerifyOtp`, { mobileNo, operationId: 'x', pin: code }),
  ];
}

async function useMail(test: TestService, username: string) {
  return [
    await call(test, `${API}/User/SendEmailLink`, { username }),
    await call(test, `${API}/User/ValidateResetCode`, { code: '123456', username, method: 2 }),
  ];
}

async function readSetting(test: TestService, name: string) {
  const { result } = await test.get(`${API}/Settings/GetValue`, { query: { name } });
  return result as Record<string, unknown>;
}

const optionsOf = async (test: TestService, username: string) =>
  (await test.get(`${API}/User/GetUserPasswordResetOptions`, { query: { username } })).result.map(
    ({ method }) => method,
  );

const changeAddress = async (test: TestService, address: object) =>
  call(
    test,
    `${API}/User/ChangeMyAddress`,
    { currentPassword: USER_PASSWORD, ...address },
    await test.signIn('thandi'),
  );

const REFUSED = '400 reset.methodNotAllowed';

describe('without SMS', () => {
  let test: TestService;
  before(async () => {
    test = await startWithout('sms');
  });
  after(() => test.close());

  it('says so to the pages', async () => {
    assert.deepEqual((await test.get(`${API}/Delivery/GetMeans`)).result, { email: true, sms: false });
  });

  it('refuses each reset by SMS, and offers the others', async () => {
    for (const names of [
      { username: 'thandi', mobileNo: NUMBER },
      { username: NOBODY, mobileNo: '+27821234568' },
    ]) {
      assert.deepEqual(await useSms(test, names), Array(4).fill(REFUSED));
      assert.deepEqual(await optionsOf(test, names.username), [2]);
      assert.equal(await call(test, `${API}/User/SendEmailLink`, { username: names.username }), 200);
    }
    assert.deepEqual(
      (await test.deliver()).map(({ means, to }) => [means, to]),
      [['email', 'thandi@example.org']],
    );
  });

  it('mails pins to sign in, also for a number, and answers every name alike', async () => {
    for (const userNameOrMobileNo of ['thandi', NUMBER, NOBODY, '+27821234568']) {
      assert.equal(await call(test, '/api/TokenAuth/OtpAuthenticateSendPin', { userNameOrMobileNo }), 200);
    }
    const sent = await test.deliver();
    assert.deepEqual(
      sent.map(({ means, to }) => [means, to]),
      Array(2).fill(['email', 'thandi@example.org']),
    );
  });

  it('registers nobody by a number, although the setting says so, and tells front ends that registration is off', async () => {
    await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 3 });
    const operationId = 'b3b0a1de-0000-4000-8000-000000000000';
    const form = { userName: 'lerato', password: USER_PASSWORD, firstName: 'L', lastName: 'N', mobileNumber: NUMBER };
    const calls = [
      call(test, `${API}/Otp/SendPin`, { sendTo: NUMBER, sendType: 1 }),
      call(test, `${API}/Otp/ResendPin`, { operationId }),
      call(test, `${API}/Otp/VerifyPin`, { operationId, pin: '123456' }),
      call(test, `${API}/UserManagement/Create`, { ...form, passwordConfirmation: USER_PASSWORD, operationId }),
      call(test, `${API}/Account/Register`, { ...form, name: 'L', surname: 'N', operationId }),
    ];
    assert.deepEqual(await Promise.all(calls), Array(5).fill('400 registration.disabled'));
    assert.equal((await readSetting(test, 'Shesha.UserManagement')).supportedRegistrationMethods, 1);
    await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 2 });
    assert.equal(await call(test, `${API}/Otp/SendPin`, { sendTo: 'lerato@example.org', sendType: 2 }), 200);
    await test.deliver();
  });

  it('verifies no mobile number of an owner, before it looks at the password', async () => {
    assert.equal(await changeAddress(test, { mobileNumber: '+27821234569' }), '400 delivery.notOffered');
    const guess = { currentPassword: 'wrong', mobileNumber: NUMBER };
    assert.equal(
      await call(test, `${API}/User/ChangeMyAddress`, guess, await test.signIn('thandi')),
      '400 delivery.notOffered',
    );
    assert.equal(await changeAddress(test, { emailAddress: 'thandi2@example.org' }), 200);
    await test.deliver();
  });

  it('tells an owner by e-mail alone what has changed', async () => {
    await test.post(`${API}/User/SendEmailLink`, { body: { username: 'thandi' } });
    const [link] = await test.deliver();
    const code = link?.text.match(/\b\d{6}\b/)?.[0];
    const proof = { username: 'thandi', code, method: 2 };
    const { token } = (await test.post(`${API}/User/ValidateResetCode`, { body: proof })).result;
    const reset = { username: 'thandi', token, newPassword: 'seven green bottles' };
    assert.equal(await call(test, `${API}/User/ResetPasswordUsingToken`, reset), 200);
    const sent = await test.deliver();
    assert.deepEqual(
      sent.map(({ means, to }) => [means, to]),
      [['email', 'thandi@example.org']],
    );
  });

  it('keeps what the setting says: another change of it does not turn the method off for good', async () => {
    assert.equal((await readSetting(test, 'Shesha.Security')).useResetPasswordViaSmsOtp, false);
    await test.set('Shesha.Security', { useAutoLogoff: true });
    const { result } = await test.get(`${API}/Settings/GetOverrides`, { token: await test.admin() });
    const stored = result.items.find(({ name }) => name === 'Shesha.Security')?.value as Record<string, unknown>;
    assert.deepEqual([stored.useResetPasswordViaSmsOtp, stored.useAutoLogoff], [true, true]);
    const shown = await readSetting(test, 'Shesha.Security');
    const token = await test.admin();
    const change = { name: 'Shesha.Security', value: { useAutoLogoff: false }, expected: shown };
    assert.equal(await call(test, `${API}/Settings/UpdateValue`, change, token), 200);
    assert.equal(await call(test, `${API}/Settings/UpdateValue`, change, token), '409 setting.conflict');
  });
});

describe('without e-mail', () => {
  let test: TestService;
  before(async () => {
    test = await startWithout('email');
  });
  after(() => test.close());

  it('refuses links and invitations, and offers resets by SMS', async () => {
    for (const name of ['thandi', NOBODY]) {
      assert.deepEqual(await useMail(test, name), [REFUSED, REFUSED]);
      assert.deepEqual(await optionsOf(test, name), [4]);
    }
    const token = await test.admin();
    const { result: terms } = await test.get(`${API}/User/GetInvitationTerms`, { token });
    assert.deepEqual([terms.isAllowed, terms.reachesPeople], [false, false]);
    const { result: users } = await test.get(`${API}/User/GetAll`, { token, query: { keyword: 'new@' } });
    assert.equal(await call(test, `${API}/User/SendInvitation`, { userId: users.items[0]?.id }, token), REFUSED);
  });

  it('registers by a number, and not by an address', async () => {
    await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 2 });
    const byMail = { sendTo: 'lerato@example.org', sendType: 2 };
    assert.equal(await call(test, `${API}/Otp/SendPin`, byMail), '400 registration.disabled');
    assert.equal(await call(test, `${API}/Otp/SendPin`, { ...byMail, sendType: 4 }), '400 registration.disabled');
    await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 3 });
    assert.equal(await call(test, `${API}/Otp/SendPin`, { sendTo: '+27821234570', sendType: 1 }), 200);
    assert.equal(await changeAddress(test, { emailAddress: 'thandi2@example.org' }), '400 delivery.notOffered');
    await test.deliver();
  });
});

describe('without any means', () => {
  it('offers no pins and no reset, to any name', async () => {
    const test = await startWithout('email', 'sms');
    for (const name of ['thandi', NOBODY]) {
      const asked = call(test, '/api/TokenAuth/OtpAuthenticateSendPin', { userNameOrMobileNo: name });
      assert.equal(await asked, '400 delivery.notOffered');
      assert.deepEqual(await useMail(test, name), [REFUSED, REFUSED]);
      assert.deepEqual(await useSms(test, { username: name, mobileNo: NUMBER }), Array(4).fill(REFUSED));
      assert.deepEqual(await optionsOf(test, name), []);
    }
    await test.close();
  });

  it('gives up the messages that were queued while the means was on', async () => {
    const url = await createMigratedUrl('postgres');
    const former = await startTestService('postgres', { url });
    await former.createUser('thandi', { mobileNumber: NUMBER, isMobileConfirmed: true });
    assert.equal(await call(former, '/api/TokenAuth/OtpAuthenticateSendPin', { userNameOrMobileNo: 'thandi' }), 200);
    await former.close();
    const test = await startTestService('postgres', { url, channels: { sms: createOffChannel('sms') } });
    await test.service.messageDispatcher.deliverDue('sms');
    const states = await test.service.database.sql.selectFrom('message').select(['state', 'channel']).execute();
    assert.deepEqual(states, [{ state: 'failed', channel: 'off' }]);
    await test.close();
  });
});

describe('a means that is off and that an extension serves', () => {
  it('is a contradiction, which stops the start', () => {
    const channel = { name: 'acme', means: 'sms', send: async () => {} } as const;
    const open = (sms: 'off' | undefined) => () => openChannels({ sms }, { sms: channel }, { clock, print: () => {} });
    const clock = { now: () => 0 } as never;
    assert.throws(open('off'), /^EnvironmentError: LATCHKEY_SMS_URL is off, but the extension with the channel "acme"/);
    open(undefined)();
  });
});
