// Accounts: what administrators do to them, and what owners do with their own.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const SESSION = '/api/services/app/Session';
const NEXT_PASSWORD = 'another gravel lantern';

for (const engine of engines) {
  describe(`users on ${engine}`, () => {
    let test: TestService;
    let token: string;
    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
    });
    after(() => test.close());

    const reasonOf = async (path: string, body: object, method: 'POST' | 'PUT' = 'POST') =>
      (await test.send(method, path, { token, body })).error?.reason;

    it('creates, reads, changes and deletes an account', async () => {
      const created = await test.post(`${USER}/Create`, {
        token,
        body: {
          userName: 'sipho',
          name: 'Sipho',
          emailAddress: 'sipho@example.com',
          mobileNumber: '+27 82 123 4567',
          roleNames: ['A', 'A'],
        },
      });
      const { id, personId, creationTime, ...rest } = created.result;
      assert.deepEqual(rest, {
        userName: 'sipho',
        name: 'Sipho',
        surname: '',
        emailAddress: 'sipho@example.com',
        mobileNumber: '+27821234567',
        isActive: true,
        isEmailConfirmed: false,
        isMobileConfirmed: false,
        requireChangePassword: false,
        roleNames: ['A'],
        fullName: 'Sipho',
        isLockedOut: false,
        lockedUntil: null,
        factorLockedUntil: null,
        hasSecondFactor: false,
        lastLoginTime: null,
      });
      const updated = await test.send('PUT', `${USER}/Update`, {
        token,
        body: { id, surname: 'Dube', isEmailConfirmed: true },
      });
      assert.deepEqual(
        [updated.result.surname, updated.result.name, updated.result.isEmailConfirmed],
        ['Dube', 'Sipho', true],
      );
      const moved = await test.send('PUT', `${USER}/Update`, { token, body: { id, emailAddress: 'new@example.com' } });
      assert.equal(moved.result.isEmailConfirmed, false);
      const read = (await test.get(`${USER}/Get`, { token, query: { id } })).result;
      const { factors, hasPassword, passwordLinkExpiresAt, ...same } = read;
      assert.deepEqual(same, moved.result);
      assert.deepEqual([factors.authenticator.enrolled, hasPassword, passwordLinkExpiresAt], [false, false, null]);
      assert.equal((await test.send('DELETE', `${USER}/Delete`, { token, query: { id } })).status, 200);
      const gone = await test.get(`${USER}/Get`, { token, query: { id } });
      assert.deepEqual([gone.status, gone.error.reason], [404, 'account.notFound']);
    });

    it('refuses names and addresses that another account has, in any spelling', async () => {
      await test.createUser('lindiwe', { emailAddress: 'Lindiwe@Example.com', mobileNumber: '+27831234567' });
      assert.equal(await reasonOf(`${USER}/Create`, { userName: 'LINDIWE' }), 'account.duplicate');
      assert.equal(
        await reasonOf(`${USER}/Create`, { userName: 'x1', emailAddress: 'LINDIWE@example.com' }),
        'account.duplicate',
      );
      assert.equal(
        await reasonOf(`${USER}/Create`, { userName: 'x2', mobileNumber: '0027831234567' }),
        'request.invalid',
      );
      assert.equal(
        await reasonOf(`${USER}/Create`, { userName: 'x2', mobileNumber: '+27 83 123 4567' }),
        'account.duplicate',
      );
      const id = await test.createUser('other');
      assert.equal(await reasonOf(`${USER}/Update`, { id, userName: 'ｌｉｎｄｉｗｅ' }, 'PUT'), 'account.duplicate');
      assert.equal(
        await reasonOf(`${USER}/Update`, { id, emailAddress: 'lindiwe@example.com' }, 'PUT'),
        'account.duplicate',
      );
    });

    it('changes an account whose user name or number it would not accept any more', async () => {
      const id = await test.createUser('0821234599', { mobileNumber: '+27821234598' });
      const change = (changes: object) => test.send('PUT', `${USER}/Update`, { token, body: { id, ...changes } });
      // An older version accepted a longer number.
      const mobile = '+2782123459812345';
      await test.service.database.sql.updateTable('account').set({ mobile }).where('id', '=', id).execute();
      await test.set('Latchkey.PhoneNumbers', { defaultRegion: 'ZA' });
      const changed = await change({ surname: 'Dube', mobileNumber: mobile });
      assert.deepEqual([changed.result.surname, changed.result.mobileNumber], ['Dube', mobile], changed.text);
      for (const changes of [{ userName: '0821234597' }, { mobileNumber: `${mobile}6` }]) {
        const refused = await change(changes);
        assert.deepEqual([refused.status, refused.error.reason], [400, 'request.invalid']);
      }
      await test.set('Latchkey.PhoneNumbers', { defaultRegion: '' });
    });

    it('keeps an address verified that is given in another spelling', async () => {
      const addresses = { emailAddress: 'nomsa@bücher.example', mobileNumber: '+27821234596' };
      const id = await test.createUser('nomsa', { ...addresses, isEmailConfirmed: true, isMobileConfirmed: true });
      const body = { id, ...addresses, mobileNumber: '+27 82 123 4596' };
      const { result } = await test.send('PUT', `${USER}/Update`, { token, body });
      assert.deepEqual([result.isEmailConfirmed, result.isMobileConfirmed], [true, true]);
    });

    it('accepts a role in any spelling', async () => {
      const id = await test.createUser('cased', { roleNames: ['USERMANAGER', 'userManager', 'Clerk', 'clerk'] });
      const { roleNames } = (await test.get(`${USER}/Get`, { token, query: { id } })).result;
      assert.deepEqual(roleNames, ['UserManager', 'Clerk']);
      const manager = await test.signIn('cased');
      const body = { userName: 'lookalike', roleNames: ['ａdministrator'] };
      assert.equal((await test.post(`${USER}/Create`, { token: manager, body })).error.reason, 'permission.denied');
    });

    it('spells a new role alike for accounts that are created at the same moment', async () => {
      const rolesOf = async (roleName: string, n: number) => {
        const body = { userName: `teller${n}`, roleNames: [roleName] };
        return (await test.post(`${USER}/Create`, { token, body })).result.roleNames;
      };
      const given = await Promise.all(['Teller', 'TELLER', 'teller'].map(rolesOf));
      assert.equal(new Set(given.flat()).size, 1);
    });

    it('keeps tokens short enough to be sent, with the longest names and roles', async () => {
      const roles = (length: number) => Array.from({ length: 6 }, (_, n) => `${n}${'役'.repeat(length)}`);
      assert.equal(await reasonOf(`${USER}/Create`, { userName: 'x3', roleNames: roles(99) }), undefined);
      assert.equal(
        await reasonOf(`${USER}/Create`, { userName: 'x4', roleNames: [...roles(99), '役'.repeat(90)] }),
        'request.invalid',
      );
      const wide = {
        name: '名'.repeat(100),
        surname: '姓'.repeat(100),
        roleNames: roles(99),
        emailAddress: `${'é'.repeat(200)}@example.com`,
      };
      await test.createUser('役'.repeat(256), wide);
      const longest = await test.signIn('役'.repeat(256));
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: longest })).status, 200);
    });

    it('searches by part of a name or address, sorts and pages', async () => {
      for (const name of ['searched-c', 'searched-a', 'searched-b']) await test.createUser(name, { surname: '100%_x' });
      const list = async (query: Record<string, string | number | boolean>) => {
        const { result } = await test.get(`${USER}/GetAll`, { token, query });
        return { names: result.items.map(({ userName }) => userName), total: result.totalCount };
      };
      const sorted = { keyword: 'SEARCHED', sorting: 'userName desc', maxResultCount: 2 };
      assert.deepEqual(await list(sorted), { names: ['searched-c', 'searched-b'], total: 3 });
      assert.deepEqual(await list({ ...sorted, skipCount: 2 }), { names: ['searched-a'], total: 3 });
      assert.equal((await list({ keyword: '%_X' })).total, 3);
      assert.equal((await list({ keyword: 'searched_a' })).total, 0);
      assert.equal((await list({ keyword: 'searched', isActive: false })).total, 0);
      await test.createUser('full-name', { name: 'Ñico', surname: 'Öz Ärmel' });
      for (const keyword of ['Ñico Öz', 'ñico öz ärmel', 'ÑICO', 'öz', 'ärm', 'Mel', 'ico Öz']) {
        assert.deepEqual(await list({ keyword }), { names: ['full-name'], total: 1 }, keyword);
      }
      assert.equal((await list({ keyword: 'Öz Ñico' })).total, 0);
    });

    it('refuses a deactivated account at once, and says so only after the right password', async () => {
      const id = await test.createUser('musa');
      const session = await test.signIn('musa');
      await test.post(`${USER}/InactivateUser`, { token, query: { userId: id } });
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: session })).error.reason, 'token.revoked');
      assert.equal((await test.post('/api/TokenAuth/RefreshToken', { token: session })).error.reason, 'token.revoked');
      const signIn = (password: string) =>
        test.post('/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress: 'musa', password } });
      assert.equal((await signIn('wrong')).error.reason, 'signIn.invalidCredentials');
      assert.deepEqual(
        [(await signIn(USER_PASSWORD)).status, (await signIn(USER_PASSWORD)).error.reason],
        [401, 'signIn.notActive'],
      );
      await test.post(`${USER}/ActivateUser`, { token, body: { userId: id } });
      assert.equal((await signIn(USER_PASSWORD)).status, 200);
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: session })).error.reason, 'token.revoked');
    });

    it('makes the owner change a password that an administrator has set', async () => {
      const id = await test.createUser('zodwa');
      const before = await test.signIn('zodwa');
      const reset = await test.post(`${USER}/ResetPassword`, {
        token,
        body: { userId: id, newPassword: NEXT_PASSWORD },
      });
      assert.equal(reset.result, true);
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: before })).error.reason, 'token.revoked');
      const first = await test.post('/api/TokenAuth/Authenticate', {
        body: { userNameOrEmailAddress: 'zodwa', password: NEXT_PASSWORD },
      });
      assert.equal(first.result.requiredChangePassword, true);
      const limited = first.result.accessToken;
      const refused = await test.get(`${SESSION}/GetAll`, { token: limited });
      assert.deepEqual([refused.status, refused.error.reason], [403, 'password.changeRequired']);
      const who = await test.get(`${SESSION}/GetCurrentLoginInfo`, { token: limited });
      assert.equal(who.result.user?.requireChangePassword, true);
      const refreshed = (await test.post('/api/TokenAuth/RefreshToken', { token: limited })).result.accessToken;
      const body = { currentPassword: NEXT_PASSWORD, newPassword: USER_PASSWORD };
      assert.equal((await test.post(`${USER}/ChangePassword`, { token: refreshed, body })).result, true);
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: refreshed })).status, 200);
      assert.equal(
        (await test.get(`${SESSION}/GetCurrentLoginInfo`, { token: refreshed })).result.user?.requireChangePassword,
        false,
      );
    });

    it('changes the own password: other sessions end, rules apply, the old password stops working', async () => {
      await test.createUser('bongani', { surname: 'Mahlangu' });
      const [own, other] = [await test.signIn('bongani'), await test.signIn('bongani')];
      const change = async (currentPassword: string, newPassword: string) =>
        (await test.post(`${USER}/ChangePassword`, { token: own, body: { currentPassword, newPassword } })).error;
      assert.equal((await change('wrong', NEXT_PASSWORD)).reason, 'password.incorrect');
      assert.equal((await change(USER_PASSWORD, 'short')).reason, 'password.policy');
      assert.equal((await change(USER_PASSWORD, USER_PASSWORD)).reason, 'password.policy');
      assert.equal((await change(USER_PASSWORD, 'mahlangu the third')).reason, 'password.policy');
      assert.equal((await change(USER_PASSWORD, 'password12345')).reason, 'password.policy');
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: other })).status, 200);
      assert.equal(await change(USER_PASSWORD, NEXT_PASSWORD), null);
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: other })).error.reason, 'token.revoked');
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: own })).status, 200);
      await assert.rejects(test.signIn('bongani'), /invalidCredentials/);
      await test.signIn('bongani', NEXT_PASSWORD);
    });

    it('lists the own sessions, and ends one or all others', async () => {
      await test.createUser('naledi');
      const [a, b, c] = [await test.signIn('naledi'), await test.signIn('naledi'), await test.signIn('naledi')];
      const { items } = (await test.get(`${SESSION}/GetAll`, { token: a, headers: { 'user-agent': 'here' } })).result;
      assert.equal(items.length, 3);
      assert.deepEqual(items.filter(({ current }) => current).length, 1);
      assert.deepEqual([items[0]?.method, items[0]?.frontEnd, items[0]?.lastRefreshedAt], ['pwd', 'default-app', null]);
      const sid = JSON.parse(Buffer.from(b?.split('.')[1] ?? '', 'base64url').toString()).sid;
      assert.equal((await test.post(`${SESSION}/End`, { token: a, query: { id: sid.toUpperCase() } })).result, true);
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: b })).error.reason, 'token.revoked');
      assert.equal(
        (await test.post(`${SESSION}/End`, { token: a, body: { id: sid } })).error.reason,
        'session.notFound',
      );
      assert.equal((await test.post(`${SESSION}/EndOthers`, { token: a })).result, true);
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: c })).error.reason, 'token.revoked');
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: a })).result.items.length, 1);
    });

    it('lists the sessions of an account without any token, ends one of them, and no session of another account', async () => {
      const id = await test.createUser('busisiwe');
      const [first, second] = [await test.signIn('busisiwe'), await test.signIn('busisiwe')];
      const list = async () => (await test.get(`${USER}/GetSessions`, { token, query: { userId: id } })).result.items;
      const end = (sessionId: unknown, userId = id) =>
        test.post(`${USER}/EndSession`, { token, body: { userId, id: String(sessionId) } });
      assert.deepEqual((await list()).map((one) => one.id).sort(), [claimsOf(first).sid, claimsOf(second).sid].sort());
      assert.deepEqual(Object.keys((await list())[0] ?? {}).sort(), [
        'application',
        'frontEnd',
        'id',
        'ipAddress',
        'lastRefreshedAt',
        'method',
        'signedInAt',
        'userAgent',
      ]);
      assert.equal((await end(claimsOf(token).sid)).error.reason, 'session.notFound');
      assert.equal((await end(claimsOf(first).sid)).result, true);
      assert.equal((await end(claimsOf(first).sid)).error.reason, 'session.notFound');
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: first })).error.reason, 'token.revoked');
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: second })).result.items.length, 1);
      const query = { userId: id, action: 'account.sessionEnded' };
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token, query });
      assert.deepEqual(
        result.items.map(({ userName, details }) => [userName, details]),
        [['busisiwe', { by: 'admin', byId: 1 }]],
      );
    });

    it('signs an account out everywhere, and records the actor and the account in the audit trail', async () => {
      const id = await test.createUser('karabo');
      const session = await test.signIn('karabo');
      await test.post(`${USER}/SignOutEverywhere`, { token, body: { userId: id } });
      assert.equal((await test.get(`${SESSION}/GetAll`, { token: session })).error.reason, 'token.revoked');
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token, query: { userId: id } });
      const rows = result.items.map(({ action, outcome, userName, details }) => [action, outcome, userName, details]);
      const by = { by: 'admin', byId: 1 };
      assert.deepEqual(rows, [
        ['account.signedOutEverywhere', 'success', 'karabo', { ...by, count: 1 }],
        ['signIn.password', 'success', 'karabo', null],
        ['account.created', 'success', 'karabo', by],
      ]);
    });
  });
}
