// Who must have a second factor, what such a session may do, and that enrolling stays possible under every policy.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { useFactors } from '../support/factors.ts';
import { claimsOf } from '../support/forge.ts';
import { ADMIN_PASSWORD, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const NEW_PASSWORD = 'another lantern of gravel';

/** The calls with a token that a session may make before a required second factor is enrolled. */
const WHILE_RESTRICTED = [
  `${API}/Authenticator/Begin`,
  `${API}/Authenticator/Confirm`,
  `${API}/Passkey/GetRegistrationOptions`,
  `${API}/Passkey/Register`,
  `${API}/User/ChangePassword`,
];

for (const [name, start] of Object.entries(setUps)) {
  describe(`a required second factor on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let factors: ReturnType<typeof useFactors>;
    let userName: string;
    let id: number;
    let count = 0;

    before(async () => {
      setUp = await start();
      here = setUp.here;
      factors = useFactors(setUp);
      const front = { appKey: 'clinic', name: 'Clinic', description: '' };
      await here.post(`${API}/FrontEndApp/Create`, { token: await here.admin(), body: front });
      await setUp.there.service.frontEnds.load();
    });
    after(() => setUp.close());
    beforeEach(async () => {
      await loosen();
      count += 1;
      userName = `person${count}`;
      id = await here.createUser(userName);
    });

    /** Puts the policy back from the command line: an administrator may be restricted just now. */
    async function loosen() {
      const { service } = here;
      const { operator } = await import('../../src/app/first-start.ts');
      const value = { passkeys: false, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };
      await service.settings.update('Latchkey.Factors', '', value, operator('test'));
      for (const frontEnd of ['default-app', 'clinic']) {
        await service.settings.reset('Latchkey.Factors.SecondFactor', frontEnd, operator('test'));
      }
      await Promise.all([here, setUp.there].map((node) => node.service.settings.load()));
    }
    const sessions = (token: string) => here.get(`${API}/Session/GetAll`, { token });
    const refresh = async (token: string) => {
      const answer = await setUp.there.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assert.equal(answer.status, 200, answer.text);
      return answer.result.accessToken;
    };
    const at = (frontEnd: string) => ({ 'sha-frontend-application': frontEnd });
    const reload = async () => {
      await setUp.there.service.settings.load();
      await setUp.there.service.frontEnds.load();
    };
    async function register(appKey: string) {
      const body = { appKey, name: 'Shop' };
      const { result } = await here.post(`${API}/FrontEndApp/Create`, { token: await here.admin(), body });
      await reload();
      return result;
    }
    async function rename(frontEndId: string, appKey: string) {
      const body = { id: frontEndId, appKey };
      const answer = await here.send('PUT', `${API}/FrontEndApp/Update`, { token: await here.admin(), body });
      assert.equal(answer.status, 200, answer.text);
      await reload();
    }

    it('restricts a session to enrolling until there is one', async () => {
      await factors.allow({}, 'required', 'default-app');
      const { result } = await factors.signIn(userName);
      const token = result.accessToken;
      assert.equal(claimsOf(token).acr, 'aal1');
      const open = here.service.routes.filter(({ access }) => access !== 'public' && access !== 'bearer');
      for (const { method, path } of open.filter((route) => !WHILE_RESTRICTED.includes(route.path))) {
        assertRefused(await here.send(method, path, { token }), 403, 'factor.enrollmentRequired', path);
      }
      const lax = { token, headers: at('clinic') };
      assertRefused(await here.get(`${API}/Session/GetAll`, lax), 403, 'factor.enrollmentRequired');
      const { user } = (await here.get(`${API}/Session/GetCurrentLoginInfo`, { token })).result;
      assert.equal(user?.userName, userName);
      const refreshed = await refresh(token);
      assertRefused(await sessions(refreshed), 403, 'factor.enrollmentRequired');
      const app = await factors.enroll(refreshed);
      assert.equal((await sessions(refreshed)).status, 200);
      const later = await refresh(refreshed);
      assert.equal(claimsOf(later).acr, 'aal1', 'enrolling raises no session');
      assert.equal((await sessions(later)).status, 200);
      const { accessToken } = await factors.signInWithBoth(userName, app);
      assert.equal(claimsOf(accessToken).acr, 'aal2');
    });

    it('is told by the sign-in and by the current user, and what is offered is told to every caller', async () => {
      const readUser = async (token: string | null) =>
        (await setUp.there.get(`${API}/Session/GetCurrentLoginInfo`, { token })).result.user;
      const free = (await factors.signIn(userName)).result;
      assert.equal(free.requiredFactorEnrollment, undefined);
      assert.equal((await readUser(free.accessToken))?.requireFactorEnrollment, false);
      await factors.allow({}, 'required', 'default-app');
      const restricted = (await factors.signIn(userName)).result;
      assert.equal(restricted.requiredFactorEnrollment, true);
      assert.equal((await readUser(restricted.accessToken))?.requireFactorEnrollment, true);
      await factors.enroll(restricted.accessToken ?? '');
      assert.equal((await readUser(restricted.accessToken))?.requireFactorEnrollment, false);
      const offered = await here.get(`${API}/Settings/GetValue`, { query: { name: 'Latchkey.Factors' } });
      assert.partialDeepStrictEqual(offered.result, { passkeys: false, authenticator: true });
    });

    it('gives nothing to other restricted sessions when the owner enrolls', async () => {
      await factors.allow({}, 'required', 'default-app');
      const attacker = (await factors.signIn(userName)).result.accessToken;
      const owner = (await factors.signIn(userName)).result.accessToken;
      await factors.enroll(owner);
      assertRefused(await sessions(attacker), 401, 'token.revoked');
      assert.equal((await setUp.there.post('/api/TokenAuth/RefreshTokenAsync', { token: attacker })).status, 401);
      assert.equal((await sessions(owner)).status, 200);
    });

    it('applies to open sessions at their next refresh, and no longer when the policy ends', async () => {
      const token = await here.signIn(userName);
      await factors.allow({}, 'required', 'default-app');
      assert.equal((await sessions(token)).status, 200);
      const restricted = await refresh(token);
      assertRefused(await sessions(restricted), 403, 'factor.enrollmentRequired');
      await loosen();
      assert.equal((await sessions(await refresh(restricted))).status, 200);
    });

    it('applies at the front end that requires it, and default-app’s policy at every one', async () => {
      await factors.allow({}, 'required', 'clinic');
      const strict = (await factors.signIn(userName, {}, at('clinic'))).result.accessToken;
      assertRefused(await sessions(strict), 403, 'factor.enrollmentRequired');
      assert.equal((await sessions(await here.signIn(userName))).status, 200);
      await factors.allow({}, 'optional', 'clinic');
      await factors.allow({}, 'required', 'default-app');
      const named = (await factors.signIn(userName, {}, at('clinic'))).result.accessToken;
      assertRefused(await sessions(named), 403, 'factor.enrollmentRequired');
    });

    it('stays with the sessions of a front end whose key changes, until another one has the key', async () => {
      const [first, second, third] = [`shop${count}`, `store${count}`, `market${count}`];
      const { id: shop } = await register(first);
      await here.set('Latchkey.Factors.SecondFactor', 'required', first);
      let token = (await factors.signIn(userName, {}, at(first))).result.accessToken;
      for (const appKey of [second, third, first, second]) {
        await rename(shop, appKey);
        token = await refresh(token);
        assertRefused(await sessions(token), 403, 'factor.enrollmentRequired', appKey);
      }
      await here.set('Latchkey.Factors.SecondFactor', 'optional', second);
      token = await refresh(token);
      assert.equal((await sessions(token)).status, 200, 'a later value applies too');
      await here.set('Latchkey.Factors.SecondFactor', 'required', second);
      const later = (await factors.signIn(userName, {}, at(second))).result.accessToken;
      await register(first);
      assert.equal((await sessions(await refresh(token))).status, 200, 'another front end has the key');
      assertRefused(await sessions(await refresh(later)), 403, 'factor.enrollmentRequired');
    });

    it('ends with its front end, also for sessions under a former key', async () => {
      const { id: shop } = await register(`shop${count}`);
      await here.set('Latchkey.Factors.SecondFactor', 'required', `shop${count}`);
      const token = (await factors.signIn(userName, {}, at(`shop${count}`))).result.accessToken;
      await rename(shop, `store${count}`);
      const query = { id: shop };
      const removed = await here.send('DELETE', `${API}/FrontEndApp/Delete`, { token: await here.admin(), query });
      assert.equal(removed.status, 200);
      await reload();
      assert.equal((await sessions(await refresh(token))).status, 200);
    });

    it('stays with a sign-in that is under way while the key of its front end changes', async () => {
      const app = await factors.enroll(await here.signIn(userName));
      const { id: shop } = await register(`shop${count}`);
      await here.set('Latchkey.Factors.SecondFactor', 'required', `shop${count}`);
      const { challengeToken } = (await factors.signIn(userName, {}, at(`shop${count}`))).result;
      await rename(shop, `store${count}`);
      const { accessToken } = (await factors.verify(challengeToken ?? '', factors.nextCode(app))).result;
      assert.equal((await sessions(accessToken)).status, 200);
      await here.service.database.transaction((tx) => here.service.enrolledFactors.removeAll(tx, id));
      assertRefused(await sessions(await refresh(accessToken)), 403, 'factor.enrollmentRequired');
    });

    it('is asked of no trusted device when the key of its front end changes, and again at another front end of the key', async () => {
      const [first, second] = [`shop${count}`, `store${count}`];
      const app = await factors.enroll(await here.signIn(userName));
      await factors.allow({ trustedDeviceDays: 30 });
      const { id: shop } = await register(first);
      const { challengeToken } = (await factors.signIn(userName, {}, at(first))).result;
      const trusted = await factors.verify(challengeToken ?? '', factors.nextCode(app), { rememberClient: true });
      const device = { twoFactorRememberClientToken: trusted.result.twoFactorRememberClientToken };
      const isAsked = async (appKey: string) => {
        const { status, result, text } = await factors.signIn(userName, device, at(appKey));
        assert.equal(status, 200, text);
        return result.requiresTwoFactorVerification;
      };
      await rename(shop, second);
      assert.equal(await isAsked(second), false);
      const { id: later } = await register(first);
      assert.deepEqual([await isAsked(first), await isAsked(second)], [true, false]);
      await rename(later, `kiosk${count}`);
      assert.equal(await isAsked(second), false, 'the devices of another front end stay with it');
      const query = { id: shop };
      await here.send('DELETE', `${API}/FrontEndApp/Delete`, { token: await here.admin(), query });
      await register(second);
      assert.equal(await isAsked(second), true);
    });

    it('comes after a required change of password, and both sessions can do what either needs', async () => {
      const token = await here.admin();
      const body = { userId: id, newPassword: NEW_PASSWORD };
      assert.equal((await here.post(`${API}/User/ResetPassword`, { token, body })).status, 200);
      await factors.allow({}, 'required', 'default-app');
      const own = (await factors.signIn(userName, { password: NEW_PASSWORD })).result.accessToken;
      assertRefused(await sessions(own), 403, 'password.changeRequired');
      const change = { currentPassword: NEW_PASSWORD, newPassword: USER_PASSWORD };
      assert.equal((await here.post(`${API}/User/ChangePassword`, { token: own, body: change })).status, 200);
      assertRefused(await sessions(own), 403, 'factor.enrollmentRequired');
      await factors.enroll(own);
      assert.equal((await sessions(own)).status, 200);
    });

    it('never locks out the last administrator: enrolling stays possible', async () => {
      for (const policy of [() => factors.allow({ requireForPermissions: true }), requireEverywhere]) {
        await policy();
        let admin = await here.signIn('admin', ADMIN_PASSWORD);
        assertRefused(await here.get(`${API}/User/GetAll`, { token: admin }), 403, 'factor.enrollmentRequired');
        const app = await factors.enroll(admin, ADMIN_PASSWORD);
        assert.equal((await here.get(`${API}/User/GetAll`, { token: admin })).status, 200);
        admin = await factors.prove(admin, app);
        const removal = { token: admin, body: { currentPassword: ADMIN_PASSWORD } };
        assert.equal((await here.post(`${API}/Authenticator/Remove`, removal)).result, true);
        const restricted = await refresh(admin);
        assertRefused(await here.get(`${API}/User/GetAll`, { token: restricted }), 403, 'factor.enrollmentRequired');
        await loosen();
      }
    });

    const requireEverywhere = () => factors.allow({}, 'required', 'default-app');

    it('applies to accounts with permissions only, and from the next call after they have one', async () => {
      const admin = await here.admin();
      const update = async (path: string, body: object) => {
        const { status, text } = await here.send('PUT', `${API}/${path}`, { token: admin, body });
        assert.equal(status, 200, text);
      };
      const role = { name: `Clerk${count}`, displayName: '', description: '', grantedPermissions: [] };
      const created = await here.post(`${API}/Role/Create`, { token: admin, body: role });
      assert.equal(created.status, 200, created.text);
      await here.createUser(`${userName}x`);
      const bystander = await here.signIn(`${userName}x`);
      await here.createUser(`${userName}y`, { roleNames: [role.name] });
      const enrolled = await here.signIn(`${userName}y`);
      await factors.enroll(enrolled);
      await factors.allow({ requireForPermissions: true });
      const ways: Record<string, () => Promise<void>> = {
        'a role that grants something': () => update('User/Update', { id, roleNames: ['UserManager'] }),
        'a role in another spelling': () => update('User/Update', { id, roleNames: ['uSERmANAGER'] }),
        'a permission of a role': async () => {
          await update('User/Update', { id, roleNames: [role.name, 'Nurse'] });
          const { id: roleId } = Object(created.result);
          await update('Role/Update', { id: roleId, grantedPermissions: ['books:read'] });
        },
      };
      for (const [what, gain] of Object.entries(ways)) {
        await update('User/Update', { id, roleNames: ['Nurse'] });
        const token = await here.signIn(userName);
        assert.equal((await sessions(token)).status, 200, what);
        await gain();
        for (const node of [setUp.there, here]) {
          const answer = await node.get(`${API}/Session/GetAll`, { token });
          assertRefused(answer, 403, 'factor.enrollmentRequired', what);
        }
        const restricted = await refresh(token);
        assertRefused(await sessions(restricted), 403, 'factor.enrollmentRequired', what);
        await factors.enroll(restricted);
        assert.equal((await sessions(restricted)).status, 200, what);
        await here.service.database.transaction((tx) => here.service.enrolledFactors.removeAll(tx, id));
      }
      // Those without a permission, and those with a second factor, are left alone.
      for (const token of [bystander, enrolled]) assert.equal((await sessions(token)).status, 200);
    });

    it('restricts no one for a role while it is not required', async () => {
      const token = await here.signIn(userName);
      const body = { id, roleNames: ['UserManager'] };
      const updated = await here.send('PUT', `${API}/User/Update`, { token: await here.admin(), body });
      assert.equal(updated.status, 200, updated.text);
      assert.equal((await sessions(token)).status, 200);
    });

    it('is not required while no account could enroll, and the settings refuse such a policy for permissions', async () => {
      const token = await here.admin();
      const value = { passkeys: false, authenticator: false, trustedDeviceDays: 0, requireForPermissions: true };
      const body = { name: 'Latchkey.Factors', value };
      const refused = await here.post(`${API}/Settings/UpdateValue`, { token, body });
      assertRefused(refused, 400, 'request.invalid');
      assert.deepEqual(refused.error.validationErrors?.[0]?.members, ['requireForPermissions']);
      await factors.allow({ authenticator: false }, 'required', 'default-app');
      assert.equal((await sessions(await here.signIn(userName))).status, 200);
    });
  });
}
