// Clients of ABP and Shesha: the names, calls and shapes that their code expects, beside those of the specification.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { enginesAtLength } from '../support/databases.ts';
import { createRegistering } from '../support/registration.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const API = '/api/services/app';
const ORIGIN = 'https://app.example.com';

/** Where Shesha's scripts read the settings that Latchkey has too: module, category and setting. */
const placesInShesha = {
  'Shesha.Security': 'shesha.security.securitySettings',
  'Abp.Zero.UserManagement.UserLockOut.IsEnabled': 'shesha.security.userLockOutEnabled',
  'Abp.Zero.UserManagement.UserLockOut.MaxFailedAccessAttemptsBeforeLockout':
    'shesha.security.maxFailedAccessAttemptsBeforeLockout',
  'Abp.Zero.UserManagement.UserLockOut.DefaultAccountLockoutSeconds': 'shesha.security.defaultAccountLockoutSeconds',
  'Abp.Zero.UserManagement.PasswordComplexity.RequireDigit': 'shesha.passwordComplexity.requireDigit',
  'Abp.Zero.UserManagement.PasswordComplexity.RequireLowercase': 'shesha.passwordComplexity.requireLowercase',
  'Abp.Zero.UserManagement.PasswordComplexity.RequireUppercase': 'shesha.passwordComplexity.requireUppercase',
  'Abp.Zero.UserManagement.PasswordComplexity.RequireNonAlphanumeric':
    'shesha.passwordComplexity.requireNonAlphanumeric',
  'Abp.Zero.UserManagement.PasswordComplexity.RequiredLength': 'shesha.passwordComplexity.requiredLength',
  'Shesha.Otp': 'shesha.otp.oneTimePins',
  'Shesha.UserManagement': 'shesha.userManagement.userManagementSettings',
};

