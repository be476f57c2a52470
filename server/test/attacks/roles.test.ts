// Attacks through roles: escalation, a permission that ends, and races between changes of roles and of accounts.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newAccount } from '../../src/accounts/index.ts';
import type { Service } from '../../src/app/compose.ts';
import type { Manager } from '../../src/foundation/authority.ts';
import { errorCodeOf } from '../../src/foundation/errors.ts';
import { createTestAccounts, type TestAccounts } from '../support/accounts.ts';
import { assertRefused } from '../support/answers.ts';
import { beside } from '../support/databases.ts';
import { patiently } from '../support/patience.ts';
import { often } from '../support/scale.ts';
import { ADMIN_PASSWORD, freshAddress, type TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const ALL = ['pages:maintenance', 'Pages.Users', 'users:resetPassword'];
const ROUNDS = 5;

/** Time for another call to come in between. Too little would only make the attack miss its moment. */
const MOMENT_MS = 200;

/** Returns the manager that a call with this token acts for. */
async function toManager({ authorization }: Service, token: string): Promise<Manager> {
  const caller = await authorization.permit(token, 'pages:maintenance', {});
  const origin = { ipAddress: freshAddress(), userAgent: null, frontEnd: 'default-app' };
  return { ...caller, origin };
}

for (const [name, start] of Object.entries(setUps)) {
  describe(`attacks through roles on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let accounts: TestAccounts;
    let admin: string;
    let count = 0;
    const fresh = (kind: string) => `${kind}${count}`;

    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      accounts = await createTestAccounts(here);
      admin = await here.admin();
    });
    after(() => setUp.close());
    beforeEach(() => {
      count += 1;
    });

    const create = (name: string, grantedPermissions: string[], token = admin) =>
      patiently(() => here.post(`${API}/Role/Create`, { token, body: { name, grantedPermissions } }));
    const update = (id: number, changes: object, token = admin, node = here) =>
      patiently(() => node.send('PUT', `${API}/Role/Update`, { token, body: { id, ...changes } }));
    const remove = (id: number, token = admin) =>
      patiently(() => here.send('DELETE', `${API}/Role/Delete`, { token, query: { id } }));
    const find = async (keyword: string) =>
      (await here.get(`${API}/Role/GetAll`, { token: admin, query: { keyword } })).result.items[0];
    const createUser = (token: string, userName: string, roleNames: string[]) =>
      patiently(() => there.post(`${API}/User/Create`, { token, body: { userName, roleNames } }));

    /** Creates a role, and an account that has only this role. */
    async function createHolder(role: string, permissions: string[]) {
      const { result, status, text } = await create(role, permissions);
      assert.equal(status, 200, text);
      const account = await accounts.add([role]);
      return { roleId: result.id, ...account, token: await accounts.open(account) };
    }

    it('a maintainer gives, takes and deletes no permission that the maintainer does not hold', async () => {
      const { token, roleId } = await createHolder(fresh('Maintainer'), ['pages:maintenance']);
      const { id: manager } = (await find('UserManager')) ?? { id: 0 };
      const { id: helpDesk } = (await create(fresh('HelpDesk'), ['users:resetPassword'])).result;
      const attempts = [
        () => create(fresh('Crony'), ['Pages.Users'], token),
        () => update(roleId, { grantedPermissions: ['pages:maintenance', 'Pages.Users'] }, token),
        () => update(manager, { grantedPermissions: ['pages:maintenance'] }, token),
        () => update(helpDesk, { grantedPermissions: [] }, token),
        () => remove(helpDesk, token),
      ];
      for (const attempt of attempts) assertRefused(await attempt(), 403, 'permission.denied', String(attempt));
      assert.equal(await find(fresh('Crony')), undefined);
      assert.deepEqual((await find(fresh('HelpDesk')))?.grantedPermissions, ['users:resetPassword']);

      const own = ['pages:maintenance', 'Invoices.Read'];
      const created = await create(fresh('Deputy'), own, token);
      assert.deepEqual(created.result.grantedPermissions, own);
      assert.equal((await remove(created.result.id, token)).status, 200);
    });

    it('a user manager defines no role, and gives and manages none that grants more, in any spelling', async () => {
      const boss = await createHolder(fresh('Boss'), ['pages:maintenance']);
      const manager = await accounts.add(['UserManager']);
      const token = await accounts.open(manager);
      const refused = (answer: Parameters<typeof assertRefused>[0]) => assertRefused(answer, 403, 'permission.denied');
      refused(await create(fresh('Own'), [], token));
      refused(await update(boss.roleId, { grantedPermissions: [] }, token));
      refused(await remove(boss.roleId, token));
      const wide = fresh('Ｂｏｓｓ');
      const padded = [
        ` ${fresh('Boss')}\u00a0`,
        `${fresh('Bo\u200bss')}\ufeff`,
        'Administrator\u200d',
        '\u202eAdministrator',
      ];
      const spellings = [fresh('Boss'), fresh('boss'), fresh('BO\u017f\u017f'), wide, 'admınıstrator', ...padded];
      for (const role of spellings) {
        refused(await createUser(token, fresh('crony'), [role]));
        const body = { id: manager.id, roleNames: ['UserManager', role] };
        refused(await there.send('PUT', `${API}/User/Update`, { token, body }));
      }
      const body = { userId: boss.id, newPassword: 'harbour violet tractor' };
      refused(await there.post(`${API}/User/ResetPassword`, { token, body }));
      refused(await there.post(`${API}/User/InactivateUser`, { token, body: { userId: boss.id } }));
      assert.equal((await createUser(token, fresh('plain'), [fresh('Clerk')])).status, 200);
    });

    it('a role that grants everything removes neither the last administrator nor the built-in grants', async () => {
      const { token } = await createHolder(fresh('Root'), ALL);
      const userId = (await here.get(`${API}/Session/GetCurrentLoginInfo`, { token: admin })).result.user?.id ?? 0;
      const change = (roleNames: string[]) =>
        here.send('PUT', `${API}/User/Update`, { token, body: { id: userId, roleNames } });
      assertRefused(await change([]), 400, 'account.lastAdministrator');
      assertRefused(await change([fresh('Root')]), 400, 'account.lastAdministrator');
      const { id } = (await find('Administrator')) ?? { id: 0 };
      assertRefused(await remove(id, token), 409, 'role.protected');
      assert.deepEqual((await update(id, { grantedPermissions: [] }, token)).result.grantedPermissions, ALL);
      assertRefused(await create('ADMINISTRATOR', [], token), 409, 'role.duplicate');
      assert.equal((await change(['administrator'])).status, 200);
      assert.equal((await here.get(`${API}/Audit/GetAll`, { token: admin })).status, 200);
    });

    it('a permission ends and begins on every node when the change is answered, for reads too', async () => {
      const { token, roleId } = await createHolder(fresh('Reader'), ['Pages.Users']);
      const read = () => there.get(`${API}/User/GetAll`, { token });
      for (let round = 0; round < ROUNDS; round += 1) {
        assert.equal((await read()).status, 200);
        await update(roleId, { grantedPermissions: [] });
        assertRefused(await read(), 403, 'permission.denied');
        await update(roleId, { grantedPermissions: ['Pages.Users'] });
      }
      await remove(roleId);
      assertRefused(await read(), 403, 'permission.denied');
    });

    it('a deleted role is taken from its holders, who do not get a later role of its name', async () => {
      const { token, roleId, id } = await createHolder(fresh('Gone'), ['Pages.Users']);
      const readRoles = async () =>
        (await here.get(`${API}/User/Get`, { token: admin, query: { id } })).result.roleNames;
      assert.deepEqual(await readRoles(), [fresh('Gone')]);
      await remove(roleId);
      assert.deepEqual(await readRoles(), []);
      assertRefused(await createUser(token, fresh('a'), []), 403, 'permission.denied');
      await create(fresh('gone'), ['Pages.Users']);
      assertRefused(await createUser(token, fresh('b'), []), 403, 'permission.denied');
      assert.deepEqual(await readRoles(), []);
    });

    it('a role that a node gives before it knows of the deletion is there again, and grants nothing', async () => {
      const role = fresh('Late');
      const { roleId } = await createHolder(role, ['Pages.Users']);
      await there.service.roles.load();
      await remove(roleId);
      assert.equal((await createUser(admin, fresh('late'), [role])).status, 200);
      assert.deepEqual((await find(role))?.grantedPermissions, []);
      assertRefused(await create(role, ['Pages.Users']), 409, 'role.duplicate');
    });

    it('a deleted role takes no other role along', async () => {
      const other = `${fresh('Stays')}x`;
      const { roleId, id } = await createHolder(fresh('Stays'), ['Invoices.Read']);
      await create(other, []);
      const update = { id, roleNames: [other, fresh('Stays')] };
      assert.equal((await here.send('PUT', `${API}/User/Update`, { token: admin, body: update })).status, 200);
      await remove(roleId);
      const { result } = await here.get(`${API}/User/Get`, { token: admin, query: { id } });
      assert.deepEqual(result.roleNames, [other]);
    });

    it('absent members of a change stay as they are', async () => {
      const { roleId } = await createHolder(fresh('Kept'), ['Pages.Users']);
      const displayName = 'Keeps it';
      assert.deepEqual((await update(roleId, { displayName })).result.grantedPermissions, ['Pages.Users']);
      assert.equal(
        (await update(roleId, { description: 'Why', grantedPermissions: null })).result.displayName,
        displayName,
      );
      const { result } = await update(roleId, { displayName: '' });
      assert.deepEqual([result.displayName, result.description], [fresh('Kept'), 'Why']);
    });

    it('none of many concurrent changes is made after the role’s loss of the permission was answered', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const role = `${fresh('Racer')}x${round}`;
        const { token, roleId } = await createHolder(role, ['Pages.Users']);
        const changes = Array.from({ length: often(20, 50) }, (_, turn) => createUser(token, `${role}x${turn}`, []));
        const countMade = async () =>
          (await here.get(`${API}/User/GetAll`, { token: admin, query: { keyword: `${role}x` } })).result.totalCount;
        assert.equal((await update(roleId, { grantedPermissions: [] })).status, 200);
        const made = await countMade();
        const answers = await Promise.all(changes);
        assert.equal(await countMade(), made);
        for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 403, 'permission.denied');
      }
    });

    it('a role’s loss of a permission is not answered while a call that it authorized is under way', async () => {
      const { token, roleId } = await createHolder(fresh('Acting'), ['Pages.Users']);
      const { service } = here;
      const caller = await service.authorization.permit(token, 'Pages.Users', {});
      const order: string[] = [];
      let change: Promise<{ status: number }> = Promise.resolve({ status: 0 });
      await service.database.transaction(async (tx) => {
        await caller.authorize(tx);
        change = update(roleId, { grantedPermissions: [] }, admin, there).finally(() => order.push('role changed'));
        await pause(MOMENT_MS);
        order.push('call acted');
      });
      assert.equal((await change).status, 200);
      assert.deepEqual(order, ['call acted', 'role changed']);
    });

    it('of parallel creations under one name in different spellings, and of parallel deletions, one succeeds', async () => {
      const names = Array.from({ length: 40 }, (_, turn) => (turn % 2 === 0 ? fresh('Once') : fresh('ONCE')));
      const created = await Promise.all(names.map((name) => create(name, ['Invoices.Read'])));
      const [winner, ...others] = created.filter(({ status }) => status === 200);
      assert.ok(winner && others.length === 0, created.map(({ status }) => status).join(' '));
      for (const answer of created) if (answer !== winner) assertRefused(answer, 409, 'role.duplicate');

      const { id } = winner.result;
      const changed = names.map((displayName) => update(id, { displayName }));
      const deleted = await Promise.all(names.map(() => remove(id)));
      assert.equal(deleted.filter(({ status }) => status === 200).length, 1);
      for (const answer of deleted) if (answer.status !== 200) assertRefused(answer, 404, 'role.notFound');
      for (const answer of await Promise.all(changed)) {
        if (answer.status !== 200) assertRefused(answer, 404, 'role.notFound');
      }
      assert.equal(await find(fresh('Once')), undefined);
    });

    it('holders who change each other’s roles and accounts, and give new roles, never deadlock', async () => {
      const holders = [await createHolder(fresh('A'), ALL), await createHolder(fresh('B'), ALL)];
      const act = (turn: number, [own, other]: typeof holders, { service }: TestService) =>
        [own, other].flatMap((one) => {
          if (!one || !own || !other) return [];
          const add = async () => {
            const names = [`${fresh('New')}x${turn}`, `${fresh('Newer')}x${turn}`];
            const roleNames = one === own ? names : names.toReversed();
            const input = newAccount(`${fresh('made')}x${turn}by${own.id}${one.id}`, { roleNames });
            return service.administration.create(input, null, await toManager(service, own.token));
          };
          const changeRole = async () =>
            service.roles.update(one.roleId, { description: `${turn}` }, await toManager(service, own.token));
          const changeAccount = async () =>
            service.administration.update(one.id, { surname: `${turn}` }, await toManager(service, own.token));
          return [add, changeRole, changeAccount];
        });
      for (let turn = 0; turn < ROUNDS; turn += 1) {
        const all = [...act(turn, holders, here), ...act(turn, holders.toReversed(), there)];
        const settled = await Promise.allSettled(all.map((one) => one()));
        const causes = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
        // A busy database may refuse. It must not have to resolve a deadlock.
        for (const { status, cause } of causes) assert.deepEqual([status, errorCodeOf(cause)], [503, undefined]);
      }
    });

    it('a first permission and a refresh of a holder do not deadlock, where it needs a second factor', async () => {
      const require = async (requireForPermissions: boolean) => {
        const value = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions };
        const body = { name: 'Latchkey.Factors', value };
        const { status } = await here.post(`${API}/Settings/UpdateValue`, { token: admin, body });
        assert.equal(status, 200);
      };
      const { roleId, token } = await createHolder(fresh('Empty'), []);
      const { service } = here;
      const { sessionId } = await service.sessions.check(token);
      await require(true);
      let change: Promise<unknown> = Promise.resolve();
      const manager = await toManager(service, admin);
      await service.database.transaction(async (tx) => {
        assert.ok(await service.sessions.findOpen(tx, sessionId));
        change = beside(() => service.roles.update(roleId, { permissions: ['Invoices.Read'] }, manager));
        await pause(MOMENT_MS);
        assert.deepEqual(await service.roles.permissionsIn(tx, [fresh('Empty')]), []);
      });
      await change;
      assertRefused(await here.get(`${API}/Session/GetAll`, { token }), 403, 'factor.enrollmentRequired');
      await require(false);
    });

    it('a deletion and the calls of holders do not deadlock', async () => {
      for (let turn = 0; turn < ROUNDS; turn += 1) {
        const role = `${fresh('Doomed')}x${turn}`;
        const { roleId, token } = await createHolder(role, ALL);
        const other = await accounts.add([role]);
        const otherToken = await accounts.open(other);
        const rename = (node: TestService, own: string, id: number) => async () =>
          node.service.administration.update(id, { surname: `${turn}` }, await toManager(node.service, own));
        const all = [
          rename(there, token, other.id),
          rename(here, otherToken, other.id),
          async () => here.service.roles.delete(roleId, await toManager(here.service, admin)),
          rename(there, otherToken, other.id),
        ];
        const settled = await Promise.allSettled(all.map((one) => one()));
        const causes = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
        for (const { status, cause } of causes) {
          assert.ok([403, 503].includes(status), String(status));
          assert.equal(errorCodeOf(cause), undefined);
        }
        await remove(roleId);
        assert.equal(await find(role), undefined);
      }
    });

    it('a role has no name that looks like another one, because of white space or invisible marks', async () => {
      const role = fresh('Auditor');
      const created = await create(`\u2003${fresh('Audi\u00adtor')}\u200b\t`, []);
      assert.equal(created.result.name, role);
      const looks = [
        ` ${role}`,
        `${role}\u3000`,
        fresh('\u2066Auditor\u2069'),
        fresh('Au\u{e0061}ditor'),
        fresh('Audito\u034fr'),
      ];
      for (const name of looks) {
        assertRefused(await create(name, []), 409, 'role.duplicate', name);
        const userName = `${fresh('auditor')}-${looks.indexOf(name)}`;
        assert.deepEqual((await createUser(admin, userName, [name])).result.roleNames, [role]);
        const token = await accounts.open(await accounts.add([role]));
        const query = { roleName: name };
        assert.equal((await here.get(`${API}/ShaRole/IsRoleGranted`, { token, query })).result, true);
        const demand = `/api/forward-auth?roles=${encodeURIComponent(name)}`;
        assert.equal((await here.get(demand, { token })).status, 204, name);
      }
      for (const name of [
        '\u200b',
        ' \u3000 ',
        fresh('Au\u2800ditor'),
        fresh('Au\ue000ditor'),
        fresh('Audi\u2028tor'),
      ]) {
        assertRefused(await create(name, []), 400, 'request.invalid', name);
        assertRefused(await createUser(admin, fresh('nobody'), [name]), 400, 'request.invalid', name);
      }
      assert.equal((await create(fresh('Help desk é 日本'), [])).status, 200);
    });

    it('names of roles that unfold to many letters are stored or refused', async () => {
      for (const letters of ['\ufdfa', '\ufdfb\ufdfa', '\u3316\u337f\ufb03', '\u{1f240}ß']) {
        const role = letters.repeat(100).slice(0, 90) + String.fromCodePoint(97 + (count % 26));
        const answers = [await create(role, []), await createUser(admin, `${fresh('long')}${letters.length}`, [role])];
        for (const { status, text } of answers) assert.ok([200, 400, 409].includes(status), text);
      }
      await here.signIn('admin', ADMIN_PASSWORD);
    });

    it('input of a wrong shape is refused', async () => {
      const bodies = [
        {},
        { name: '' },
        { name: 'x'.repeat(101) },
        { name: 'a\u0000b' },
        { name: ['Administrator'] },
        { name: fresh('r'), grantedPermissions: 'Pages.Users' },
        { name: fresh('r'), grantedPermissions: ['two words'] },
        { name: fresh('r'), grantedPermissions: [''] },
        { name: fresh('r'), grantedPermissions: Array(201).fill('a') },
        { name: fresh('r'), grantedPermissions: [null] },
      ];
      for (const body of bodies) {
        assertRefused(await here.post(`${API}/Role/Create`, { token: admin, body }), 400, 'request.invalid', body);
      }
      const { result } = await here.post(`${API}/Role/Create`, {
        token: admin,
        body: { name: fresh('r'), id: 1, isStatic: true, createdAt: 0, permissions: ALL },
      });
      assert.deepEqual([result.isStatic, result.grantedPermissions], [false, []]);
      assert.notEqual(result.id, 1);
    });
  });
}
