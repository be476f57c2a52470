// Settings and front ends: policy that changes while the service runs, for all front ends or for one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const SETTINGS = '/api/services/app/Settings';
const FRONT_ENDS = '/api/services/app/FrontEndApp';
const REQUIRE_DIGIT = 'Abp.Zero.UserManagement.PasswordComplexity.RequireDigit';

for (const engine of engines) {
  describe(`settings on ${engine}`, () => {
    let test: TestService;
    let token: string;
    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
    });
    after(() => test.close());

    const getValue = async (name: string, appKey?: string): Promise<unknown> => {
      const answer = await test.get(`${SETTINGS}/GetValue`, { token, query: { name, ...(appKey && { appKey }) } });
      return answer.result;
    };
    const getCompound = async (name: string) => (await getValue(name)) as Record<string, unknown>;
    const idOf = async (appKey: string) => {
      const { items } = (await test.get(`${FRONT_ENDS}/GetAll`)).result;
      return items.find((one) => one.appKey === appKey)?.id ?? assert.fail(appKey);
    };
    const createUser = (password: string, frontEnd = 'default-app') =>
      test.post('/api/services/app/User/Create', {
        token,
        headers: { 'sha-frontend-application': frontEnd },
        body: { userName: `user-${Math.random()}`, password },
      });

    it('describes every setting with the labels of the specification', async () => {
      const { result } = await test.get(`${SETTINGS}/GetConfigurations`, { token });
      const labels = new Map(result.map(({ name, label }) => [name.split('.').at(-1), label]));
      assert.equal(labels.get('RequireDigit'), 'Require digit');
      assert.equal(labels.get('RequireLowercase'), 'Require lowercase');
      assert.equal(labels.get('RequireUppercase'), 'Require upper case');
      assert.equal(labels.get('RequireNonAlphanumeric'), 'Require non alphanumeric');
      assert.equal(labels.get('RequiredLength'), 'Require length');
      assert.equal(labels.get('IsEnabled'), 'Is user lockout enabled');
      assert.equal(labels.get('MaxFailedAccessAttemptsBeforeLockout'), 'Max failed login attempts before lockout');
      assert.equal(labels.get('DefaultAccountLockoutSeconds'), 'User lockout (sec)');
      const form = result.find(({ name }) => name === 'Shesha.Security');
      assert.ok(form);
      assert.deepEqual([form.kind, form.scope, form.label], ['compound', 'general', 'Security Settings']);
      assert.deepEqual(Object.keys((form.schema as { properties: object }).properties), [
        'useAutoLogoff',
        'autoLogoffTimeout',
        'useResetPasswordViaEmailLink',
        'resetPasswordEmailLinkLifetime',
        'useResetPasswordViaSmsOtp',
        'resetPasswordSmsOtpLifetime',
        'mobileLoginPinLifetime',
        'useResetPasswordViaSecurityQuestions',
        'resetPasswordViaSecurityQuestionsNumQuestionsAllowed',
      ]);
    });

    it('applies a password rule to the very next request, of that front end only', async () => {
      await test.post(`${FRONT_ENDS}/Create`, { token, body: { appKey: 'kiosk', name: 'Kiosk' } });
      assert.equal((await createUser('only letters in here')).status, 200);
      await test.set(REQUIRE_DIGIT, true, 'default-app');
      const refused = await createUser('only letters in here');
      assert.deepEqual([refused.status, refused.error.reason], [400, 'password.policy']);
      assert.deepEqual(refused.error.validationErrors, [{ message: 'Use at least one digit.', members: ['password'] }]);
      assert.equal((await createUser('only letters in here', 'kiosk')).status, 200);
      assert.equal(await getValue(REQUIRE_DIGIT), true);
      assert.equal(await getValue(REQUIRE_DIGIT, 'kiosk'), false);
      await test.post(`${SETTINGS}/ResetValue`, { token, body: { name: REQUIRE_DIGIT, appKey: 'default-app' } });
      assert.equal((await createUser('only letters in here')).status, 200);
    });

    it('keeps the omitted members of a compound, and drops unknown ones', async () => {
      await test.set('Shesha.Security', { useAutoLogoff: true });
      await test.set('Shesha.Security', { autoLogoffTimeout: 600, module: 'x' });
      const value = await getCompound('Shesha.Security');
      assert.deepEqual([value.useAutoLogoff, value.autoLogoffTimeout, value.mobileLoginPinLifetime], [true, 600, 300]);
      assert.equal('module' in value, false);
    });

    for (const [name, value, member] of [
      ['Shesha.Security', { autoLogoffTimeout: 119 }, 'autoLogoffTimeout'],
      ['Shesha.Security', { autoLogoffTimeout: '600' }, 'autoLogoffTimeout'],
      ['Shesha.Security', { useAutoLogoff: null }, 'useAutoLogoff'],
      ['Shesha.Security', 'text', 'value'],
      ['Shesha.Security', null, 'value'],
      [REQUIRE_DIGIT, 'true', 'value'],
      ['Abp.Zero.UserManagement.PasswordComplexity.RequiredLength', 5, 'value'],
      ['Abp.Zero.UserManagement.PasswordComplexity.RequiredLength', 12.5, 'value'],
      ['Latchkey.RateLimiting', { loginPermitLimit: 0 }, 'loginPermitLimit'],
      ['Latchkey.Tokens', { audience: '' }, 'audience'],
    ] as const) {
      it(`refuses ${JSON.stringify(value)} for ${name}, and changes nothing`, async () => {
        const before = await getValue(name);
        const answer = await test.post(`${SETTINGS}/UpdateValue`, { token, body: { name, value } });
        assert.deepEqual([answer.status, answer.error.reason], [400, 'request.invalid']);
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, [member]);
        assert.deepEqual(await getValue(name), before);
      });
    }

    it('refuses a change based on a value that another change has replaced, and changes nothing', async () => {
      const name = 'Latchkey.Tokens';
      const change = (call: string, body: Record<string, unknown>) =>
        test.post(`${SETTINGS}/${call}`, { token, body: { name, ...body } });
      const seen = await getCompound(name);
      const reordered = Object.fromEntries(Object.entries(seen).reverse());
      const first = await change('UpdateValue', { value: { accessTokenLifetime: 600 }, expected: reordered });
      assert.equal(first.status, 200);
      for (const late of [
        await change('UpdateValue', { value: { audience: 'late' }, expected: seen }),
        await change('UpdateValue', { value: { audience: 'late' }, expected: { accessTokenLifetime: 600 } }),
        await change('UpdateValue', { value: { audience: 'late' }, expected: null }),
        await change('ResetValue', { expected: seen }),
      ]) {
        assert.deepEqual([late.status, late.error.reason], [409, 'setting.conflict']);
      }
      const now = await getValue(name);
      assert.deepEqual(now, { ...seen, accessTokenLifetime: 600 });
      const { result } = await test.get(`${SETTINGS}/GetHistory`, { token, query: { name } });
      assert.equal(result.items.length, 1);

      assert.equal((await change('ResetValue', { expected: now })).status, 200);
      assert.deepEqual(await getValue(name), seen);
      assert.equal((await change('UpdateValue', { value: { audience: 'anew' }, expected: seen })).status, 200);
      await change('ResetValue', {});
    });

    it('compares with the value of the front end that is changed', async () => {
      await test.post(`${FRONT_ENDS}/Create`, { token, body: { appKey: 'desk', name: 'Desk' } });
      await test.set(REQUIRE_DIGIT, true, 'desk');
      const set = (appKey: string, expected: boolean) =>
        test.post(`${SETTINGS}/UpdateValue`, { token, body: { name: REQUIRE_DIGIT, value: true, appKey, expected } });
      assert.equal((await set('desk', false)).status, 409);
      assert.equal((await set('desk', true)).status, 200);
      assert.equal((await set('default-app', false)).status, 200);
      await test.post(`${SETTINGS}/ResetValue`, { token, body: { name: REQUIRE_DIGIT, appKey: 'default-app' } });
      await test.send('DELETE', `${FRONT_ENDS}/Delete`, { token, query: { id: await idOf('desk') } });
    });

    it('records each change with its author, newest first', async () => {
      const name = 'Abp.Zero.UserManagement.PasswordComplexity.RequiredLength';
      await test.set(name, 14);
      await test.set(name, 16);
      await test.post(`${SETTINGS}/ResetValue`, { token, body: { name } });
      const { result } = await test.get(`${SETTINGS}/GetHistory`, { token, query: { name } });
      const changes = result.items.map((change: Record<string, unknown>) => [
        change.by,
        change.appKey,
        change.oldValue,
        change.newValue,
      ]);
      assert.deepEqual(changes, [
        ['admin', 'default-app', 16, null],
        ['admin', 'default-app', 14, 16],
        ['admin', 'default-app', null, 14],
      ]);
      const audit = await test.get('/api/services/app/Audit/GetAll', {
        token,
        query: { action: 'setting.changed', maxResultCount: 1 },
      });
      const { details, userName, outcome } = audit.result.items[0] ?? assert.fail();
      const { name: changed, oldValue, newValue } = details as Record<string, unknown>;
      assert.deepEqual([changed, oldValue, newValue, userName, outcome], [name, 16, null, 'admin', 'success']);
    });

    it('shows public settings to every caller, all others to administrators', async () => {
      assert.equal((await test.get(`${SETTINGS}/GetValue`, { query: { name: 'Shesha.Security' } })).status, 200);
      const { result } = await test.get(`${SETTINGS}/GetValue`, { query: { name: 'Shesha.Otp' } });
      const pins = result as Record<string, unknown>;
      assert.deepEqual([pins.passwordLength, pins.alphabet, pins.resendCooldown], [6, '0123456789', 60]);
      const name = 'Latchkey.RateLimiting';
      assert.equal((await test.get(`${SETTINGS}/GetValue`, { query: { name } })).error.reason, 'token.missing');
      assert.equal((await getCompound(name)).loginPermitLimit, 10);
      const unknown = await test.get(`${SETTINGS}/GetValue`, { token, query: { name: 'No.Such' } });
      assert.deepEqual([unknown.status, unknown.error.reason], [404, 'setting.notFound']);
      const elsewhere = await test.get(`${SETTINGS}/GetValue`, { token, query: { name, appKey: 'nowhere' } });
      assert.deepEqual([elsewhere.status, elsewhere.error.reason], [404, 'frontEnd.notFound']);
    });

    it('protects the default front end, and keeps settings when a front end is renamed', async () => {
      const { items } = (await test.get(`${FRONT_ENDS}/GetAll`)).result;
      const seeded = items.find(({ appKey }) => appKey === 'default-app');
      assert.ok(seeded);
      assert.equal(seeded.name, 'Default UI');
      const deleted = await test.send('DELETE', `${FRONT_ENDS}/Delete`, { token, query: { id: seeded.id } });
      const renamed = await test.send('PUT', `${FRONT_ENDS}/Update`, { token, body: { ...seeded, appKey: 'other' } });
      assert.deepEqual([deleted.error.reason, renamed.error.reason], ['frontEnd.protected', 'frontEnd.protected']);

      const { result: shop } = await test.post(`${FRONT_ENDS}/Create`, {
        token,
        body: { appKey: 'shop', name: 'Shop' },
      });
      const again = await test.post(`${FRONT_ENDS}/Create`, { token, body: { appKey: 'shop', name: 'Shop' } });
      assert.deepEqual([again.status, again.error.reason], [409, 'frontEnd.duplicate']);
      const taken = await test.send('PUT', `${FRONT_ENDS}/Update`, { token, body: { ...shop, appKey: 'kiosk' } });
      assert.equal(taken.error.reason, 'frontEnd.duplicate');
      await test.set(REQUIRE_DIGIT, true, 'shop');
      await test.send('PUT', `${FRONT_ENDS}/Update`, { token, body: { ...shop, appKey: 'store' } });
      assert.equal(await getValue(REQUIRE_DIGIT, 'store'), true);
      const historyOf = async (appKey: string) => {
        const query = { name: REQUIRE_DIGIT, appKey };
        const { result } = await test.get(`${SETTINGS}/GetHistory`, { token, query });
        return result.items.map(({ newValue }) => newValue);
      };
      assert.deepEqual([await historyOf('store'), await historyOf('shop')], [[true], []]);
      await test.send('DELETE', `${FRONT_ENDS}/Delete`, { token, query: { id: shop.id } });
      await test.post(`${FRONT_ENDS}/Create`, { token, body: { appKey: 'store', name: 'Store' } });
      assert.equal(await getValue(REQUIRE_DIGIT, 'store'), false);
      assert.deepEqual(await historyOf('store'), []);
      const gone = await test.send('DELETE', `${FRONT_ENDS}/Delete`, { token, query: { id: shop.id } });
      assert.deepEqual([gone.status, gone.error.reason], [404, 'frontEnd.notFound']);
      const listed = await test.get('/api/dynamic/Shesha/FrontEndApp/Crud/GetAll');
      assert.equal((listed.result as { totalCount: number }).totalCount, 3);
    });
  });
}

