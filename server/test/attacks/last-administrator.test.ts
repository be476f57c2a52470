// Attacks that shut administrators out: the last one who can sign in stays, and nobody shuts out the own account.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createTestAccounts, type TestAccounts } from '../support/accounts.ts';
import { assertRefused } from '../support/answers.ts';
import { createDevice, enrollPasskey } from '../support/passkeys.ts';
import { createTestProvider } from '../support/providers.ts';
import { often } from '../support/scale.ts';
import type { TestAnswer, TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const ALL = ['pages:maintenance', 'Pages.Users', 'users:resetPassword'];
const ADMINISTRATOR = ['Administrator'];
const ROUNDS = often(2, 5);

for (const [name, start] of Object.entries(setUps)) {
  describe(`attacks that shut administrators out, on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let accounts: TestAccounts;
    let adminId: number;
    /** Holds all permissions by another role than `Administrator`, so that it counts as none. */
    let root: { id: number; token: string };
    let count = 0;
    const fresh = (kind: string) => `${kind}${count}`;

    before(async () => {
      setUp = await start({ additions: { providers: [createTestProvider('Acme').info] } });
      ({ here, there } = setUp);
      accounts = await createTestAccounts(here);
      const token = await here.admin();
      adminId = (await here.get(`${API}/Session/GetCurrentLoginInfo`, { token })).result.user?.id ?? 0;
      await here.post(`${API}/Role/Create`, { token, body: { name: 'Root', grantedPermissions: ALL } });
      const account = await accounts.add(['Root']);
      root = { id: account.id, token: await accounts.open(account) };
      await setPasskeys(true);
    });
    beforeEach(() => {
      count += 1;
    });
    afterEach(() => restore());
    after(() => setUp.close());

    async function setPasskeys(passkeys: boolean) {
      await here.set('Latchkey.Factors', { passkeys });
    }
    const act = (call: string, userId: number, more: object = {}, token = root.token) =>
      there.post(`${API}/User/${call}`, { token, body: { userId, id: userId, ...more } });
    const remove = (id: number, token = root.token) =>
      there.send('DELETE', `${API}/User/Delete`, { token, query: { id } });
    const update = (id: number, changes: object, token = root.token) =>
      there.send('PUT', `${API}/User/Update`, { token, body: { id, ...changes } });
    const create = (kind: string, more: object = {}) =>
      here.createUser(fresh(kind), { roleNames: ADMINISTRATOR, password: null, ...more });
    const addLogin = (accountId: number, provider: string) =>
      here.service.externalLoginStore.add(here.service.database.sql, {
        ...{ provider, providerKey: fresh('key'), accountId, linkedAt: here.clock.now() },
      });
    const setPassword = (id: number) => act('ResetPassword', id, { newPassword: 'harbour violet tractor' });

    /** Registers a provider as an administrator does on the page. @returns calls that take it from people. */
    async function addProvider(providerName: string) {
      const body = { type: 'github', name: providerName, clientId: 'x', clientSecret: 'y' } as const;
      const { result } = await here.post(`${API}/ExternalProvider/Create`, { token: root.token, body });
      const { id } = result;
      const turn = (isEnabled: boolean, node = there) =>
        node.send('PUT', `${API}/ExternalProvider/Update`, { token: root.token, body: { id, isEnabled } });
      return {
        turn,
        disable: (node?: TestService) => turn(false, node),
        remove: (node = there) =>
          node.send('DELETE', `${API}/ExternalProvider/Delete`, { token: root.token, query: { id } }),
      };
    }

    /** Makes the first administrator the only one. */
    async function restore() {
      await act('ActivateUser', adminId);
      const { sql } = here.service.database;
      await sql.deleteFrom('account').where('roles', '=', '["Administrator"]').where('id', '!=', adminId).execute();
    }

    /** Every way to shut an account out. */
    const ways: Record<string, (id: number, token?: string) => Promise<TestAnswer>> = {
      deactivate: (id, token) => act('InactivateUser', id, {}, token),
      'deactivate as ABP’s clients do': (id, token) => act('DeActivate', id, {}, token),
      'set inactive': (id, token) => update(id, { isActive: false }, token),
      delete: (id, token) => remove(id, token),
      erase: (id, token) => act('Erase', id, {}, token),
    };
    const strip = (id: number, token?: string) => update(id, { roleNames: ['UserManager'] }, token);

    it('an account that cannot sign in does not count as the last administrator', async () => {
      await create('bare', { emailAddress: `${fresh('bare')}@example.org`, mobileNumber: '+27821234000' });
      await addLogin(await create('gone'), 'Retired');
      const random = await create('random');
      await setPassword(random);
      // As of an account from an external sign-in, whose random password was never told.
      const { sql } = here.service.database;
      await sql.updateTable('account').set({ password_changed_at: null }).where('id', '=', random).execute();
      await create('asleep', { password: 'harbour violet tractor', isActive: false });
      for (const [way, shutOut] of Object.entries({ ...ways, strip })) {
        assertRefused(await shutOut(adminId), 400, 'account.lastAdministrator', way);
      }
      assert.ok(await here.admin());
    });

    const lettingIn: Record<string, (id: number) => Promise<unknown>> = {
      'a password': setPassword,
      'a verified e-mail address': (id) =>
        update(id, { emailAddress: `${fresh('e')}@example.org`, isEmailConfirmed: true }),
      'a verified number': (id) => update(id, { mobileNumber: `+2782123${4100 + count}`, isMobileConfirmed: true }),
      'a login at a registered provider': (id) => addLogin(id, 'Acme'),
      'a passkey': (id) => enrollPasskey(here.service, createDevice(), id),
    };
    for (const [what, give] of Object.entries(lettingIn)) {
      it(`an administrator who has ${what} counts`, async () => {
        await give(await create('able'));
        assert.equal((await act('InactivateUser', adminId)).result, true);
      });
    }

    it('a passkey counts only while passkeys are switched on', async () => {
      await enrollPasskey(here.service, createDevice(), await create('key'));
      await setPasskeys(false);
      assertRefused(await act('InactivateUser', adminId), 400, 'account.lastAdministrator');
      await setPasskeys(true);
      assert.equal((await act('InactivateUser', adminId)).result, true);
    });

    it('the last way to sign in of the last administrator stays', async () => {
      const id = await create('last', { emailAddress: `${fresh('last')}@example.org`, isEmailConfirmed: true });
      assert.equal((await act('InactivateUser', adminId)).result, true);
      const refused = async (answer: Promise<TestAnswer>) =>
        assertRefused(await answer, 400, 'account.lastAdministrator');
      await refused(update(id, { emailAddress: null }));
      await refused(update(id, { emailAddress: `${fresh('other')}@example.org` }));
      await refused(update(id, { isEmailConfirmed: false }));
      await addLogin(id, 'Acme');
      assert.equal((await update(id, { isEmailConfirmed: false })).status, 200);
      const { items } = (await there.get(`${API}/User/GetExternalLogins`, { token: root.token, query: { userId: id } }))
        .result;
      const removeLogin = () => act('RemoveExternalLogin', id, { id: items[0]?.id });
      await refused(removeLogin());
      await enrollPasskey(here.service, createDevice(), id);
      assert.equal((await removeLogin()).result, true);
      await refused(act('ResetFactors', id));
      assert.equal((await setPassword(id)).result, true);
      assert.equal((await act('ResetFactors', id)).result, true);
      assert.equal((await update(id, { surname: 'Still here' })).status, 200);
    });

    it('a provider with which alone the last administrator signs in stays', async () => {
      const provider = await addProvider(fresh('Hub'));
      const id = await create('hub');
      await addLogin(id, fresh('Hub'));
      assert.equal((await act('InactivateUser', adminId)).result, true);
      for (const take of [provider.disable, provider.remove])
        assertRefused(await take(), 400, 'account.lastAdministrator');
      await enrollPasskey(here.service, createDevice(), id);
      assert.equal((await provider.disable()).status, 200);
      // It gives no way to sign in while it is disabled.
      assertRefused(await act('ResetFactors', id), 400, 'account.lastAdministrator');
      assert.equal((await provider.turn(true)).status, 200);
      assert.equal((await act('ResetFactors', id)).result, true);
      await setPassword(id);
      assert.equal((await provider.remove()).status, 200);
    });

    for (const take of ['disable', 'remove'] as const) {
      it(`one of two providers stays when administrators ${take} both at once`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          count += 1;
          const both = [await addProvider(fresh('One')), await addProvider(fresh('Two'))];
          const id = await create('both');
          for (const one of ['One', 'Two']) await addLogin(id, fresh(one));
          await act('InactivateUser', adminId);
          const answers = await Promise.all(both.map((one, index) => one[take](index === 0 ? here : there)));
          assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
          await restore();
          for (const one of both) await one.remove();
        }
      });
    }

    it('nobody removes the own passkey while it is the last way to sign in', async () => {
      const id = await create('key');
      const device = createDevice();
      const passkey = await enrollPasskey(here.service, device, id);
      const { result: options } = await there.post('/api/TokenAuth/GetPasskeyOptions');
      const { result } = await there.post('/api/TokenAuth/PasskeyAuthenticate', { body: device.get(options) });
      const token = result.accessToken ?? assert.fail('not signed in');
      const removeKey = () => there.post(`${API}/Passkey/Remove`, { token, body: { id: passkey } });
      assertRefused(await removeKey(), 400, 'passkey.lastWayToSignIn');
      await update(id, { emailAddress: `${fresh('key')}@example.org`, isEmailConfirmed: true });
      assert.equal((await removeKey()).result, true);
    });

    it('nobody deactivates or deletes the own account', async () => {
      const other = await accounts.add(ADMINISTRATOR);
      const own = { id: other.id, token: await accounts.open(other) };
      for (const { id, token } of [own, root]) {
        for (const [way, shutOut] of Object.entries(ways)) {
          assertRefused(await shutOut(id, token), 403, 'permission.denied', way);
        }
        assert.equal((await there.get(`${API}/Session/GetAll`, { token })).status, 200);
      }
      assert.equal((await ways.delete?.(other.id))?.status, 200);
    });

    for (const [way, shutOut] of Object.entries({ ...ways, strip })) {
      it(`one administrator who can sign in stays when several ${way} each other concurrently`, async () => {
        const unable = [await create('unable'), await create('powerless')];
        for (let round = 0; round < ROUNDS; round += 1) {
          const able = [await accounts.add(ADMINISTRATOR), await accounts.add(ADMINISTRATOR)].map(({ id }) => id);
          const tokens = [root.token, ...(await Promise.all(able.map((id) => accounts.open({ id, userName: '' }))))];
          await act('InactivateUser', adminId);
          const ids = [...able, ...unable];
          const answers = await Promise.all(tokens.flatMap((token) => ids.map((id) => shutOut(id, token))));
          for (const { status, text } of answers) assert.ok(status < 500, text);
          const { service } = here;
          const left = await service.accounts.findActiveByRole(service.database.sql, 'Administrator');
          assert.equal(left.filter((id) => able.includes(id)).length, 1, JSON.stringify({ able, left }));
          assert.ok(answers.some(({ error }) => error?.reason === 'account.lastAdministrator'));
          await restore();
        }
      });
    }
  });
}
