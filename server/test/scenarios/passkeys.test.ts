// Passkeys: registration, sign-in without a name, the second factor, names, removal, and required enrollment.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { markProven } from '../support/factors.ts';
import { claimsOf } from '../support/forge.ts';
import { createDevice, type Device } from '../support/passkeys.ts';
import { USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const PASSKEY = '/api/services/app/Passkey';
const AUTH = '/api/TokenAuth';

for (const [name, start] of Object.entries(setUps)) {
  describe(`passkeys on ${name}`, () => {
    let setUp: SetUp;
    let userName: string;
    let userId: number;
    let token: string;
    let device: Device;
    let count = 0;

    before(async () => {
      setUp = await start();
      await set({});
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      userName = `person${count}`;
      userId = await setUp.here.createUser(userName, { name: 'Thandi', surname: 'Khumalo' });
      token = await setUp.here.signIn(userName);
      device = createDevice();
    });

    async function set(more: object) {
      const value = { passkeys: true, authenticator: false, trustedDeviceDays: 0, requireForPermissions: false };
      await setUp.here.set('Latchkey.Factors', { ...value, ...more });
    }
    async function begin() {
      await markProven(setUp.here, token);
      const body = { currentPassword: USER_PASSWORD };
      const begun = await setUp.here.post(`${PASSKEY}/GetRegistrationOptions`, { token, body });
      assert.equal(begun.status, 200, begun.text);
      return begun.result;
    }
    async function register(passkeyName = 'my phone', on = device) {
      const body = { ...on.create(await begin()), name: passkeyName };
      const registered = await setUp.there.post(`${PASSKEY}/Register`, { token, body });
      assert.equal(registered.status, 200, registered.text);
      return registered.result;
    }
    async function signIn(on = device) {
      const options = await setUp.here.post(`${AUTH}/GetPasskeyOptions`);
      assert.equal(options.status, 200, options.text);
      return setUp.there.post(`${AUTH}/PasskeyAuthenticate`, { body: on.get(options.result) });
    }
    async function challenge() {
      const body = { userNameOrEmailAddress: userName, password: USER_PASSWORD };
      const { result } = await setUp.here.post(`${AUTH}/Authenticate`, { body });
      assert.equal(result.accessToken, null);
      return result;
    }

    it('are registered with a name, and recovery codes come with the first one', async () => {
      const first = await register();
      const { id, createdAt, recoveryCodes, ...rest } = first;
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.equal(createdAt, new Date(setUp.here.clock.now()).toISOString());
      assert.equal(recoveryCodes?.length, 10);
      assert.deepEqual(rest, { name: 'my phone', lastUsedAt: null, backedUp: true });
      const second = await register('my laptop', createDevice());
      assert.equal('recoveryCodes' in second, false);
    });

    it('ask the browser for a discoverable passkey that verifies its user', async () => {
      const { operationId, options } = await begin();
      const { challenge: _, user, ...rest } = options;
      assert.match(operationId, /^[0-9a-f-]{36}$/);
      assert.deepEqual([user.name, user.displayName], [userName, 'Thandi Khumalo']);
      assert.equal(Buffer.from(user.id, 'base64url').length, 32);
      assert.deepEqual(rest, {
        rp: { id: 'localhost', name: 'Latchkey' },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
        extensions: { credProps: true },
      });
      await register();
      const { excludeCredentials = [] } = (await begin()).options;
      assert.equal(excludeCredentials.length, 1);
    });

    it('sign in without a name, as two factors', async () => {
      await register();
      const answer = await signIn();
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.result.userId, userId);
      const { amr, acr, preferred_username } = claimsOf(answer.result.accessToken);
      assert.deepEqual([amr, acr, preferred_username], [['pop', 'user', 'mfa'], 'aal2', userName]);
      const [session] = (await setUp.here.service.sessions.listOpen(userId)).filter(
        ({ amr: [first] }) => first === 'pop',
      );
      assert.equal(session?.passkeyUsedAt, setUp.here.clock.now());
      const [passkey] = await setUp.here.service.passkeys.list(setUp.here.service.database.sql, userId);
      assert.equal(passkey?.lastUsedAt, setUp.here.clock.now());
    });

    it('sign in with keys of each algorithm, and of authenticators that do not count', async () => {
      for (const algorithm of ['ES256', 'RS256', 'EdDSA'] as const) {
        const key = createDevice({ algorithmIdentifiers: [algorithm], signCounterIncrement: 0 });
        await register(algorithm, key);
        for (let use = 0; use < 2; use += 1) assert.equal((await signIn(key)).status, 200, algorithm);
      }
    });

    it('are the second factor after a password', async () => {
      await register();
      const { challengeToken, twoFactorAuthProviders } = await challenge();
      assert.deepEqual(twoFactorAuthProviders, ['Passkey', 'RecoveryCode']);
      const { result: options } = await setUp.here.post(`${AUTH}/GetSecondFactorOptions`, { body: { challengeToken } });
      assert.equal(options.options.userVerification, 'preferred');
      assert.equal(options.options.allowCredentials?.length, 1);
      const body = { challengeToken, provider: 'Passkey', ...device.get(options) };
      const answer = await setUp.there.post(`${AUTH}/VerifySecondFactor`, { body });
      assert.equal(answer.status, 200, answer.text);
      const { amr, acr } = claimsOf(answer.result.accessToken);
      assert.deepEqual([amr, acr], [['pwd', 'pop', 'user', 'mfa'], 'aal2']);
      assertRefused(await setUp.here.post(`${AUTH}/VerifySecondFactor`, { body }), 401, 'factor.challengeInvalid');
    });

    it('need not verify the user as second factor', async () => {
      await register();
      const { challengeToken } = await challenge();
      const { result: options } = await setUp.here.post(`${AUTH}/GetSecondFactorOptions`, { body: { challengeToken } });
      const body = { challengeToken, provider: 'Passkey', ...device.forge(options, { flags: 1, userHandle: null }) };
      const answer = await setUp.there.post(`${AUTH}/VerifySecondFactor`, { body });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(claimsOf(answer.result.accessToken).amr, ['pwd', 'pop', 'mfa']);
    });

    it('authenticate again, which raises the session and replaces the password for five minutes', async () => {
      const { id } = await register();
      setUp.here.clock.advance(300);
      const { sid } = claimsOf(token);
      const remove = (body: object) => setUp.here.post(`${PASSKEY}/Remove`, { token, body: { id, ...body } });
      assertRefused(await remove({}), 403, 'factor.reauthenticationRequired');
      assertRefused(await remove({ currentPassword: USER_PASSWORD }), 403, 'factor.secondFactorRequired');
      const options = await setUp.here.post(`${AUTH}/GetReauthenticationOptions`, { token });
      assert.equal(options.result.options.userVerification, 'required');
      assert.equal(options.result.options.allowCredentials?.length, 1);
      const body = device.get(options.result);
      const answer = await setUp.there.post(`${AUTH}/Reauthenticate`, { token, body });
      assert.equal(answer.status, 200, answer.text);
      token = answer.result.accessToken;
      const claims = claimsOf(token);
      assert.deepEqual([claims.amr, claims.acr, claims.sid], [['pwd', 'pop', 'user', 'mfa'], 'aal2', sid]);
      assertRefused(await setUp.there.post(`${AUTH}/Reauthenticate`, { token, body }), 400, 'factor.invalid');
      const more = await setUp.here.post(`${PASSKEY}/GetRegistrationOptions`, { token, body: {} });
      assert.equal(more.status, 200, more.text);
      setUp.here.clock.advance(300);
      assertRefused(await remove({}), 403, 'factor.reauthenticationRequired');
      assertRefused(await remove({ currentPassword: USER_PASSWORD }), 403, 'factor.secondFactorRequired');
      token = (await signIn()).result.accessToken;
      assert.equal((await remove({ currentPassword: null })).status, 200);
    });

    it('are listed for their owner', async () => {
      const { recoveryCodes: _, ...first } = await register();
      await register('my laptop', createDevice());
      await signIn();
      const { passkeys, recoveryCodesLeft } = (await setUp.here.get('/api/services/app/Factor/GetAll', { token }))
        .result;
      assert.equal(recoveryCodesLeft, 10);
      const lastUsedAt = new Date(setUp.here.clock.now()).toISOString();
      assert.deepEqual(
        passkeys.find(({ id }) => id === first.id),
        { ...first, lastUsedAt },
      );
      assert.deepEqual(passkeys.map(({ name: shown }) => shown).toSorted(), ['my laptop', 'my phone']);
    });

    it('are renamed and removed, and the owner is notified', async () => {
      await setUp.here.createUser(`mail${count}`, { emailAddress: `mail${count}@example.com`, isEmailConfirmed: true });
      token = await setUp.here.signIn(`mail${count}`);
      const { id } = await register();
      const rename = { token, body: { id, name: 'old phone' } };
      assert.equal((await setUp.here.post(`${PASSKEY}/Rename`, rename)).result, true);
      const remove = { token, body: { id, currentPassword: USER_PASSWORD } };
      assert.equal((await setUp.there.post(`${PASSKEY}/Remove`, remove)).result, true);
      for (const [path, call] of [
        ['Rename', rename],
        ['Remove', remove],
      ] as const) {
        assertRefused(await setUp.here.post(`${PASSKEY}/${path}`, call), 404, 'passkey.notFound');
      }
      assertRefused(await signIn(), 401, 'factor.invalid');
      const told = async () =>
        (await setUp.here.deliver()).flatMap(({ to, text }) =>
          to === `mail${count}@example.com` ? text.match(/A passkey was .*\./g) : [],
        );
      assert.deepEqual(await told(), ['A passkey was added.']);
      setUp.here.clock.advance(300);
      await setUp.there.service.ownerNotices.sendWaiting();
      assert.deepEqual(await told(), ['A passkey was removed.']);
      const query = { maxResultCount: 100 };
      const { result } = await setUp.here.get('/api/services/app/Audit/GetAll', {
        token: await setUp.here.admin(),
        query,
      });
      const done = result.items.filter(({ action, outcome }) => action.startsWith('factor.') && outcome === 'success');
      assert.deepEqual(
        done.slice(0, 3).map(({ action, details }) => [action, details]),
        ['factor.passkeyRemoved', 'factor.passkeyRenamed', 'factor.passkeyRegistered'].map((action) => [
          action,
          { passkey: id },
        ]),
      );
      assert.equal((await setUp.here.signIn(`mail${count}`)).length > 0, true);
    });

    it('end a restriction to enrolling, without a change of the token', async () => {
      const appKey = `strict${count}`;
      const created = { token: await setUp.here.admin(), body: { appKey, name: 'Strict' } };
      assert.equal((await setUp.here.post('/api/services/app/FrontEndApp/Create', created)).status, 200);
      await setUp.here.set('Latchkey.Factors.SecondFactor', 'required', appKey);
      const answer = await setUp.here.post(`${AUTH}/Authenticate`, {
        body: { userNameOrEmailAddress: userName, password: USER_PASSWORD },
        headers: { 'sha-frontend-application': appKey },
      });
      token = answer.result.accessToken;
      const sessions = '/api/services/app/Session/GetAll';
      assertRefused(await setUp.here.get(sessions, { token }), 403, 'factor.enrollmentRequired');
      await register();
      assert.equal((await setUp.there.get(sessions, { token })).status, 200);
    });

    it('are neither asked for nor offered while they are switched off, and work again afterwards', async () => {
      const { id } = await register();
      const { result: options } = await setUp.here.post(`${AUTH}/GetPasskeyOptions`);
      const { challengeToken } = await challenge();
      await set({ passkeys: false });
      try {
        const own = { token, body: { currentPassword: USER_PASSWORD } };
        for (const [path, call] of [
          [`${AUTH}/GetPasskeyOptions`, {}],
          [`${AUTH}/PasskeyAuthenticate`, { body: device.get(options) }],
          [`${AUTH}/GetSecondFactorOptions`, { body: { challengeToken } }],
          [`${AUTH}/GetReauthenticationOptions`, { token }],
          [`${PASSKEY}/GetRegistrationOptions`, own],
        ] as const) {
          assertRefused(await setUp.there.post(path, call), 400, 'factor.disabled', path);
        }
        assert.equal((await setUp.here.signIn(userName)).length > 0, true);
        const renamed = await setUp.here.post(`${PASSKEY}/Rename`, { token, body: { id, name: 'kept' } });
        assert.equal(renamed.status, 200);
      } finally {
        await set({});
      }
      assert.equal((await signIn()).status, 200);
    });
  });
}
