// The calls of Shesha's React client in a browser, on an origin that is not the service's, with the headers that it sends.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ADMIN_PASSWORD, startTestService, type TestService, USER_PASSWORD } from '../server/test/support/service.ts';
import { type Application, bundleClient, startApplication } from './support/application.ts';
import { launchBrowser } from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const API = '/api/services/app';
const MOBILE = '+27821234567';

describe('the client of Shesha from another origin', () => {
  let application: Application;
  let test: TestService;
  let service: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    application = await startApplication([], await bundleClient('shesha'));
    test = await startTestService('sqlite', { corsOrigins: [application.origin] });
    service = await test.app.listen({ host: '127.0.0.1', port: 0 });
    await liftLimits({ test });
    await test.createUser('thandi', {
      name: 'Thandi',
      surname: 'Mokoena',
      mobileNumber: MOBILE,
      isMobileConfirmed: true,
      emailAddress: 'thandi@example.org',
      isEmailConfirmed: true,
    });
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    await test.deliver();
    context = await browser.newContext({ locale: 'en-ZA' });
    page = await open();
  });
  afterEach(() => context.close());
  after(async () => {
    await browser?.close();
    await test?.close();
    await application?.close();
  });

  async function open(): Promise<Page> {
    const opened = await context.newPage();
    await opened.goto(application.origin);
    await opened.evaluate(`window.client = start('${service}')`);
    return opened;
  }
  /** What a member of the client answers. */
  // biome-ignore lint/suspicious/noExplicitAny: the client reads answers of any shape.
  const ask = (member: string, ...given: unknown[]): Promise<any> =>
    page.evaluate(`client.${member}(...${JSON.stringify(given)})`);
  const profile = async () => (await ask('get', `${API}/Session/GetCurrentLoginInfo`)).user;
  /** The digits of the one message that was sent. */
  async function receivePin(): Promise<string> {
    const sent = await test.deliver();
    assert.equal(sent.length, 1);
    return /\d{6}/.exec(sent[0]?.text ?? '')?.[0] ?? '';
  }

  it('signs in, reads the profile, refreshes, stays signed in over a reload, and signs off', async () => {
    const defaultUrl = `${API}/Settings/GetValue?name=Shesha.DefaultUrl&module=Shesha`;
    assert.equal(await ask('get', defaultUrl), null, 'read before anything else');
    const signedIn = await ask('signIn', 'thandi', USER_PASSWORD);
    assert.partialDeepStrictEqual(signedIn, { resultType: 0, requiredChangePassword: false, redirectUrl: null });
    assert.ok(Date.parse(signedIn.expireOn) > test.clock.now());
    assert.partialDeepStrictEqual(await profile(), {
      id: signedIn.userId,
      personId: signedIn.personId,
      accountFound: true,
      userName: 'thandi',
      firstName: 'Thandi',
      fullName: 'Thandi Mokoena',
      grantedPermissions: [],
      homeUrl: null,
    });
    const refreshed = await ask('refresh');
    assert.notEqual(refreshed.accessToken, signedIn.accessToken);
    page = await open();
    assert.equal((await profile()).userName, 'thandi');
    assert.equal(await ask('signOut'), true);
    assert.equal(await profile(), null);
  });

  it('shows the details of a refusal', async () => {
    const { status, message, details } = await ask('signIn', 'thandi', 'a wrong guess');
    assert.deepEqual([status, typeof message], [401, 'string']);
    assert.ok(details.length > 0);
  });

  it('asks for roles and permissions of its user', async () => {
    const isGranted = (name: string) =>
      ask('get', `${API}/Permission/IsPermissionGranted?permissionName=${encodeURIComponent(name)}`);
    assert.equal(await isGranted('pages:maintenance'), false);
    await ask('signIn', 'admin', ADMIN_PASSWORD);
    assert.equal(await isGranted('pages:maintenance'), true);
    assert.equal(await ask('get', `${API}/ShaRole/IsRoleGranted?roleName=administrator`), true);
  });

  it('signs in with a one-time pin', async () => {
    const { operationId } = await ask('post', `/api/TokenAuth/OtpAuthenticateSendPin?userNameOrMobileNo=thandi`);
    const code = await receivePin();
    const result = await ask('post', '/api/TokenAuth/OtpAuthenticate', {
      operationId,
      code,
      mobileNo: MOBILE,
      imei: '',
    });
    assert.equal(typeof result.accessToken, 'string');
  });

  it('replaces a forgotten password by SMS, in the query and bodies that it sends', async () => {
    const mobile = encodeURIComponent(MOBILE);
    const { operationId } = await ask('post', `${API}/User/ResetPasswordSendOtp?mobileNo=${mobile}`);
    const pin = await receivePin();
    const verified = await ask('post', `${API}/User/ResetPasswordVerifyOtp`, { mobileNo: MOBILE, operationId, pin });
    assert.deepEqual([verified.isSuccess, verified.username], [true, 'thandi']);
    const { token, username } = verified;
    const body = { username, token, newPassword: 'brick pillar meadow' };
    assert.equal(await ask('post', `${API}/User/ResetPasswordUsingToken`, body), true);
    assert.equal(typeof (await ask('signIn', 'thandi', 'brick pillar meadow')).accessToken, 'string');
  });

  it('replaces a forgotten password by a mailed link or a code', async () => {
    const options = await ask('get', `${API}/User/GetUserPasswordResetOptions?username=thandi`);
    assert.deepEqual(
      options.map(({ method }: { method: number }) => method),
      [2, 4],
    );
    assert.equal(await ask('post', `${API}/User/SendSmsOtp?username=thandi`), true);
    const code = await receivePin();
    const given = { code, username: 'thandi', method: 4 };
    const { isSuccess, token } = await ask('post', `${API}/User/ValidateResetCode`, given);
    assert.equal(isSuccess, true);
    const body = { username: 'thandi', token, newPassword: 'copper lantern valley' };
    assert.equal(await ask('post', `${API}/User/ResetPasswordUsingToken`, body), true);
    assert.equal(await ask('post', `${API}/User/SendEmailLink?username=thandi`), true);
    const texts = (await test.deliver()).map(({ text }) => text).join();
    assert.match(texts, /reset-password/);
  });

  it('registers with a verified address', async () => {
    await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 3 });
    const sent = {
      sendTo: '+27821112222',
      sendType: 1,
      recipientType: '',
      recipientId: '',
      lifetime: 60,
      actionType: '',
    };
    const { operationId } = await ask('post', `${API}/Otp/SendPin`, sent);
    const pin = await receivePin();
    assert.equal((await ask('post', `${API}/Otp/VerifyPin`, { operationId, pin })).isSuccess, true);
    const form = {
      userName: 'lerato',
      firstName: 'Lerato',
      lastName: 'Nkosi',
      mobileNumber: '+27821112222',
      emailAddress: '',
      password: USER_PASSWORD,
      passwordConfirmation: USER_PASSWORD,
      typeOfAccount: { itemValue: 1 },
      operationId,
    };
    const created = await ask('post', `${API}/UserManagement/Create`, form);
    assert.deepEqual([created.userName, created.goToUrlAfterRegistration], ['lerato', '/']);
    await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 1 });
  });

  it('reads and changes settings by name and by accessor', async () => {
    await ask('signIn', 'admin', ADMIN_PASSWORD);
    const found = await ask('setting', 'shesha', 'security', 'securitySettings');
    assert.deepEqual([found.name, found.type], ['Shesha.Security', 'object']);
    const value = { ...found.value, useAutoLogoff: true, autoLogoffTimeout: 900, defaultEndpointAccess: 3 };
    const update = { name: 'Shesha.Security', module: 'Shesha', appKey: null, value };
    assert.equal(await ask('post', `${API}/Settings/UpdateValue`, update), null);
    const read = `${API}/Settings/GetValue?name=Shesha.Security&module=Shesha`;
    assert.partialDeepStrictEqual(await ask('get', read), { useAutoLogoff: true, autoLogoffTimeout: 900 });
    const length = 'Abp.Zero.UserManagement.PasswordComplexity.RequiredLength';
    assert.equal(await ask('get', `${API}/Settings/GetValue?name=${length}&module=Shesha&appKey=default-app`), 12);
    const apps = await ask(
      'get',
      '/api/dynamic/Shesha/FrontEndApp/Crud/GetAll?maxResultCount=-1&properties=id%20appKey',
    );
    assert.equal(apps.items[0].appKey, 'default-app');
  });
});
