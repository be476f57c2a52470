// Attacks on privileges: calls without permission, and escalation.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { ADMIN_PASSWORD, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const USER = '/api/services/app/User';
const SESSION = '/api/services/app/Session';
const NEW_PASSWORD = 'harbour violet tractor';
const ADMINISTRATOR = ['Administrator'];

/** The only calls with a token that are open to a person who must change the password first, or enroll a second factor. */
const WHILE_CHANGE_REQUIRED = [
  `${USER}/ChangePassword`,
  '/api/services/app/Authenticator/Begin',
  '/api/services/app/Authenticator/Confirm',
  '/api/services/app/Passkey/GetRegistrationOptions',
  '/api/services/app/Passkey/Register',
];

for (const engine of engines) {
  describe(`authorization on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let adminId: number;
    let manager: string;
    let count = 0;
    const fresh = (kind: string) => `${kind}${count}`;

    before(async () => {
      test = await startTestService(engine);
      const body = { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD };
      const { result } = await test.post(AUTHENTICATE, { body });
      [admin, adminId] = [result.accessToken, result.userId];
      await test.createUser('manager', { roleNames: ['UserManager'] });
      manager = await test.signIn('manager');
    });
    beforeEach(() => {
      count += 1;
    });
    after(() => test.close());

    const create = (token: string, body: object) =>
      test.post(`${USER}/Create`, { token, body: { password: USER_PASSWORD, ...body } });
    const update = (token: string, body: object) => test.send('PUT', `${USER}/Update`, { token, body });
    const remove = (token: string, id: number) => test.send('DELETE', `${USER}/Delete`, { token, query: { id } });
    const act = (token: string, call: string, userId: number) =>
      test.post(`${USER}/${call}`, { token, body: { userId, newPassword: NEW_PASSWORD } });
    const get = async (id: number) => (await test.get(`${USER}/Get`, { token: admin, query: { id } })).result;
    /** Calls whose handler verifies the token itself count as public here. Each has tests of its own. */
    const isOpen = ({ access }: { access: string }) => access === 'public' || access === 'bearer';
    const protectedRoutes = () => test.service.routes.filter((route) => !isOpen(route));

    it('requires a token for every call that is not public', async () => {
      const publicPaths = test.service.routes.filter(isOpen).map(({ path }) => path);
      assert.deepEqual(publicPaths.toSorted(), [
        '/AbpUserConfiguration/GetAll',
        '/api/TokenAuth/Authenticate',
        '/api/TokenAuth/ExternalAuthenticateAsync',
        '/api/TokenAuth/ExternalAuthenticateByCode',
        '/api/TokenAuth/GetExternalAuthenticationProviders',
        '/api/TokenAuth/GetPasskeyOptions',
        '/api/TokenAuth/GetSecondFactorOptions',
        '/api/TokenAuth/OtpAuthenticate',
        '/api/TokenAuth/OtpAuthenticateSendPin',
        '/api/TokenAuth/PasskeyAuthenticate',
        '/api/TokenAuth/RefreshTokenAsync',
        '/api/TokenAuth/SignOff',
        '/api/TokenAuth/VerifySecondFactor',
        '/api/services/app/Account/IsTenantAvailable',
        '/api/services/app/Account/Register',
        '/api/services/app/Authorization/EndSession',
        '/api/services/app/Authorization/Get',
        '/api/services/app/Delivery/GetMeans',
        '/api/services/app/Device/Get',
        '/api/services/app/ExternalLogin/Begin',
        '/api/services/app/ExternalLogin/GetSignInPage',
        '/api/services/app/ExternalLogin/GetSignInPages',
        '/api/services/app/FrontEndApp/GetAll',
        '/api/services/app/FrontEndApp/GetBrand',
        '/api/services/app/Otp/ResendPin',
        '/api/services/app/Otp/SendPin',
        '/api/services/app/Otp/VerifyPin',
        '/api/services/app/Permission/IsPermissionGranted',
        '/api/services/app/Session/GetCurrentLoginInfo',
        '/api/services/app/Session/GetCurrentLoginInformations',
        '/api/services/app/Session/GetSignOut',
        '/api/services/app/Settings/GetValue',
        '/api/services/app/ShaRole/IsRoleGranted',
        '/api/services/app/User/GetSecurityQuestions',
        '/api/services/app/User/GetUserPasswordResetOptions',
        '/api/services/app/User/ResetPasswordSendOtp',
        '/api/services/app/User/ResetPasswordUsingToken',
        '/api/services/app/User/ResetPasswordVerifyOtp',
        '/api/services/app/User/SendEmailLink',
        '/api/services/app/User/SendSmsOtp',
        '/api/services/app/User/ValidateResetCode',
        '/api/services/app/User/ValidateSecurityQuestions',
        '/api/services/app/UserManagement/Create',
      ]);
      for (const { method, path } of protectedRoutes()) {
        for (const spelling of [path, path.toLowerCase(), `${path}Async`, `${path}/`]) {
          const answer = await test.send(method, spelling);
          assertRefused(answer, 401, 'token.missing', spelling);
          assert.equal(answer.headers['www-authenticate'], 'Bearer realm="latchkey"');
          assert.equal(answer.body.unAuthorizedRequest, true);
        }
        for (const header of [
          '',
          'Bearer',
          'Bearer ',
          `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`,
          admin,
          `Token ${admin}`,
        ]) {
          assertRefused(
            await test.send(method, path, { headers: { authorization: header } }),
            401,
            'token.missing',
            header,
          );
        }
        assertRefused(await test.send(method, path, { token: 'nonsense' }), 401, 'token.invalid', path);
      }
    });

    it('refuses an ordinary user every call that requires a permission, with any input', async () => {
      const names = {
        clerk: ['Clerk'],
        fake: ['Administrаtor', 'Administrator.', 'pages:maintenance', '__proto__', 'toString'],
      };
      for (const [kind, roleNames] of Object.entries(names)) {
        await test.createUser(fresh(kind), { roleNames });
        const token = await test.signIn(fresh(kind));
        for (const { method, path, access } of protectedRoutes()) {
          if (access === 'token' || access === 'own or Pages.Users') continue;
          const body =
            method === 'GET' || method === 'DELETE' ? {} : { body: { userId: 1, id: 1, name: 'Shesha.Security' } };
          assertRefused(await test.send(method, path, { token, ...body }), 403, 'permission.denied', [
            kind,
            access,
            path,
          ]);
        }
        for (const { name, public: isPublic } of test.service.settings.definitions) {
          const { status } = await test.get('/api/services/app/Settings/GetValue', { token, query: { name } });
          assert.equal(status, isPublic ? 200 : 403, name);
        }
      }
      for (const { method, path } of protectedRoutes().filter(({ access }) => access === 'pages:maintenance')) {
        assertRefused(await test.send(method, path, { token: manager }), 403, 'permission.denied', path);
      }
    });

    it('allows a person who must change the password to do only that', async () => {
      const id = await test.createUser(fresh('must'), { roleNames: ADMINISTRATOR });
      await act(admin, 'ResetPassword', id);
      const token = await test.signIn(fresh('must'), NEW_PASSWORD);
      for (const { method, path } of protectedRoutes().filter((route) => !WHILE_CHANGE_REQUIRED.includes(route.path))) {
        assertRefused(await test.send(method, path, { token }), 403, 'password.changeRequired', path);
      }
      const query = { name: 'Latchkey.Tokens' };
      assertRefused(
        await test.get('/api/services/app/Settings/GetValue', { token, query }),
        403,
        'password.changeRequired',
      );
      assert.equal(
        (await test.get(`${SESSION}/GetCurrentLoginInfo`, { token })).result.user?.requireChangePassword,
        true,
      );
      const refreshed = (await test.post('/api/TokenAuth/RefreshTokenAsync', { token })).result.accessToken;
      assertRefused(await test.get(`${USER}/GetAll`, { token: refreshed }), 403, 'password.changeRequired');
      const change = (newPassword: string) =>
        test.post(`${USER}/ChangePassword`, { token: refreshed, body: { currentPassword: NEW_PASSWORD, newPassword } });
      assertRefused(await change(NEW_PASSWORD), 400, 'password.policy');
      assertRefused(await test.get(`${USER}/GetAll`, { token: refreshed }), 403, 'password.changeRequired');
      assert.equal((await change('quite another phrase')).result, true);
      assert.equal((await test.get(`${USER}/GetAll`, { token: refreshed })).status, 200);
      await remove(admin, id);
    });

    it('lets no user manager create, change or delete administrators', async () => {
      const id = await test.createUser(fresh('user'));
      const { userId } = (
        await test.post(AUTHENTICATE, { body: { userNameOrEmailAddress: 'manager', password: USER_PASSWORD } })
      ).result;
      const before = await get(adminId);
      for (const roleNames of [
        ADMINISTRATOR,
        ['Clerk', 'Administrator'],
        ['UserManager', 'Administrator', 'Administrator'],
      ]) {
        assertRefused(await create(manager, { userName: fresh('crony'), roleNames }), 403, 'permission.denied');
        for (const target of [id, userId])
          assertRefused(await update(manager, { id: target, roleNames }), 403, 'permission.denied');
      }
      for (const call of ['ActivateUser', 'InactivateUser', 'UnlockUser', 'SignOutEverywhere', 'ResetPassword']) {
        assertRefused(await act(manager, call, adminId), 403, 'permission.denied', call);
      }
      const sessionOfAdmin = { userId: adminId, id: crypto.randomUUID() };
      assertRefused(
        await test.post(`${USER}/EndSession`, { token: manager, body: sessionOfAdmin }),
        403,
        'permission.denied',
      );
      const query = { userId: adminId };
      for (const call of ['GetSessions', 'GetExternalLogins'] as const)
        assertRefused(await test.get(`${USER}/${call}`, { token: manager, query }), 403, 'permission.denied');
      assertRefused(await remove(manager, adminId), 403, 'permission.denied');
      for (const change of [
        { roleNames: [] },
        { emailAddress: 'mine@example.com' },
        { isActive: false },
        { requireChangePassword: true },
        {},
      ]) {
        assertRefused(await update(manager, { id: adminId, ...change }), 403, 'permission.denied', change);
      }
      assert.deepEqual(await get(adminId), before);
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: admin })).status, 200);
      assert.equal((await update(manager, { id, surname: 'Managed', roleNames: ['UserManager'] })).status, 200);
      assert.equal((await act(manager, 'ResetPassword', id)).result, true);
    });

    it('removes permissions at once, also from tokens that were issued before', async () => {
      const id = await test.createUser(fresh('second'), { roleNames: ADMINISTRATOR });
      const token = await test.signIn(fresh('second'));
      await update(admin, { id, roleNames: [] });
      assertRefused(await test.get(`${USER}/GetAll`, { token }), 403, 'permission.denied');
      await act(admin, 'InactivateUser', id);
      assertRefused(await test.get(`${SESSION}/GetAll`, { token }), 401, 'token.revoked');
      assertRefused(await test.get(`${USER}/GetAll`, { token }), 401, 'token.revoked');
    });

    it('ends no sessions of other accounts', async () => {
      await test.createUser(fresh('owner'));
      await test.createUser(fresh('thief'));
      const [owner, thief] = [await test.signIn(fresh('owner')), await test.signIn(fresh('thief'))];
      const [session] = (await test.get(`${SESSION}/GetAll`, { token: owner })).result.items;
      const own = (await test.get(`${SESSION}/GetAll`, { token: thief })).result.items;
      assert.ok(session && own.length === 1 && own[0]?.id !== session.id);
      for (const id of [session.id, session.id.toUpperCase()]) {
        assertRefused(
          await test.post(`${SESSION}/End`, { token: thief, body: { id, accountId: 1, userId: 1 } }),
          404,
          'session.notFound',
        );
      }
      assert.equal((await test.post(`${SESSION}/EndOthers`, { token: thief })).result, true);
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: owner })).status, 200);
      assert.equal((await test.post(`${SESSION}/End`, { token: owner, body: { id: session.id } })).result, true);
      assertRefused(await test.get(`${SESSION}/GetAll`, { token: owner }), 401, 'token.revoked');
    });

    it('refuses a user name that looks like the address of another account', async () => {
      const email = `${fresh('Owner')}@example.com`;
      const mobileNumber = `+2782123${String(4000 + count)}`;
      const id = await test.createUser(fresh('addressed'), { emailAddress: email, mobileNumber });
      const number = mobileNumber.slice(1);
      const wide = (text: string) =>
        [...text].map((letter) => String.fromCodePoint((letter.codePointAt(0) as number) + 0xfee0)).join('');
      const lookalikes = [
        email,
        email.toUpperCase(),
        email.replace('@', '＠'),
        email.replace('@', '﹫'),
        wide(email),
        mobileNumber,
        `+${wide(number)}`,
        wide(mobileNumber),
        `+27-82-${number.slice(4)}`,
        'x@y.zz',
      ];
      for (const userName of lookalikes) {
        assertRefused(await create(admin, { userName }), 400, 'request.invalid', userName);
        assertRefused(
          await create(admin, { userName, emailAddress: 'other@example.com', mobileNumber: '+27821230000' }),
          400,
          'request.invalid',
          userName,
        );
        const other = await test.createUser(`${fresh('other')}-${lookalikes.indexOf(userName)}`);
        assertRefused(await update(admin, { id: other, userName }), 400, 'request.invalid', userName);
      }
      assert.equal((await update(admin, { id, userName: email })).status, 200);
      assertRefused(await update(admin, { id, emailAddress: 'moved@example.com' }), 400, 'request.invalid');
      assertRefused(await update(admin, { id, emailAddress: null }), 400, 'request.invalid');
    });

    it('refuses a second account whose name or address folds to the same', async () => {
      await create(admin, {
        userName: fresh('Straße'),
        emailAddress: `${fresh('jürgen')}@example.com`,
        mobileNumber: `+2783123${4000 + count}`,
      });
      const names = [fresh('straße'), fresh('STRASSE'), fresh('ｓｔｒａｓｓｅ'), fresh('strasse')];
      for (const userName of names)
        assertRefused(await create(admin, { userName }), 409, 'account.duplicate', userName);
      const emails = [
        `${fresh('JÜRGEN')}@EXAMPLE.com`,
        `${fresh('ju\u0308rgen')}@example.com`,
        `${fresh('jürgen')}＠example.com`.replace('＠', '@'),
      ];
      const second = await test.createUser(fresh('second-name'));
      for (const emailAddress of emails) {
        assertRefused(
          await create(admin, { userName: fresh('third'), emailAddress }),
          409,
          'account.duplicate',
          emailAddress,
        );
        assertRefused(await update(admin, { id: second, emailAddress }), 409, 'account.duplicate', emailAddress);
      }
      for (const mobileNumber of [
        `+2783123${4000 + count}`,
        `+27 83 123 ${4000 + count}`,
        `+27(83)123-${4000 + count}`,
      ]) {
        assertRefused(
          await create(admin, { userName: fresh('third'), mobileNumber }),
          409,
          'account.duplicate',
          mobileNumber,
        );
        assertRefused(await update(admin, { id: second, mobileNumber }), 409, 'account.duplicate', mobileNumber);
      }
      assertRefused(await update(admin, { id: second, userName: fresh('STRASSE') }), 409, 'account.duplicate');
    });

    it('creates one account of many that are created concurrently with one name, address or number', async () => {
      const same = [
        (turn: number) => ({ userName: fresh(turn % 2 ? 'Twin' : 'tWIN') }),
        (turn: number) => ({
          userName: `${fresh('mail')}-${turn}`,
          emailAddress: `${fresh(turn % 2 ? 'Same' : 'sAME')}@example.com`,
        }),
        (turn: number) => ({ userName: `${fresh('phone')}-${turn}`, mobileNumber: `+2784123${4000 + count}` }),
      ];
      for (const input of same) {
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, turn) => create(admin, { ...input(turn), password: undefined })),
        );
        const byReason = Object.groupBy(answers, ({ error }) => error?.reason ?? 'made');
        assert.deepEqual(
          [byReason.made?.length, byReason['account.duplicate']?.length],
          [1, 11],
          JSON.stringify(Object.keys(byReason)),
        );
      }
    });

    it('gives one number to one account in parallel changes', async () => {
      const ids = await Promise.all([1, 2, 3, 4].map((turn) => test.createUser(`${fresh('mover')}-${turn}`)));
      const mobileNumber = `+2785123${4000 + count}`;
      const moves = ids.map((id) => update(admin, { id, mobileNumber }));
      const answers = await Promise.all([...moves, create(admin, { userName: fresh('newcomer'), mobileNumber })]);
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      assert.equal(answers.filter(({ error }) => error?.reason === 'account.duplicate').length, 4);
    });
  });
}
