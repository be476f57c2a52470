// Attacks on the calls of ABP's and Shesha's clients: restricted sessions, odd spellings, and odd requests.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService } from '../support/service.ts';

const API = '/api/services/app';
const SECURITY = 'Shesha.Security';

for (const engine of engines) {
  describe(`attacks on the calls of ABP's clients, on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    before(async () => {
      test = await startTestService(engine);
      admin = await test.admin();
    });
    after(() => test.close());

    /** Whether the caller has a permission and a role, in each call that tells it. */
    async function readAuthority(token: string) {
      const { result } = await test.get('/AbpUserConfiguration/GetAll', { token });
      const permission = { token, query: { permissionName: 'Pages.Users' } };
      const role = { token, query: { roleName: 'UserManager' } };
      return [
        Object.keys(result.auth.grantedPermissions).includes('Pages.Users'),
        (await test.get(`${API}/Permission/IsPermissionGranted`, permission)).result,
        (await test.get(`${API}/ShaRole/IsRoleGranted`, role)).result,
      ];
    }

    it('a session that must change its password has no permission and no role', async () => {
      await test.createUser('manager', { roleNames: ['UserManager'] });
      const token = await test.signIn('manager');
      assert.deepEqual(await readAuthority(token), [true, true, true]);
      const { id } = (await test.get(`${API}/Session/GetCurrentLoginInfo`, { token })).result.user ?? assert.fail();
      const body = { id, requireChangePassword: true };
      assert.equal((await test.send('PUT', `${API}/User/Update`, { token: admin, body })).status, 200);
      assertRefused(await test.get(`${API}/User/GetAll`, { token }), 403, 'password.changeRequired');
      assert.deepEqual(await readAuthority(token), [false, false, false]);
      const { result } = await test.get('/AbpUserConfiguration/GetAll', { token });
      assert.equal(result.session.userId, id, 'the client still knows who is signed in');
    });

    it('a session that must enroll a second factor has no permission and no role', async () => {
      await test.createUser('clerk', { roleNames: ['UserManager'] });
      await test.set('Latchkey.Factors', { authenticator: true, requireForPermissions: true });
      try {
        const token = await test.signIn('clerk');
        assertRefused(await test.get(`${API}/User/GetAll`, { token }), 403, 'factor.enrollmentRequired');
        assert.deepEqual(await readAuthority(token), [false, false, false]);
      } finally {
        const body = { name: 'Latchkey.Factors', value: { requireForPermissions: false } };
        assert.equal((await test.post(`${API}/Settings/UpdateValue`, { token: admin, body })).status, 200);
      }
    });

    it('a setting has one history and one value in every spelling of its names', async () => {
      const read = async (name: string) =>
        (await test.get(`${API}/Settings/GetValue`, { token: admin, query: { name } })).result as object;
      const before = await read(SECURITY);
      const expected = Object.fromEntries(
        Object.entries(before).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]),
      );
      const change = (name: string) =>
        test.post(`${API}/Settings/UpdateValue`, {
          token: admin,
          body: { Name: name, Value: { AutoLogoffTimeout: 900 }, Expected: expected },
        });
      const { status, text } = await change('shesha.security');
      assert.equal(status, 200, text);
      assertRefused(await change(SECURITY), 409, 'setting.conflict', 'the expected value applies no more');
      assert.deepEqual(await read('SHESHA.SECURITY'), { ...before, autoLogoffTimeout: 900 });
      for (const name of [SECURITY, 'shesha.security']) {
        const { result } = await test.get(`${API}/Settings/GetHistory`, { token: admin, query: { name } });
        assert.equal(result.items.length, 1, name);
      }
    });

    it('a POST without a body has no content type, and one with a body needs the right one', async () => {
      const types = ['', ' ', ';', 'nonsense', 'application/json, text/plain', '*/*', 'text/plain', 'application/json'];
      for (const type of types) {
        for (const length of [{ 'content-length': '0' }, {}]) {
          const headers = { 'content-type': type, ...length };
          const { status, text } = await test.post('/api/TokenAuth/SignOff', { headers });
          assert.equal(status, 200, `"${type}": ${text}`);
        }
        if (type === 'application/json') continue;
        const headers = { 'content-type': type };
        const refused = await test.post('/api/TokenAuth/SignOff', { headers, body: '{}' });
        assertRefused(refused, 415, 'request.unsupportedMediaType', type);
      }
    });
  });
}
