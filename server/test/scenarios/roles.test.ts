// Roles as data: what each grants is told, decides at once on every node, and can be changed by administrators alone.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { until } from '../support/patience.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';

for (const [name, start] of Object.entries(setUps)) {
  describe(`roles on ${name}`, () => {
    let setUp: SetUp;
    let admin: string;
    let count = 0;
    let role: string;

    before(async () => {
      setUp = await start();
      admin = await setUp.here.admin();
    });
    after(() => setUp.close());
    beforeEach(() => {
      count += 1;
      role = `Clerk${count}`;
    });

    const create = (grantedPermissions: string[], token = admin) =>
      setUp.here.post(`${API}/Role/Create`, { token, body: { name: role, grantedPermissions } });
    const grantsThere = (permission: string) => setUp.there.service.roles.permissionsOf([role]).includes(permission);
    const isGranted = async (token: string | undefined, permissionName: string) =>
      (await setUp.there.get(`${API}/Permission/IsPermissionGranted`, { token, query: { permissionName } })).result;

    it('are listed with those of the service first, and with every role that a user was given', async () => {
      await setUp.here.createUser(`person${count}`, { roleNames: [role, 'administrator'] });
      const { result } = await setUp.here.get(`${API}/User/GetRoles`, { token: admin });
      const names = result.items.map((one) => one.normalizedName);
      assert.deepEqual(names.slice(0, 2), ['Administrator', 'UserManager']);
      assert.ok(names.includes(role));
      const users = await setUp.here.get(`${API}/User/GetAll`, { token: admin, query: { keyword: `person${count}` } });
      assert.deepEqual(users.result.items[0]?.roleNames, [role, 'Administrator']);
    });

    it('tell how many users have each, in any spelling', async () => {
      await create([]);
      const read = async () => (await setUp.here.get(`${API}/Role/GetUserCounts`, { token: admin })).result.items;
      const before = await read();
      const none = `Nobody${count}`;
      await setUp.here.createUser(`one${count}`, { roleNames: [role, 'UserManager'] });
      await setUp.here.createUser(`two${count}`, { roleNames: [role.toUpperCase()], isActive: false });
      await setUp.here.post(`${API}/Role/Create`, { token: admin, body: { name: none } });
      const after = await read();
      const countOf = (name: string, items = after) => items.find((one) => one.name === name)?.userCount ?? -1;
      assert.deepEqual([countOf(role), countOf(none)], [2, 0]);
      assert.equal(countOf('UserManager') - countOf('UserManager', before), 1);
      assert.equal(countOf('Administrator'), countOf('Administrator', before));
    });

    it('grant names of the application: the caller, the start-up configuration and no token tell them', async () => {
      assert.equal((await create(['Pages.Invoices'])).status, 200);
      await setUp.here.createUser(`person${count}`, { roleNames: [role] });
      const token = await setUp.here.signIn(`person${count}`);
      await until(() => grantsThere('Pages.Invoices'));
      assert.equal(await isGranted(token, 'Pages.Invoices'), true);
      assert.equal(await isGranted(token, 'Pages.Users'), false);
      assert.equal(await isGranted(undefined, 'Pages.Invoices'), false);
      const current = await setUp.here.get(`${API}/Session/GetCurrentLoginInfo`, { token });
      assert.deepEqual(current.result.user?.grantedPermissions, [
        { permission: 'Pages.Invoices', permissionedEntity: [] },
      ]);
      const query = { roleName: role.toUpperCase() };
      assert.equal((await setUp.here.get(`${API}/ShaRole/IsRoleGranted`, { token, query })).result, true);
    });

    it('grant permissions of this service, until they do not any more', async () => {
      const { result } = await create(['Pages.Users']);
      await setUp.here.createUser(`person${count}`, { roleNames: [role] });
      const token = await setUp.here.signIn(`person${count}`);
      await until(() => grantsThere('Pages.Users'));
      const body = { userName: `made${count}`, password: 'staple gravel lantern' };
      assert.equal((await setUp.there.post(`${API}/User/Create`, { token, body })).status, 200);
      const changed = await setUp.here.send('PUT', `${API}/Role/Update`, {
        token: admin,
        body: { id: result.id, grantedPermissions: [] },
      });
      assert.equal(changed.status, 200, changed.text);
      const again = { userName: `again${count}`, password: 'staple gravel lantern' };
      assertRefused(await setUp.there.post(`${API}/User/Create`, { token, body: again }), 403, 'permission.denied');
    });

    it('cannot be given by an administrator who holds less', async () => {
      await create(['pages:maintenance']);
      await setUp.here.createUser(`manager${count}`, { roleNames: ['UserManager'] });
      const manager = await setUp.here.signIn(`manager${count}`);
      const body = { userName: `person${count}`, password: 'staple gravel lantern', roleNames: [role] };
      assertRefused(await setUp.here.post(`${API}/User/Create`, { token: manager, body }), 403, 'permission.denied');
      role = `Other${count}`;
      assertRefused(await create(['Pages.Users'], manager), 403, 'permission.denied');
    });

    it('have one name each, and those of the service stay', async () => {
      const { result } = await create([]);
      assertRefused(await create([]), 409, 'role.duplicate');
      const all = (await setUp.here.get(`${API}/Role/GetAll`, { token: admin, query: { keyword: 'Administrator' } }))
        .result;
      const builtIn = all.items[0];
      assert.deepEqual(builtIn?.grantedPermissions, ['pages:maintenance', 'Pages.Users', 'users:resetPassword']);
      const remove = (id: number | undefined) =>
        setUp.here.send('DELETE', `${API}/Role/Delete`, { token: admin, query: { id: id ?? 0 } });
      assertRefused(await remove(builtIn?.id), 409, 'role.protected');
      assert.equal((await remove(result.id)).status, 200);
      assertRefused(await remove(result.id), 404, 'role.notFound');
    });
  });
}
