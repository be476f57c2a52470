// Attacks with service keys that manage: more rights than the key has, calls of people, keys withdrawn on the way, deadlocks.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { operator } from '../../src/app/first-start.ts';
import { createAuditExport } from '../../src/audit/export.ts';
import { configurationOf, parseConfiguration } from '../../src/configuration/index.ts';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../support/accounts.ts';
import { assertRefused } from '../support/answers.ts';
import { often } from '../support/scale.ts';
import { type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const NEW_PASSWORD = 'harbour violet tractor';
const ALL = ['pages:maintenance', 'Pages.Users', 'users:resetPassword'] as const;
type Permission = (typeof ALL)[number];
const ROUNDS = often(5, 25);

for (const [name, start] of Object.entries(setUps)) {
  describe(`attacks with service keys that manage on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let accounts: TestAccounts;
    let admin: string;
    let adminId: number;
    let count = 0;
    const fresh = (kind: string) => `${kind}${count}`;

    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      accounts = await createTestAccounts(here);
      admin = await here.admin();
      adminId = (await here.get(`${API}/Session/GetCurrentLoginInfo`, { token: admin })).result.user?.id ?? 0;
    });
    beforeEach(() => {
      count += 1;
    });
    after(() => setUp.close());

    const makeKey = (permissions: readonly Permission[], keyName = fresh('key')) =>
      here.createServiceKey(keyName, ['manage', ...permissions]);
    const withdraw = (keyName: string, token = admin, node = here) =>
      node.post(`${API}/ServiceKey/Withdraw`, { token, body: { name: keyName } });
    const update = (token: string, id: number, changes: object, node = there) =>
      node.send('PUT', `${API}/User/Update`, { token, body: { id, ...changes } });
    const act = (token: string, call: string, id: number, more: object = {}) =>
      there.post(`${API}/User/${call}`, { token, body: { userId: id, id, ...more } });
    const read = async (id: number) => (await here.get(`${API}/User/Get`, { token: admin, query: { id } })).result;
    const giveRole = (token: string, grantedPermissions: readonly string[]) =>
      there.post(`${API}/Role/Create`, { token, body: { name: fresh('role'), grantedPermissions } });

    it('a key makes no call of a person, and is nobody at public calls', async () => {
      const token = await makeKey(ALL);
      const body = { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD, id: 1, userId: adminId };
      const own = here.service.routes.filter(({ access }) => access === 'token');
      assert.ok(own.length > 20);
      for (const { method, path } of own) {
        const answer = await there.send(method, path, method === 'GET' ? { token } : { token, body });
        assertRefused(answer, 401, 'token.invalid', path);
      }
      for (const { method, path } of here.service.routes.filter(({ optionalAuth }) => optionalAuth)) {
        if (method !== 'GET') continue;
        const query = { name: 'Shesha.Security', permissionName: 'Pages.Users', roleName: 'Administrator' };
        const [known, unknown] = [await there.get(path, { token, query }), await there.get(path, { query })];
        // The settings that are not public are open to those who maintain.
        if (!path.startsWith(`${API}/Settings`)) assert.deepEqual(known.body, unknown.body, path);
      }
      const asToken = { headers: { authorization: `Bearer ${token}` } };
      assert.equal((await there.get('/api/forward-auth', asToken)).status, 401);
      const refresh = await there.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assertRefused(refresh, 401, 'token.invalid');
    });

    it('a key without the permission of a call is refused it, and every key is once it is withdrawn', async () => {
      const dead = await makeKey(ALL, fresh('dead'));
      await withdraw(fresh('dead'));
      for (const [index, permission] of ALL.entries()) {
        const lacking = await makeKey(ALL.toSpliced(index, 1), fresh(`lacking${index}x`));
        for (const { method, path } of here.service.routes.filter(({ access }) => access === permission)) {
          const body = method === 'GET' || method === 'DELETE' ? {} : { body: { userId: 1, id: 1, name: 'x' } };
          assertRefused(await there.send(method, path, { token: lacking, ...body }), 403, 'permission.denied', path);
          assertRefused(await there.send(method, path, { token: dead, ...body }), 401, 'token.invalid', path);
        }
      }
    });

    it('a key for accounts gets no further right, for itself or for anybody', async () => {
      const token = await makeKey(['Pages.Users']);
      const { id } = await accounts.add();
      const attempts: Record<string, () => Promise<TestAnswer>> = {
        'a password': () => act(token, 'ResetPassword', id, { newPassword: NEW_PASSWORD }),
        'no second factor': () => act(token, 'ResetFactors', id),
        'an administrator': () => update(token, id, { roleNames: ['Administrator'] }),
        'a role that resets passwords': () => giveRole(token, ['users:resetPassword']),
        'a role that maintains': () => giveRole(token, ['Pages.Users', 'pages:maintenance']),
        'the address of an administrator': () => update(token, adminId, { emailAddress: 'mole@example.com' }),
        'an erasure of who is gone': () => act(token, 'Erase', id + 10_000),
        'another key': () =>
          there.post(`${API}/ServiceKey/Create`, { token, body: { name: fresh('mole'), permissions: ['audit'] } }),
      };
      for (const [what, attempt] of Object.entries(attempts)) {
        const answer = await attempt();
        if (what === 'an erasure of who is gone') assertRefused(answer, 404, 'account.notFound', what);
        else assertRefused(answer, 403, 'permission.denied', what);
      }
      const address = { emailAddress: `${fresh('mole')}@example.com`, isEmailConfirmed: true };
      assert.equal((await update(token, id, address)).status, 200);
      assert.deepEqual((await read(id)).isEmailConfirmed, false);
      const line = JSON.stringify({ userName: fresh('imported'), roleNames: ['Administrator'] });
      const lines = { lines: [line], allowAdministrators: true };
      const imported = await there.post(`${API}/User/Import`, { token, body: lines });
      assert.equal(imported.result.items[0]?.reason, 'permission.denied', imported.text);
    });

    it('a key for maintenance gives no rights over accounts: by keys, providers, applications or guarded settings', async () => {
      const token = await makeKey(['pages:maintenance']);
      for (const permissions of [
        ['manage', 'Pages.Users'],
        ['manage', ...ALL],
      ]) {
        const made = await there.post(`${API}/ServiceKey/Create`, {
          token,
          body: { name: fresh('mole'), permissions },
        });
        assertRefused(made, 403, 'permission.denied', permissions);
      }
      const provider = { type: 'github', name: fresh('Git'), clientId: 'x', clientSecret: 'y' } as const;
      const body = { ...provider, roleForNewUsers: 'Administrator' };
      assertRefused(await there.post(`${API}/ExternalProvider/Create`, { token, body }), 403, 'permission.denied');
      for (const { name: setting, isGuarded } of here.service.settings.definitions) {
        if (!isGuarded) continue;
        const reset = await there.post(`${API}/Settings/ResetValue`, { token, body: { name: setting } });
        assertRefused(reset, 403, 'permission.denied', setting);
      }
    });

    it('no key takes the last administrator', async () => {
      const token = await makeKey(ALL);
      const attempts: Record<string, () => Promise<TestAnswer>> = {
        deactivate: () => act(token, 'InactivateUser', adminId),
        'set inactive': () => update(token, adminId, { isActive: false }),
        strip: () => update(token, adminId, { roleNames: [] }),
        delete: () => there.send('DELETE', `${API}/User/Delete`, { token, query: { id: adminId } }),
        erase: () => act(token, 'Erase', adminId),
      };
      for (const [way, attempt] of Object.entries(attempts))
        assertRefused(await attempt(), 400, 'account.lastAdministrator', way);
    });

    it('a key that is withdrawn while a password is hashed creates nobody', async (context) => {
      const token = await makeKey(['Pages.Users']);
      const { passwords } = there.service;
      const { hash } = passwords;
      context.after(() => Object.assign(passwords, { hash }));
      Object.assign(passwords, {
        async hash(...args: Parameters<typeof hash>): ReturnType<typeof hash> {
          Object.assign(passwords, { hash });
          await withdraw(fresh('key'));
          return hash(...args);
        },
      });
      const body = { userName: fresh('sleeper'), password: NEW_PASSWORD };
      assertRefused(await there.post(`${API}/User/Create`, { token, body }), 401, 'serviceKey.invalid');
      const query = { keyword: fresh('sleeper') };
      assert.equal((await here.get(`${API}/User/GetAll`, { token: admin, query })).result.totalCount, 0);
    });

    it('an export ends when its key is withdrawn', async () => {
      const token = await makeKey(['pages:maintenance']);
      const by = await there.service.serviceKeys.findManager(token, 'pages:maintenance');
      assert.ok(by);
      const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
      const pieces = await createAuditExport(there.service).export({}, 'jsonl', { ...by, origin });
      await withdraw(fresh('key'));
      await assert.rejects(Array.fromAsync(pieces), { reason: 'serviceKey.invalid' });
    });

    it('a key outlives its maker with its own rights, until it is withdrawn', async () => {
      const maker = await accounts.add(['Administrator']);
      const token = await accounts.open(maker);
      const body = { name: fresh('heir'), permissions: ['manage', 'Pages.Users'] };
      const { key } = (await here.post(`${API}/ServiceKey/Create`, { token, body })).result;
      await act(admin, 'Erase', maker.id);
      const created = await there.post(`${API}/User/Create`, { token: key, body: { userName: fresh('late') } });
      assert.equal(created.status, 200, created.text);
      const { items } = (await here.get(`${API}/ServiceKey/GetAll`, { token: admin })).result;
      assert.ok(items.some((one) => one.name === fresh('heir')));
      await withdraw(fresh('heir'));
      assertRefused(await update(key, created.result.id, { name: 'x' }), 401, 'token.invalid');
    });

    it('the history of a setting names the key', async () => {
      const token = await makeKey(ALL);
      const value = { name: fresh('Brand') };
      const body = { name: 'Latchkey.Application', value };
      assert.equal((await there.post(`${API}/Settings/UpdateValue`, { token, body })).status, 200);
      const query = { name: 'Latchkey.Application' };
      const { items } = (await here.get(`${API}/Settings/GetHistory`, { token: admin, query })).result;
      assert.equal(items[0]?.by, `service key ${fresh('key')}`);
    });

    const assertUnblocked = (answers: readonly TestAnswer[]) => {
      for (const { status, text } of answers) assert.ok([200, 401, 404].includes(status), text);
    };

    it('keys that withdraw each other and themselves do not deadlock', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const names = ['a', 'b', 'c'].map((letter) => `${fresh('cross')}x${round}${letter}`);
        const keys = await Promise.all(names.map((one) => makeKey(['pages:maintenance'], one)));
        const all = keys.flatMap((key, index) =>
          names.map((one) => withdraw(one, key, index % 2 === 0 ? here : there)),
        );
        const answers = await Promise.all(all);
        assertUnblocked(answers);
        assert.equal(answers.filter(({ status }) => status === 200).length > 0, true);
      }
    });

    it('a key that changes an administrator does not deadlock with the one who withdraws it', async () => {
      const holder: TestAccount = await accounts.add(['Administrator']);
      const token = await accounts.open(holder);
      for (let round = 0; round < ROUNDS; round += 1) {
        const keyName = `${fresh('edit')}x${round}`;
        const key = await makeKey(ALL, keyName);
        const answers = await Promise.all([
          update(key, holder.id, { surname: `a${round}` }),
          withdraw(keyName, token),
          update(key, holder.id, { surname: `b${round}` }, here),
        ]);
        assertUnblocked(answers);
        assert.equal(answers[1]?.status, 200);
      }
    });

    it('a file that replaces a key does not deadlock with the acts of the key', async () => {
      const setting = (value: string) => ({ name: 'Latchkey.Application', value: { name: value } });
      for (let round = 0; round < ROUNDS; round += 1) {
        const keyName = `${fresh('filed')}x${round}`;
        const key = await makeKey(ALL, keyName);
        const file = `
settings: { Latchkey.Application: { name: 'File ${round}' } }
serviceKeys: { ${keyName}: { permissions: [manage, Pages.Users] } }
`;
        const applied = configurationOf(here.service).apply(parseConfiguration(file, 'f'), {
          by: operator('test'),
          variables: {},
          prunes: round % 2 === 0,
          takesSecrets: true,
        });
        const acts = [1, 2, 3].map((turn) =>
          there.post(`${API}/Settings/UpdateValue`, { token: key, body: setting(`Key ${round} ${turn}`) }),
        );
        const [{ secrets }, answers] = await Promise.all([applied, Promise.all(acts)]);
        assertUnblocked(answers);
        assert.deepEqual(Object.keys(secrets), [`serviceKeys.${keyName}.key`]);
      }
    });
  });
}
