// What administrators see and do about second factors of other accounts.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { type App, useFactors } from '../support/factors.ts';
import { type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const USER = `${API}/User`;

for (const [name, start] of Object.entries(setUps)) {
  describe(`administrators and second factors on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let factors: ReturnType<typeof useFactors>;
    let userName: string;
    let id: number;
    let token: string;
    let app: App;
    let count = 0;

    before(async () => {
      setUp = await start();
      here = setUp.here;
      factors = useFactors(setUp);
      await factors.allow({ trustedDeviceDays: 30 });
      await here.createUser('manager', { roleNames: ['UserManager'] });
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      userName = `person${count}`;
      id = await here.createUser(userName, { emailAddress: `${userName}@example.org`, isEmailConfirmed: true });
      token = await here.signIn(userName);
      app = await factors.enroll(token);
      await here.deliver();
    });

    const get = async (userId = id) => {
      const { status, text, result } = await here.get(`${USER}/Get`, {
        token: await here.admin(),
        query: { id: userId },
      });
      assert.equal(status, 200, text);
      return result;
    };
    const reset = (body: object, by: string) => here.post(`${USER}/ResetFactors`, { token: by, body });
    const entriesOf = async (action: string) => {
      const query = { action, maxResultCount: 100 };
      const { result } = await here.get(`${API}/Audit/GetAll`, { token: await here.admin(), query });
      return result.items.filter(({ userId }) => userId === id);
    };

    it('see what is set up, since when, and when it was last used', async () => {
      const enrolledAt = new Date(here.clock.now()).toISOString();
      await factors.signInWithBoth(userName, app, { rememberClient: true });
      const { factors: seen } = await get();
      const lastUsedAt = new Date(here.clock.now()).toISOString();
      assert.deepEqual(seen.authenticator, { enrolled: true, since: enrolledAt, lastUsedAt });
      assert.deepEqual([seen.recoveryCodesLeft, seen.lockedUntil, seen.mustEnroll], [10, null, false]);
      assert.equal(seen.trustedDevices.length, 1);
      const listed = await here.get(`${USER}/GetAll`, { token: await here.admin(), query: { keyword: userName } });
      assert.equal('factors' in (listed.result.items[0] ?? {}), false);
    });

    it('see the lock by wrong factors apart from the password’s, and end both', async () => {
      const challenge = await factors.challenge(userName);
      for (let n = 0; n < 5; n += 1) await factors.verify(challenge, factors.wrongCode(app));
      const locked = await get();
      assert.equal(locked.lockedUntil, null);
      assert.equal(locked.factors.lockedUntil, new Date(here.clock.now() + 300_000).toISOString());
      const body = { userId: id };
      assert.equal((await here.post(`${USER}/UnlockUser`, { token: await here.admin(), body })).result, true);
      assert.equal((await get()).factors.lockedUntil, null);
      assert.equal((await factors.verify(challenge, factors.nextCode(app))).status, 200);
    });

    it('see who lacks a required factor', async () => {
      const other = await here.createUser(`bare${count}`);
      assert.equal((await get(other)).factors.mustEnroll, false);
      const front = { appKey: `clinic${count}`, name: 'Clinic', description: '' };
      await here.post(`${API}/FrontEndApp/Create`, { token: await here.admin(), body: front });
      await factors.allow({ trustedDeviceDays: 30 }, 'required', front.appKey);
      assert.equal((await get(other)).factors.mustEnroll, true);
      assert.equal((await get()).factors.mustEnroll, false);
      await factors.allow({ authenticator: false });
      assert.equal((await get(other)).factors.mustEnroll, false, 'no account could enroll');
      await factors.allow({ passkeys: true, authenticator: false });
      assert.equal((await get()).factors.mustEnroll, true, 'the kind that is enrolled is switched off');
      await factors.allow({ trustedDeviceDays: 30 }, 'optional', front.appKey);
    });

    it('remove all factors with a reason, which the owner and the audit trail learn', async () => {
      // Five minutes after the notice of the enrollment, the next one is sent at once.
      here.clock.advance(300);
      const challenge = await factors.challenge(userName);
      for (let n = 0; n < 5; n += 1) await factors.verify(challenge, factors.wrongCode(app));
      const answer = await reset({ userId: id, reason: 'The phone was stolen.' }, await here.admin());
      assert.equal(answer.result, true, answer.text);
      const { factors: left } = await get();
      assert.deepEqual(
        [left.authenticator.enrolled, left.passkeys, left.recoveryCodesLeft, left.trustedDevices, left.lockedUntil],
        [false, [], 0, [], null],
      );
      assert.equal((await factors.signIn(userName)).result.requiresTwoFactorVerification, false);
      assert.equal((await here.get(`${API}/Session/GetAll`, { token })).status, 200, 'sessions stay open');
      const [message] = await here.deliver();
      assert.equal(message?.to, `${userName}@example.org`);
      assert.match(message?.text ?? '', /An administrator removed all second factors, passkeys and recovery codes\./);
      const [entry] = await entriesOf('account.factorsReset');
      assert.deepEqual(Object(entry?.details).reason, 'The phone was stolen.');
      assert.equal(Object(entry?.details).by, 'admin');
      const again = await factors.enroll(token);
      assert.notEqual(again.secret, app.secret);
    });

    it('tell no one of a reset that removed nothing', async () => {
      assert.equal((await reset({ userId: id }, await here.admin())).result, true);
      await here.deliver();
      assert.equal((await reset({ userId: id }, await here.admin())).result, true);
      assert.deepEqual(await here.deliver(), []);
      assert.equal((await entriesOf('account.factorsReset')).length, 1);
    });

    it('need the permission to reset passwords, and every permission that the account has', async () => {
      const body = { userId: id };
      assertRefused(await reset(body, token), 403, 'permission.denied');
      const manager = await here.signIn('manager');
      const admin = await here.service.accounts.findByName(here.service.database.sql, 'admin');
      assertRefused(await reset({ userId: admin?.id }, manager), 403, 'permission.denied');
      assertRefused(await reset({ userId: admin?.id }, await here.admin()), 403, 'permission.denied');
      assertRefused(await reset({ userId: 10_000_000 }, await here.admin()), 404, 'account.notFound');
      assertRefused(await reset({ userId: id, reason: 'x'.repeat(501) }, await here.admin()), 400, 'request.invalid');
      assert.equal((await get()).factors.authenticator.enrolled, true);
      assert.equal((await reset(body, manager)).result, true);
    });

    it('find each change of an owner in the audit trail, without a secret', async () => {
      token = await factors.prove(token, app);
      const body = { currentPassword: USER_PASSWORD };
      const { result } = await here.post(`${API}/RecoveryCode/Regenerate`, { token, body });
      const codes = result.recoveryCodes;
      const { twoFactorRememberClientToken } = await factors.signInWithBoth(userName, app, { rememberClient: true });
      await factors.signIn(userName, { twoFactorRememberClientToken });
      const [trusted] = await entriesOf('signIn.password');
      assert.deepEqual(trusted?.details, { trustedDevice: true });
      await here.post('/api/TokenAuth/Reauthenticate', { token, body: { code: factors.nextCode(app) } });
      for (const action of [
        'factor.authenticatorEnrolled',
        'factor.recoveryCodesReplaced',
        'signIn.challenged',
        'signIn.authenticator',
        'signIn.deviceTrusted',
        'signIn.reauthenticated',
      ]) {
        const [entry] = await entriesOf(action);
        assert.deepEqual([entry?.outcome, entry?.userId], ['success', id], action);
      }
      const everything = JSON.stringify(
        await here.service.database.sql.selectFrom('audit').select(['details', 'reason']).execute(),
      );
      for (const secret of [app.secret, ...app.codes, ...codes]) assert.equal(everything.includes(secret), false);
    });
  });
}