for (const engine of enginesAtLength) {
  describe(`clients of ABP and Shesha, on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let id: number;
    let token: string;

    before(async () => {
      test = await startTestService(engine, { corsOrigins: [ORIGIN] });
      id = await test.createUser('thandi', { name: 'Thandi', surname: 'Mokoena', emailAddress: 'thandi@example.org' });
      token = await test.signIn('thandi');
      admin = await test.admin();
    });
    after(() => test.close());

    it('name members in any case, in bodies and queries', async () => {
      const body = { UserNameOrEmailAddress: 'thandi', PASSWORD: USER_PASSWORD };
      assert.equal((await test.post('/api/TokenAuth/Authenticate', { body })).status, 200);
      const query = { SkipCount: 0, MaxResultCount: 1, Keyword: 'thandi', Unknown: 'x' };
      const { result } = await test.get(`${API}/User/GetAll`, { token: admin, query });
      assert.equal(result.items.length, 1);
      assert.equal(result.totalCount, 1);
    });

    it('are told of a member that they send twice', async () => {
      const body = { userNameOrEmailAddress: 'thandi', UserNameOrEmailAddress: 'admin', password: USER_PASSWORD };
      const { status, error } = await test.post('/api/TokenAuth/Authenticate', { body });
      assert.equal(status, 400);
      assert.deepEqual(error.validationErrors?.[0]?.members, ['userNameOrEmailAddress']);
    });

    it('send a POST without a body under any content type', async () => {
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
        const own = await test.signIn('thandi');
        const headers = { 'content-type': type, 'content-length': '0' };
        const { status, text } = await test.post('/api/TokenAuth/SignOff', { token: own, headers });
        assert.equal(status, 200, text);
      }
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const refused = await test.app.inject({ method: 'POST', url: '/api/TokenAuth/SignOff', headers, payload: 'a=1' });
      assert.equal(refused.statusCode, 415);
    });

    it('send headers of their own from another origin', async () => {
      const asked = '.aspnetcore.culture, abp.tenantid, authorization, cache-control, pragma, x-requested-with';
      const { status, headers } = await test.send('OPTIONS', '/api/TokenAuth/Authenticate', {
        headers: {
          origin: ORIGIN,
          'access-control-request-method': 'POST',
          'access-control-request-headers': asked,
        },
      });
      assert.ok(status < 300);
      assert.equal(headers['access-control-allow-headers'], asked);
      assert.equal(headers['access-control-allow-credentials'], undefined);
    });

    it('read their start-up configuration', async () => {
      const anonymous = (await test.get('/AbpUserConfiguration/GetAll')).result;
      assert.equal(anonymous.session.userId, null);
      assert.deepEqual(anonymous.auth.grantedPermissions, {});
      assert.equal(anonymous.multiTenancy.isEnabled, false);
      assert.equal(anonymous.clock.provider, 'unspecifiedClockProvider');
      assert.equal(anonymous.localization.currentLanguage.name, 'en');
      assert.equal(typeof anonymous.setting.values['Shesha.Security'], 'string');
      assert.equal(anonymous.setting.values['Latchkey.RateLimiting'], undefined, 'only public settings');
      const { result } = await test.get('/AbpUserConfiguration/GetAll', {
        token: admin,
        headers: { '.aspnetcore.culture': 'c=de-DE|uic=de-DE', 'accept-language': 'en' },
      });
      assert.equal(result.auth.grantedPermissions['Pages.Users'], 'true');
      assert.equal(result.localization.currentCulture.name, 'de');
      const cookie = 'a=b; Abp.Localization.CultureName=de';
      const byCookie = await test.get('/AbpUserConfiguration/GetAll', { headers: { cookie } });
      assert.equal(byCookie.result.localization.currentLanguage.name, 'de');
      const names = result.localization.languages.map(({ name }: { name: string }) => name);
      assert.deepEqual(names, ['en', 'de', 'fr'], 'those of the pages');
      const accepted = { 'accept-language': 'tlh, de;q=0.5, en;q=0.4' };
      const byHeader = await test.get('/AbpUserConfiguration/GetAll', { headers: accepted });
      assert.equal(byHeader.result.localization.currentLanguage.name, 'de');
    });

    it('read who is signed in, as ABP’s templates do', async () => {
      const { result } = await test.get(`${API}/Session/GetCurrentLoginInformations`, { token });
      assert.deepEqual(result.user, {
        id,
        name: 'Thandi',
        surname: 'Mokoena',
        userName: 'thandi',
        emailAddress: 'thandi@example.org',
      });
      assert.equal(result.tenant, null);
      const anonymous = await test.get(`${API}/Session/GetCurrentLoginInformations`);
      assert.equal(anonymous.result.user, null);
    });

    it('keep a choice of language themselves: the call succeeds for whoever is signed in', async () => {
      const body = { languageName: 'de' };
      assert.equal((await test.post(`${API}/User/ChangeLanguage`, { token, body })).status, 200);
      assert.equal((await test.post(`${API}/User/ChangeLanguage`, { body })).status, 401);
      assert.equal((await test.post(`${API}/User/ChangeLanguage`, { token, body: {} })).status, 400);
    });

    it('edit a role in the dialog of the template', async () => {
      const body = { name: 'Dispatcher', description: 'Sends orders', grantedPermissions: ['Orders.Send'] };
      const { result: role } = await test.post(`${API}/Role/Create`, { token: admin, body });
      const query = { Id: role.id };
      const { result } = await test.get(`${API}/Role/GetRoleForEdit`, { token: admin, query });
      assert.deepEqual(result.role, role);
      assert.deepEqual(result.grantedPermissionNames, ['Orders.Send']);
      const offered = result.permissions.map(({ name }) => name);
      assert.ok(['Pages.Users', 'Orders.Send'].every((name) => offered.includes(name)));
      assert.deepEqual((await test.get(`${API}/Role/Get`, { token: admin, query })).result, role);
      const holders = await test.get(`${API}/Role/GetRoles`, { token: admin, query: { Permission: 'Orders.Send' } });
      assert.deepEqual(holders.result.items, [role]);
      const all = await test.get(`${API}/Role/GetRoles`, { token: admin });
      assert.ok(all.result.items.length > 1);
      for (const call of ['Get', 'GetRoleForEdit', 'GetRoles']) {
        assert.equal((await test.get(`${API}/Role/${call}`, { token, query })).status, 403, call);
      }
      const missing = await test.get(`${API}/Role/GetRoleForEdit`, { token: admin, query: { Id: 999_999 } });
      assert.equal(missing.error.reason, 'role.notFound');
    });

    it('keep the reason of a refused sign-in on their page when an administrator chooses 400 instead of 401', async () => {
      const body = { userNameOrEmailAddress: 'thandi', password: 'a wrong guess' };
      const pin = { operationId: '00000000-0000-4000-8000-000000000000', code: '000000' };
      const factor = { challengeToken: 'x', provider: 'Authenticator' };
      const refusals = async () => [
        await test.post('/api/TokenAuth/Authenticate', { body }),
        await test.post('/api/TokenAuth/OtpAuthenticate', { body: pin }),
        await test.post('/api/TokenAuth/VerifySecondFactor', { body: { ...factor, code: '000000' } }),
        await test.post('/api/TokenAuth/VerifySecondFactor', { body: factor }),
      ];
      const reasons = ['signIn.invalidCredentials', 'pin.invalid', 'factor.challengeInvalid', 'factor.invalid'];
      for (const status of [400, 401]) {
        await test.set('Latchkey.Compatibility', { refusedSignInStatus: status });
        const given = await refusals();
        assert.deepEqual(
          given.map(({ status: one, error }) => [one, error.code, error.reason]),
          reasons.map((reason) => [status, status, reason]),
        );
      }
      assert.equal((await test.get(`${API}/User/GetAll`)).status, 401, 'a missing token stays 401');
    });

    it('activate and deactivate a user by id', async () => {
      const other = await test.createUser('sipho');
      const get = async () => (await test.get(`${API}/User/Get`, { token: admin, query: { id: other } })).result;
      assert.equal((await test.post(`${API}/User/DeActivate`, { token: admin, body: { id: other } })).result, true);
      assert.equal((await get()).isActive, false);
      assert.equal((await test.post(`${API}/User/Activate`, { token: admin, body: { id: other } })).result, true);
      const { isActive, fullName, isLockedOut } = await get();
      assert.deepEqual({ isActive, fullName, isLockedOut }, { isActive: true, fullName: 'sipho', isLockedOut: false });
    });

    it('ask for tenants, of which there are none', async () => {
      const { result } = await test.post(`${API}/Account/IsTenantAvailable`, { body: { tenancyName: 'acme' } });
      assert.deepEqual(result, { state: 3, tenantId: null });
    });

    it('register with an address that was proven before, once', async () => {
      const register = (more: object = {}) => {
        const form = { name: 'Nomsa', surname: 'Dlamini', userName: 'nomsa', emailAddress: 'nomsa@example.org' };
        const body = { ...form, password: USER_PASSWORD, captchaResponse: 'x', ...more };
        return test.post(`${API}/Account/Register`, { body });
      };
      const people = createRegistering(test);
      await people.open('none');
      assert.deepEqual([(await register()).status, (await register()).error.reason], [400, 'registration.disabled']);
      await people.open('email');
      for (const operationId of [undefined, null, '', 'no operation']) {
        const { status, error } = await register({ operationId });
        assert.deepEqual([status, error.reason], [400, 'registration.addressNotProven'], String(operationId));
      }
      const operationId = await people.prove('nomsa@example.org');
      const other = await register({ operationId, emailAddress: 'other@example.org' });
      assert.equal(other.error.reason, 'registration.addressNotProven');
      const weak = await register({ operationId, password: 'short' });
      assert.equal(weak.error.reason, 'password.policy');
      const answers = await Promise.all(Array.from({ length: 5 }, () => register({ operationId })));
      assert.deepEqual(
        answers.flatMap(({ result }) => (result ? [result] : [])),
        [{ canLogin: true }],
      );
      const { result } = await test.get(`${API}/Session/GetCurrentLoginInfo`, { token: await test.signIn('nomsa') });
      assert.partialDeepStrictEqual(result.user, { fullName: 'Nomsa Dlamini', isEmailConfirmed: true, roles: [] });
    });

    it('give a national mobile number, which is read in the default region', async () => {
      const mobileNumber = '082 123 4567';
      const create = () =>
        test.post(`${API}/User/Create`, {
          token: admin,
          body: { userName: 'lwazi', mobileNumber, isMobileConfirmed: true },
        });
      const { error } = await create();
      assert.equal(error.reason, 'request.invalid');
      assert.match(
        error.details,
        /international form, such as \+27 .* Or set the default region in the setting “Phone numbers”/,
      );
      const asked = await test.post(`${API}/User/ResetPasswordSendOtp`, { body: { mobileNo: mobileNumber } });
      assert.equal(asked.status, 400);
      assert.match(asked.error.details, /international form, such as \+27/);
      assert.doesNotMatch(asked.text, /Latchkey\.PhoneNumbers/, 'the public cannot change settings');
      await test.set('Latchkey.PhoneNumbers', { defaultRegion: 'ZA' });
      assert.equal((await create()).result?.mobileNumber, '+27821234567');
      await test.deliver();
      const body = { mobileNo: mobileNumber };
      assert.equal((await test.post(`${API}/User/ResetPasswordSendOtp`, { body })).status, 200);
      assert.deepEqual(
        (await test.deliver()).map(({ to }) => to),
        ['+27821234567'],
      );
      const invalid = await test.post(`${API}/User/Create`, {
        token: admin,
        body: { userName: 'x', mobileNumber: '12' },
      });
      assert.match(invalid.error.details, /international form/);
      assert.doesNotMatch(invalid.error.details, /default region/, 'it is set');
    });

    it('read settings that only Shesha knows as null, and others not at all', async () => {
      const read = (name: string) => test.get(`${API}/Settings/GetValue`, { query: { name } });
      assert.equal((await read('Shesha.DefaultUrl')).result, null);
      assert.equal((await read('Shesha.Unknown')).status, 404);
      assert.partialDeepStrictEqual((await read('shesha.security')).result, { useAutoLogoff: false });
    });

    it('turn automatic log-off off by a timeout of 0', async () => {
      await test.set('Shesha.Security', { useAutoLogoff: true, autoLogoffTimeout: 600 });
      await test.set('Shesha.Security', { autoLogoffTimeout: 0 });
      const { result } = await test.get(`${API}/Settings/GetValue`, { query: { name: 'Shesha.Security' } });
      assert.partialDeepStrictEqual(result, { useAutoLogoff: false, autoLogoffTimeout: 600 });
      await test.set('Shesha.Security', { AutoLogoffTimeout: 700 });
    });

    it('read the description of settings as Shesha’s settings manager does', async () => {
      const { result } = await test.get(`${API}/Settings/GetConfigurations`, { token: admin });
      const found = result.find(({ name }) => name === 'Shesha.Security');
      assert.ok(found);
      const { module, category, categoryName, accessor, dataType, editorForm } = found;
      assert.deepEqual(
        { module, category, categoryName, accessor, dataType, editorForm },
        {
          module: { name: 'Shesha', accessor: 'shesha' },
          category: { name: 'Security', accessor: 'security' },
          categoryName: 'Security',
          accessor: 'securitySettings',
          dataType: { dataType: 'object', dataFormat: null, objectType: null },
          editorForm: null,
        },
      );
    });

    it('find each setting that Shesha has by its own module and accessors', async () => {
      const { result } = await test.get(`${API}/Settings/GetConfigurations`, { token: admin });
      const placeOf = ({ module, category, accessor }: (typeof result)[number]) =>
        `${module.accessor}.${category.accessor}.${accessor}`;
      const ofShesha = result.filter(({ name }) => /^(Shesha|Abp)\./.test(name));
      assert.deepEqual(Object.fromEntries(ofShesha.map((one) => [one.name, placeOf(one)])), placesInShesha);
      for (const { module } of ofShesha) assert.deepEqual(module, { name: 'Shesha', accessor: 'shesha' });
      assert.equal(new Set(result.map(placeOf)).size, result.length, 'each place has one setting');
    });
  });
}