for (const [name, start] of Object.entries(setUps)) {
  describe(`settings changed at once on ${name}`, () => {
    let setUp: SetUp;
    before(async () => {
      setUp = await start();
    });
    after(() => setUp.close());

    it('accept one of many changes that were based on the same value', async () => {
      const { here, there } = setUp;
      const token = await here.admin();
      const setting = 'Latchkey.RateLimiting';
      const { result: initial } = await here.get(`${SETTINGS}/GetValue`, { token, query: { name: setting } });
      let expected = initial as object;
      for (let round = 1; round <= 5; round += 1) {
        const changes = Array.from({ length: 20 }, (_, index) => {
          const value = { otpPermitLimit: round * 1000 + index };
          const call = { token, body: { name: setting, value, expected } };
          return (index % 2 ? here : there).post(`${SETTINGS}/UpdateValue`, call);
        });
        const answers = await Promise.all(changes);
        const won = answers.findIndex(({ status }) => status === 200);
        const lost = answers.filter((_, index) => index !== won).map(({ error }) => error?.reason);
        assert.deepEqual(lost, Array(19).fill('setting.conflict'));
        const query = { name: setting };
        const { result } = await here.get(`${SETTINGS}/GetHistory`, { token, query });
        assert.equal(result.items.length, round);
        expected = { ...expected, otpPermitLimit: round * 1000 + won };
        assert.deepEqual(result.items[0]?.newValue, expected);
      }
    });

    it('begin with the default after a reset, also where the reset is not known yet', async () => {
      const { here, there } = setUp;
      const token = await here.admin();
      const name = 'Shesha.Security';
      const read = async (node: TestService) =>
        (await node.get(`${SETTINGS}/GetValue`, { token, query: { name } })).result as object;
      const initial = await read(here);
      await here.set(name, { mobileLoginPinLifetime: 600, resetPasswordSmsOtpLifetime: 600 });
      const former = await read(here);
      assert.equal((await here.post(`${SETTINGS}/ResetValue`, { token, body: { name } })).status, 200);
      const change = (expected?: unknown) =>
        there.post(`${SETTINGS}/UpdateValue`, { token, body: { name, value: { useAutoLogoff: true }, expected } });
      assert.equal((await change(former)).status, 409);
      assert.equal((await change()).status, 200);
      assert.deepEqual(await read(there), { ...initial, useAutoLogoff: true });
    });
  });
}
