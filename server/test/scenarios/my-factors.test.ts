// An account owner's second factors: list, recovery codes, trusted devices, removal, the proof that each change needs, and
// authenticating again.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { markProven, useFactors } from '../support/factors.ts';
import { claimsOf } from '../support/forge.ts';
import { createPerson, createTestProvider, linkBody } from '../support/providers.ts';
import { pinIn } from '../support/registration.ts';
import { USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const REAUTHENTICATE = '/api/TokenAuth/Reauthenticate';
const WRONG_PASSWORD = 'not the password at all';

for (const [name, start] of Object.entries(setUps)) {
  describe(`the second factors of an owner on ${name}`, () => {
    const acme = createTestProvider('Acme');
    let setUp: SetUp;
    let factors: ReturnType<typeof useFactors>;
    let userName: string;
    let token: string;
    let count = 0;

    before(async () => {
      setUp = await start({ additions: { providers: [acme.info] } });
      factors = useFactors(setUp);
      await factors.allow({ trustedDeviceDays: 30 });
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      userName = `person${count}`;
      const addresses = { emailAddress: `${userName}@example.org`, isEmailConfirmed: true };
      await setUp.here.createUser(userName, addresses);
      token = await setUp.here.signIn(userName);
      await setUp.here.deliver();
    });

    const call = (path: string, body: object, by = token) => setUp.here.post(`${API}/${path}`, { token: by, body });
    const regenerate = (body: object, by = token) =>
      setUp.here.post(`${API}/RecoveryCode/Regenerate`, { token: by, body });
    const reauthenticate = (body: object, by = token) => setUp.there.post(REAUTHENTICATE, { token: by, body });
    /** Signs in through the provider, which makes an account without a password of its own. */
    async function signInExternally() {
      const body = acme.proofOf(createPerson());
      const { status, text, result } = await setUp.here.post('/api/TokenAuth/ExternalAuthenticateAsync', { body });
      assert.equal(status, 200, text);
      return result.accessToken ?? assert.fail(text);
    }

    it('are listed with when they were set up and last used', async () => {
      const nothing = { enrolled: false, since: null, lastUsedAt: null };
      const empty = {
        passkeys: [],
        recoveryCodesLeft: 0,
        trustedDevices: [],
        mustEnroll: false,
        onlyFormerPasskeys: false,
      };
      assert.deepEqual(await factors.factorsOf(token), { authenticator: nothing, ...empty });
      const app = await factors.enroll(token);
      const since = new Date(setUp.here.clock.now()).toISOString();
      const unused = { enrolled: true, since, lastUsedAt: null };
      assert.deepEqual(await factors.factorsOf(token), { authenticator: unused, ...empty, recoveryCodesLeft: 10 });
      await factors.signInWithBoth(userName, app, { rememberClient: true });
      const { authenticator, trustedDevices } = await factors.factorsOf(token);
      const lastUsedAt = new Date(setUp.here.clock.now()).toISOString();
      assert.deepEqual(authenticator, { enrolled: true, since, lastUsedAt });
      assert.deepEqual(
        trustedDevices.map(({ name, lastUsedAt: used }) => [name, used]),
        [['lightMyRequest', lastUsedAt]],
      );
    });

    it('change only with password and second factor, and every change tells the owner what it was', async () => {
      const app = await factors.enroll(token);
      const changes = ['Authenticator/Begin', 'Authenticator/Remove', 'RecoveryCode/Regenerate'];
      for (const path of changes) {
        assertRefused(await call(path, { currentPassword: WRONG_PASSWORD }), 400, 'password.incorrect', path);
        for (const body of [{}, { currentPassword: null }]) {
          assertRefused(await call(path, body), 403, 'factor.reauthenticationRequired', path);
        }
        assertRefused(await call(path, { currentPassword: USER_PASSWORD }), 403, 'factor.secondFactorRequired', path);
      }
      token = await factors.prove(token, app);
      assert.equal((await call('RecoveryCode/Regenerate', { currentPassword: USER_PASSWORD })).status, 200);
      assert.equal((await call('Authenticator/Remove', { currentPassword: USER_PASSWORD })).result, true);
      assert.equal((await factors.factorsOf(token)).recoveryCodesLeft, 0);
      const [first, ...others] = await setUp.here.deliver();
      assert.deepEqual([first?.to, others], [`${userName}@example.org`, []]);
      assert.match(first?.text ?? '', /^ {4}An authenticator app was set up\.$/m);
      setUp.here.clock.advance(300);
      await setUp.there.service.ownerNotices.sendWaiting();
      const [{ text = '' } = {}] = await setUp.here.deliver();
      const more = [
        'New recovery codes were made. The former ones no longer work.',
        'The authenticator app was removed.',
      ];
      assert.ok(text.includes(`\n\n${more.join('\n')}\n\n`), text);
      assert.ok(app.codes.length === 10);
    });

    it('answer 400 to wrong proofs, also while a lock refuses them, so that clients stay signed in', async () => {
      const code = factors.wrongCode(await factors.enroll(token));
      for (let n = 0; n < 4; n += 1) {
        assertRefused(await reauthenticate({ code }), 400, 'factor.invalid');
        assertRefused(await reauthenticate({ password: WRONG_PASSWORD }), 400, 'password.incorrect');
      }
      for (const body of [{ code }, { password: WRONG_PASSWORD }, { password: USER_PASSWORD }]) {
        assertRefused(await reauthenticate(body), 400, 'signIn.lockedOut', body);
      }
      const locked = await call('Authenticator/Remove', { currentPassword: USER_PASSWORD });
      assertRefused(locked, 400, 'signIn.lockedOut');
      const { operationId } = await setUp.here.service.database.transaction(async (tx) => ({
        operationId: await setUp.here.service.factorOperations.begin(tx, 'enroll-authenticator', 1, 'nothing'),
      }));
      assertRefused(await factors.confirm(token, operationId, code), 403, 'factor.secondFactorRequired');
      await markProven(setUp.here, token);
      assertRefused(await factors.confirm(token, operationId, code), 400, 'factor.enrollmentEnded');
      assert.equal((await setUp.here.get(`${API}/Session/GetAll`, { token })).status, 200);
    });

    it('need no password for five minutes after a sign-in of an account that has none of its own', async () => {
      const own = await signInExternally();
      const signedInAt = setUp.here.clock.now();
      const app = await factors.enroll(own, null);
      assertRefused(await call('RecoveryCode/Regenerate', {}, own), 403, 'factor.secondFactorRequired');
      await markProven(setUp.here, own);
      setUp.here.clock.advance(299 - (setUp.here.clock.now() - signedInAt) / 1000);
      assert.equal((await call('RecoveryCode/Regenerate', {}, own)).status, 200);
      setUp.here.clock.advance(1);
      assertRefused(await call('RecoveryCode/Regenerate', {}, own), 403, 'factor.reauthenticationRequired');
      assertRefused(
        await call('Authenticator/Remove', { currentPassword: USER_PASSWORD }, own),
        400,
        'password.incorrect',
      );
      setUp.here.clock.advance(300);
      assertRefused(await call('RecoveryCode/Regenerate', {}, own), 403, 'factor.secondFactorRequired');
      const fresh = await factors.prove(own, app);
      assert.equal(
        (await call('RecoveryCode/Regenerate', {}, fresh)).status,
        200,
        'a code is a new authentication too',
      );
    });

    it('need no password for five minutes after a passkey was used in the session', async () => {
      const { id: sessionId } = (await setUp.here.get(`${API}/Session/GetAll`, { token })).result.items[0] ?? {};
      const { sql } = setUp.here.service.database;
      const use = { passkey_used_at: setUp.here.clock.now() };
      await sql
        .updateTable('session')
        .set(use)
        .where('id', '=', sessionId ?? '')
        .execute();
      await factors.enroll(token, null);
      setUp.here.clock.advance(300);
      assertRefused(await call('Authenticator/Remove', {}), 403, 'factor.reauthenticationRequired');
    });

    it('get new recovery codes only when there is a factor', async () => {
      const currentPassword = USER_PASSWORD;
      assertRefused(await call('RecoveryCode/Regenerate', { currentPassword }), 400, 'factor.notEnrolled');
      const former = await factors.enroll(token);
      token = await factors.prove(token, former);
      const { status, result } = await regenerate({ currentPassword });
      assert.equal(status, 200);
      const fresh = result.recoveryCodes;
      assert.equal(new Set([...former.codes, ...fresh]).size, 20);
      const useCode = async (code = '') =>
        factors.verify(await factors.challenge(userName), code, { provider: 'RecoveryCode' });
      for (const code of former.codes.slice(0, 3)) assertRefused(await useCode(code), 401, 'factor.invalid');
      const answer = await useCode(fresh[0]);
      assert.equal(claimsOf(answer.result.accessToken).acr, 'aal2');
    });

    it('tell the owner when a recovery code was used, and how many are left', async () => {
      const { codes } = await factors.enroll(token);
      await setUp.here.deliver();
      const use = async (code = '') =>
        factors.verify(await factors.challenge(userName), code, { provider: 'RecoveryCode' });
      assertRefused(await use('00000-00000'), 401, 'factor.invalid');
      assert.deepEqual(await setUp.here.deliver(), []);
      assert.equal((await use(codes[0])).status, 200);
      const [message, ...others] = await setUp.here.deliver();
      assert.deepEqual([message?.to, others], [`${userName}@example.org`, []]);
      assert.match(message?.text ?? '', /Recovery codes left: 9$/m);
      assert.equal(message?.text?.includes(codes[0] ?? ''), false);
    });

    it('keep recovery codes while a factor remains whose kind is switched off', async () => {
      const app = await factors.enroll(token);
      await addPasskey();
      token = await factors.prove(token, app);
      assert.equal((await call('Authenticator/Remove', { currentPassword: USER_PASSWORD })).result, true);
      assert.equal((await factors.factorsOf(token)).recoveryCodesLeft, 10);
      // The password alone must not make codes that count when the kind is switched on again.
      assertRefused(await regenerate({ currentPassword: USER_PASSWORD }), 400, 'factor.notEnrolled');
    });

    it('ask a trusted device for no second factor until the owner removes it', async () => {
      const app = await factors.enroll(token);
      const { twoFactorRememberClientToken: device } = await factors.signInWithBoth(userName, app, {
        rememberClient: true,
      });
      const remembered = () => factors.signIn(userName, { twoFactorRememberClientToken: device });
      const inline = { twoFactorVerificationCode: factors.nextCode(app), rememberClient: true };
      assert.match((await factors.signIn(userName, inline)).result.twoFactorRememberClientToken ?? '', /^[\w-]{43}$/);
      setUp.here.clock.advance(1);
      const { acr, amr } = claimsOf((await remembered()).result.accessToken);
      assert.deepEqual([acr, amr], ['aal1', ['pwd']]);
      const [listed] = (await factors.factorsOf(token)).trustedDevices;
      const other = await setUp.here.admin();
      assertRefused(await call('TrustedDevice/Remove', { id: listed?.id }, other), 404, 'factor.deviceNotFound');
      assert.equal((await call('TrustedDevice/Remove', { id: listed?.id?.toUpperCase() })).result, true);
      assertRefused(await call('TrustedDevice/Remove', { id: listed?.id }), 404, 'factor.deviceNotFound');
      assert.equal((await remembered()).result.requiresTwoFactorVerification, true);
      assert.equal((await factors.factorsOf(token)).authenticator.enrolled, true);
    });

    it('raise a session by a code, and never by the password', async () => {
      const app = await factors.enroll(token);
      const before = claimsOf(token);
      assert.equal(before.acr, 'aal1');
      const byPassword = await reauthenticate({ password: USER_PASSWORD });
      const fresh = claimsOf(byPassword.result.accessToken);
      assert.deepEqual([fresh.acr, fresh.amr, fresh.sid], ['aal1', ['pwd'], before.sid]);
      assert.equal(fresh.auth_time, Math.floor(setUp.here.clock.now() / 1000));
      assert.ok(Number(fresh.auth_time) > Number(before.auth_time));
      assertRefused(await setUp.here.get(`${API}/Session/GetAll`, { token }), 401, 'token.revoked');
      const code = factors.nextCode(app);
      const byCode = await reauthenticate({ code }, byPassword.result.accessToken);
      const raised = claimsOf(byCode.result.accessToken);
      assert.deepEqual([raised.acr, raised.amr], ['aal2', ['pwd', 'otp', 'mfa']]);
      const again = await setUp.here.post('/api/TokenAuth/RefreshTokenAsync', { token: byCode.result.accessToken });
      const { acr, amr, auth_time: at } = claimsOf(again.result.accessToken);
      assert.deepEqual([acr, amr, at], ['aal2', raised.amr, raised.auth_time]);
      assertRefused(await reauthenticate({ code }, again.result.accessToken), 400, 'factor.invalid');
    });

    it('take one proof to authenticate again, and none that the settings switch off', async () => {
      const app = await factors.enroll(token);
      for (const body of [{}, { password: null }, { password: USER_PASSWORD, code: '123456' }]) {
        assertRefused(await reauthenticate(body), 400, 'request.invalid', body);
      }
      await factors.allow({ authenticator: false });
      assertRefused(await reauthenticate({ code: factors.nextCode(app) }), 400, 'factor.disabled');
      assertRefused(await call('Authenticator/Begin', { currentPassword: USER_PASSWORD }), 400, 'factor.disabled');
      const { requiresTwoFactorVerification } = (await factors.signIn(userName)).result;
      assert.equal(requiresTwoFactorVerification, false);
      await factors.allow({ trustedDeviceDays: 30 });
      await factors.challenge(userName);
    });

    /** Asks for a pin to sign in with. */
    async function askPin(name = userName) {
      setUp.here.clock.advance(120);
      const body = { userNameOrMobileNo: name };
      const { result } = await setUp.here.post('/api/TokenAuth/OtpAuthenticateSendPin', { body });
      const sent = (await setUp.here.deliver()).find(({ text }) => /^ +\d{6}$/m.test(text));
      return { operationId: result.operationId, pin: pinIn(sent) };
    }

    it('renew a session by a pin, once, and by the linked provider, with the ways that the account has', async () => {
      const person = createPerson();
      const linked = await call('ExternalLogin/Link', linkBody(acme, person));
      assert.equal(linked.status, 200, linked.text);
      const ways = (by: string) => setUp.there.get(`${API}/Session/GetSignInWays`, { token: by });
      const all = { password: true, pin: true, passkey: false, providers: ['Acme'] };
      assert.deepEqual((await ways(token)).result, all);
      assert.deepEqual((await ways(await signInExternally())).result, { ...all, password: false });
      const { sid } = claimsOf(token);
      const given = await askPin();
      const byPin = (await reauthenticate(given)).result.accessToken;
      const times = [token, byPin].map((one) => Number(claimsOf(one).auth_time));
      assert.ok(Number(times[1]) > Number(times[0]));
      assert.deepEqual([claimsOf(byPin).sid, claimsOf(byPin).acr], [sid, 'aal1']);
      assertRefused(await ways(token), 401, 'token.revoked');
      assertRefused(await reauthenticate(given, byPin), 400, 'pin.invalid');
      const renewed = (await reauthenticate({ externalAccess: acme.proofOf(person) }, byPin)).result.accessToken;
      const { amr, acr, sid: same } = claimsOf(renewed);
      assert.deepEqual([amr, acr, same], [['pwd', 'otp', 'ext'], 'aal1', sid]);
    });

    it("renew nothing by another account's pin or identity, register no account, and count each wrong try", async () => {
      await setUp.here.createUser(`other${count}`, {
        emailAddress: `other${count}@example.org`,
        isEmailConfirmed: true,
      });
      const others = await askPin(`other${count}`);
      assertRefused(await reauthenticate(others), 400, 'pin.invalid');
      const stranger = createPerson();
      const users = async () =>
        (await setUp.here.service.database.sql.selectFrom('account').select('id').execute()).length;
      const before = await users();
      const access = { externalAccess: acme.proofOf(stranger) };
      assertRefused(await reauthenticate(access), 400, 'external.couldNotValidate');
      assert.equal(await users(), before);
      for (let n = 2; n < 4; n += 1) {
        assertRefused(await reauthenticate({ ...access }), 400, 'external.couldNotValidate');
      }
      assertRefused(await reauthenticate(access), 400, 'signIn.lockedOut');
      assertRefused(await reauthenticate({ password: USER_PASSWORD }), 400, 'signIn.lockedOut');
      assert.equal((await setUp.here.get(`${API}/Session/GetAll`, { token })).status, 200);
    });

    it('renew one session by one pin, however many give it at the same time, on both nodes', async () => {
      const tokens = [token];
      for (let n = 1; n < 4; n += 1) tokens.push(await setUp.here.signIn(userName));
      const given = await askPin();
      const answers = await Promise.all(
        tokens.map((by, n) =>
          (n % 2 === 0 ? setUp.here : setUp.there).post(REAUTHENTICATE, { token: by, body: given }),
        ),
      );
      const refused = answers.filter(({ status }) => status !== 200);
      assert.equal(refused.length, 3, answers.map(({ text }) => text).join());
      for (const answer of refused) assertRefused(answer, 400, 'pin.invalid');
    });

    /** Adds a row as a registration would, for a kind that stays switched off. */
    async function addPasskey() {
      const { sql } = setUp.here.service.database;
      const account = await sql.selectFrom('account').select('id').where('user_name', '=', userName).executeTakeFirst();
      const id = `passkey${count}`;
      const now = setUp.here.clock.now();
      await sql
        .insertInto('passkey')
        .values({
          id,
          account_id: account?.id ?? 0,
          credential_id: id,
          public_key: 'none',
          sign_count: 0,
          transports: '',
          rp_id: 'localhost',
          name: 'Phone',
          is_backed_up: 1,
          created_at: now,
          last_used_at: null,
        })
        .execute();
    }
  });
}
