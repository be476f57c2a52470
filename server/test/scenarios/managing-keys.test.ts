// Service keys that manage: other services make the calls of administrators, within what the key holds.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createLatchkeyServer } from 'latchkey-sdk/server';
import { assertRefused } from '../support/answers.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';

for (const [name, start] of Object.entries(setUps)) {
  describe(`service keys that manage on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let admin: string;
    let count = 0;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      admin = await here.admin();
    });
    beforeEach(() => {
      count += 1;
    });
    after(() => setUp.close());

    const make = (permissions: string[], token = admin, keyName = `crm${count}`) =>
      here.post(`${API}/ServiceKey/Create`, { token, body: { name: keyName, permissions } });
    async function makeKey(...permissions: string[]): Promise<string> {
      const answer = await make(permissions);
      assert.equal(answer.status, 200, answer.text);
      return answer.result.key;
    }
    const create = (token: string, more: object = {}, node = there) =>
      node.post(`${API}/User/Create`, { token, body: { userName: `person${count}`, ...more } });

    it('make calls without a session, and stand in the trail by their name', async () => {
      const key = await makeKey('manage', 'Pages.Users');
      const created = await create(key);
      assert.equal(created.status, 200, created.text);
      const read = await there.get(`${API}/User/Get`, { token: key, query: { id: created.result.id } });
      assert.equal(read.result.userName, `person${count}`);
      const query = { action: 'account.created', userId: created.result.id };
      const { items } = (await here.get(`${API}/Audit/GetAll`, { token: admin, query })).result;
      assert.deepEqual(
        items.map(({ details }) => Object(details).by),
        [`service key crm${count}`],
      );
      const { items: keys } = (await here.get(`${API}/ServiceKey/GetAll`, { token: admin })).result;
      const used = keys.find((one) => one.name === `crm${count}`);
      assert.deepEqual(used?.permissions, ['manage', 'Pages.Users']);
      assert.ok(used?.lastUsedAt);
    });

    it('are refused what they do not hold, and whatever is a person’s own', async () => {
      const key = await makeKey('manage', 'Pages.Users');
      assertRefused(await there.get(`${API}/ServiceKey/GetAll`, { token: key }), 403, 'permission.denied');
      assertRefused(await there.get(`${API}/Session/GetAll`, { token: key }), 401, 'token.invalid');
      assertRefused(await there.post('/api/TokenAuth/RefreshTokenAsync', { token: key }), 401, 'token.invalid');
      const password = { userId: await here.createUser(`owner${count}`), newPassword: 'a walk by the sea' };
      const reset = await there.post(`${API}/User/ResetPassword`, { token: key, body: password });
      assertRefused(reset, 403, 'permission.denied');
    });

    it('read what is stored about another person, with the permission, and need its account', async () => {
      const key = await makeKey('manage', 'Pages.Users');
      const userId = await here.createUser(`known${count}`);
      const read = (call: string, token: string, query = {}) => there.get(`${API}/${call}`, { token, query });
      const exported = await read('User/ExportPerson', key, { userId });
      assert.equal(JSON.parse(exported.text).result.account.userName, `known${count}`);
      const { items } = (
        await here.get(`${API}/Audit/GetAll`, { token: admin, query: { action: 'account.dataExported', userId } })
      ).result;
      assert.deepEqual(
        items.map(({ details }) => Object(details).by),
        [`service key crm${count}`],
      );
      assert.deepEqual((await read('Session/GetSignOuts', key, { userId })).result, { items: [] });
      for (const call of ['User/ExportPerson', 'Session/GetSignOuts']) {
        const refused = await read(call, key);
        assertRefused(refused, 400, 'request.invalid');
        assert.deepEqual(refused.error.validationErrors?.[0]?.members, ['userId'], call);
      }
      count += 1;
      const other = await makeKey('manage', 'users:resetPassword');
      for (const call of ['User/ExportPerson', 'Session/GetSignOuts']) {
        assertRefused(await read(call, other, { userId }), 403, 'permission.denied');
      }
    });

    it('manage nobody who holds more, and give no more', async () => {
      const key = await makeKey('manage', 'Pages.Users');
      const { items } = (await there.get(`${API}/User/GetAll`, { token: key, query: { keyword: 'admin' } })).result;
      const id = items.find(({ userName }) => userName === 'admin')?.id ?? assert.fail('no administrator');
      assertRefused(await there.post(`${API}/User/DeActivate`, { token: key, body: { id } }), 403, 'permission.denied');
      assertRefused(await create(key, { roleNames: ['Administrator'] }), 403, 'permission.denied');
    });

    it('are no keys that manage without manage, nor without something to manage', async () => {
      for (const permissions of [
        ['manage'],
        ['Pages.Users'],
        ['introspect', 'manage'],
        ['audit', 'users:resetPassword'],
      ]) {
        const refused = await make(permissions);
        assertRefused(refused, 400, 'request.invalid');
        assert.deepEqual(refused.error.validationErrors?.[0]?.members, ['permissions'], permissions.join());
      }
      const reader = await makeKey('audit');
      assertRefused(await create(reader), 401, 'token.invalid');
    });

    it('are made by those only who hold what the key holds', async () => {
      const role = { name: `keepers${count}`, grantedPermissions: ['pages:maintenance'] };
      assert.equal((await here.post(`${API}/Role/Create`, { token: admin, body: role })).status, 200);
      await here.createUser(`keeper${count}`, { roleNames: [role.name] });
      const keeper = await here.signIn(`keeper${count}`);
      assertRefused(await make(['manage', 'Pages.Users'], keeper), 403, 'permission.denied');
      const own = await make(['manage', 'pages:maintenance'], keeper);
      assert.equal(own.status, 200, own.text);
      const more = await make(['manage', 'users:resetPassword'], own.result.key, `more${count}`);
      assertRefused(more, 403, 'permission.denied');
    });

    it('act no more once they are withdrawn, though a call was on its way', async () => {
      const key = await makeKey('manage', 'Pages.Users');
      const manager = await there.service.serviceKeys.findManager(key, 'Pages.Users');
      assert.ok(manager);
      const withdrawn = await here.post(`${API}/ServiceKey/Withdraw`, { token: admin, body: { name: `crm${count}` } });
      assert.equal(withdrawn.status, 200, withdrawn.text);
      const acting = there.service.database.transaction((tx) => manager.authorize(tx));
      await assert.rejects(acting, { reason: 'serviceKey.invalid' });
      assertRefused(await create(key), 401, 'token.invalid');
    });

    it('are withdrawn after or before an act, and never in between', async () => {
      for (let round = 0; round < 10; round += 1) {
        const keyName = `racer${count}-${round}`;
        const { key } = (await make(['manage', 'Pages.Users'], admin, keyName)).result;
        const [created, withdrawn] = await Promise.all([
          create(key, { userName: keyName }),
          here.post(`${API}/ServiceKey/Withdraw`, { token: admin, body: { name: keyName } }),
        ]);
        assert.equal(withdrawn.status, 200, withdrawn.text);
        if (created.status !== 200) assert.equal(created.status, 401, created.text);
        const query = { keyword: keyName };
        const { items } = (await here.get(`${API}/User/GetAll`, { token: admin, query })).result;
        assert.equal(items.length, created.status === 200 ? 1 : 0);
      }
    });
  });
}

describe('the client for servers', () => {
  it('makes typed calls with a key, and rejects with the reason of the service', async () => {
    const { SQLite: start } = setUps;
    const setUp = (await start?.()) ?? assert.fail();
    const { here } = setUp;
    const baseUrl = await here.app.listen({ host: '127.0.0.1', port: 0 });
    const serviceKey = await here.createServiceKey('crm', ['manage', 'Pages.Users']);
    const latchkey = createLatchkeyServer({ baseUrl: `${baseUrl}/`, serviceKey });
    const { id } = await latchkey.call('User/Create', { userName: 'ann' });
    assert.equal((await latchkey.call('User/Get', { id })).userName, 'ann');
    await assert.rejects(latchkey.call('User/Create', { userName: 'ann' }), {
      reason: 'account.duplicate',
      status: 409,
    });
    await assert.rejects(latchkey.call('ServiceKey/GetAll'), { reason: 'permission.denied' });
    assert.throws(() => createLatchkeyServer({ baseUrl, serviceKey: '' }), TypeError);
    for (const wrong of ['', 'id.example.com', 'https://', String(undefined)])
      assert.throws(() => createLatchkeyServer({ baseUrl: wrong, serviceKey }), { message: /^baseUrl: give a URL/ });
    await setUp.close();
  });

  it('follows no redirect, and says where it leads', async () => {
    let requests = 0;
    const server = createServer(({ url }, response) => {
      requests += 1;
      response.writeHead(301, { location: url?.includes('/User/Get') ? `/auth${url}` : '/login' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const latchkey = createLatchkeyServer({ baseUrl, serviceKey: 'key' });
    const redirectedTo = (path: string) => ({
      name: 'LatchkeyError',
      reason: 'network',
      status: 301,
      message: `The service redirects to ${baseUrl}${path}. Use that address instead of ${baseUrl}.`,
    });
    await assert.rejects(latchkey.call('User/Get', { id: 1 }), redirectedTo('/auth'));
    assert.equal(requests, 1);
    await assert.rejects(latchkey.call('User/Create', { userName: 'ann' }), redirectedTo('/login'));
    assert.equal(requests, 2);
    server.close();
  });
});
