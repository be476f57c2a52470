// Attacks on passkeys: forged, replayed and copied answers, answers to other operations, and registrations of others' keys.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { markProven } from '../support/factors.ts';
import {
  createDevice,
  type Device,
  type ForgedAssertion,
  type ForgedRegistration,
  type RequestOptions,
} from '../support/passkeys.ts';
import { often } from '../support/scale.ts';
import { type TestAnswer, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const PASSKEY = '/api/services/app/Passkey';
const AUTH = '/api/TokenAuth';
const AUTHENTICATE = `${AUTH}/Authenticate`;
const USER = '/api/services/app/User';
const RACERS = often(40, 200);
const MAX_PASSKEYS = 20;

const other = Buffer.alloc(32, 7).toString('base64url');

const forgeries: Record<string, ForgedAssertion> = {
  'of a page on another port': { origin: 'http://localhost:8081' },
  'of a page of another scheme': { origin: 'https://localhost:8080' },
  'of a page on a domain that begins with ours': { origin: 'http://localhost.example.com:8080' },
  'of a page in a frame of another origin': { crossOrigin: true },
  'of a page in a frame, which names the page around it': { topOrigin: 'https://example.com' },
  'for another relying party': { rpId: 'example.com' },
  'to another challenge': { challenge: other },
  'of another type': { type: 'webauthn.create' },
  'without presence of the user': { flags: 0b11100 },
  'that is backed up, though it cannot be': { flags: 0b10101 },
  'with another signature': { breakSignature: true },
  'with the user handle of another account': { userHandle: other },
};

const forgedRegistrations: Record<string, ForgedRegistration> = {
  'of a page on another port': { origin: 'http://localhost:8081' },
  'of a page in a frame of another origin': { crossOrigin: true },
  'of a page in a frame, which names the page around it': { topOrigin: 'https://example.com' },
  'for another relying party': { rpId: 'example.com' },
  'to another challenge': { challenge: other },
  'of another type': { type: 'webauthn.get' },
  'without presence of the user': { flags: 0b11100 },
  'without verification of the user': { flags: 0b11001 },
  'under another credential id': { id: other },
  'with a certificate': { attestation: 'certified' },
  'with a key that is no point of its curve': { publicKey: { [-2]: Buffer.alloc(32, 1) } },
  'with a key of RSA that is too short': {
    publicKey: { 1: 3, 3: -257, [-1]: Buffer.alloc(128, 255), [-2]: Buffer.from([1, 0, 1]) },
  },
};

/** Counts answers by their reason. */
function countReasons(answers: readonly TestAnswer[]) {
  const groups = Object.groupBy(answers, ({ status, error }) => error?.reason ?? String(status));
  return Object.fromEntries(Object.entries(groups).map(([reason, some = []]) => [reason, some.length]));
}

for (const [name, start] of Object.entries(setUps)) {
  describe(`attacks on passkeys on ${name}`, () => {
    let setUp: SetUp;
    let userName: string;
    let userId: number;
    let token: string;
    let device: Device;
    let count = 0;

    before(async () => {
      setUp = await start();
      const value = { passkeys: true, authenticator: false, trustedDeviceDays: 0, requireForPermissions: false };
      await setUp.here.set('Latchkey.Factors', value);
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      userName = `person${count}`;
      userId = await setUp.here.createUser(userName);
      token = await setUp.here.signIn(userName);
      device = createDevice();
    });

    const beginRegistration = async (own = token) => {
      await markProven(setUp.here, own);
      const call = { token: own, body: { currentPassword: USER_PASSWORD } };
      const begun = await setUp.here.post(`${PASSKEY}/GetRegistrationOptions`, call);
      assert.equal(begun.status, 200, begun.text);
      return begun.result;
    };
    const register = (answer: object, own = token) =>
      setUp.there.post(`${PASSKEY}/Register`, { token: own, body: { name: 'key', ...answer } });
    async function enroll(on = device, own = token) {
      const registered = await register(on.create(await beginRegistration(own)), own);
      assert.equal(registered.status, 200, registered.text);
      return registered.result;
    }
    const begin = async () => (await setUp.here.post(`${AUTH}/GetPasskeyOptions`)).result;
    const signIn = (answer: object, node = setUp.there) => node.post(`${AUTH}/PasskeyAuthenticate`, { body: answer });
    const signInByPassword = (password = USER_PASSWORD) =>
      setUp.here.post(AUTHENTICATE, { body: { userNameOrEmailAddress: userName, password } });
    const reauthenticate = (answer: object) => setUp.there.post(`${AUTH}/Reauthenticate`, { token, body: answer });
    async function challenge() {
      const { challengeToken } = (await signInByPassword()).result;
      const { result } = await setUp.here.post(`${AUTH}/GetSecondFactorOptions`, { body: { challengeToken } });
      return { challengeToken, options: result };
    }
    const verify = (challengeToken: string | undefined, answer: object) =>
      setUp.there.post(`${AUTH}/VerifySecondFactor`, { body: { challengeToken, provider: 'Passkey', ...answer } });

    describe('an assertion is refused', () => {
      for (const [what, forgery] of Object.entries(forgeries)) {
        it(`${what}, as sign-in and as second factor`, async () => {
          await enroll();
          const options = await begin();
          assertRefused(await signIn(device.forge(options, forgery)), 401, 'factor.invalid');
          const { challengeToken, options: second } = await challenge();
          assertRefused(await verify(challengeToken, device.forge(second, forgery)), 401, 'factor.invalid');
          // The operations are open still.
          assert.equal((await signIn(device.forge(options, {}))).status, 200);
          assert.equal((await verify(challengeToken, device.forge(second, { signCount: 1001 }))).status, 200);
        });
      }

      it('without verification of the user, or without user handle, as sign-in', async () => {
        await enroll();
        const options = await begin();
        for (const forgery of [{ flags: 0b11001 }, { userHandle: null }]) {
          assertRefused(await signIn(device.forge(options, forgery)), 401, 'factor.invalid');
        }
        assert.equal((await signIn(device.forge(options, {}))).status, 200);
      });

      it('under the id of a passkey of another account', async () => {
        await enroll();
        const victim = (await setUp.here.service.passkeys.list(setUp.here.service.database.sql, userId))[0];
        userName = `attacker${count}`;
        await setUp.here.createUser(userName);
        token = await setUp.here.signIn(userName);
        const own = createDevice();
        await enroll(own);
        const id = victim?.credentialId ?? '';
        assertRefused(await signIn(own.forge(await begin(), { id })), 401, 'factor.invalid');
        const { challengeToken, options } = await challenge();
        assertRefused(await verify(challengeToken, own.forge(options, { id })), 401, 'factor.invalid');
        // A right answer of the other account's passkey is no second factor of this one.
        assertRefused(await verify(challengeToken, device.forge(options, {})), 401, 'factor.invalid');
        assert.equal((await verify(challengeToken, own.forge(options, {}))).status, 200);
      });

      it('to an operation of another purpose or account, or under another operation id', async () => {
        await enroll();
        const options = await begin();
        const { challengeToken, options: second } = await challenge();
        const reauthentication = (await setUp.here.post(`${AUTH}/GetReauthenticationOptions`, { token })).result;
        const strange: Record<string, RequestOptions> = { second, reauthentication };
        for (const [what, other] of Object.entries(strange)) {
          assertRefused(await signIn(device.forge(other, {})), 401, 'factor.invalid', what);
        }
        assertRefused(await verify(challengeToken, device.forge(options, {})), 401, 'factor.invalid');
        assertRefused(await verify(challengeToken, device.forge(reauthentication, {})), 401, 'factor.invalid');
        const renamed = { ...device.forge(options, {}), operationId: second.operationId };
        assertRefused(await signIn(renamed), 401, 'factor.invalid');
        await setUp.here.createUser(`second${count}`);
        const elsewhere = createDevice();
        await enroll(elsewhere, await setUp.here.signIn(`second${count}`));
        assertRefused(await verify(challengeToken, elsewhere.forge(second, {})), 401, 'factor.invalid');
      });

      it('after five minutes, without counting as a failure', async () => {
        await enroll();
        const early = device.forge(await begin(), { signCount: 1 });
        setUp.here.clock.advance(299);
        assert.equal((await signIn(early)).status, 200);
        const late = device.forge(await begin(), { signCount: 2 });
        setUp.here.clock.advance(300);
        for (let turn = 0; turn < 6; turn += 1) assertRefused(await signIn(late), 401, 'factor.invalid');
        assert.equal((await signIn(device.forge(await begin(), { signCount: 3 }))).status, 200);
        await setUp.here.service.assertionOperations.deleteExpired();
        const { sql } = setUp.here.service.database;
        const rows = await sql.selectFrom('used_assertion').select('expires_at').execute();
        assert.ok(rows.every((row) => row.expires_at >= setUp.here.clock.now() - 60_000));
      });
    });

    describe('a reauthentication is refused', () => {
      const beginAgain = async () => (await setUp.here.post(`${AUTH}/GetReauthenticationOptions`, { token })).result;

      for (const [what, forgery] of Object.entries({
        ...forgeries,
        'without verification of the user': { flags: 1 },
      })) {
        it(what, async () => {
          await enroll();
          const options = await beginAgain();
          assertRefused(await reauthenticate(device.forge(options, forgery)), 400, 'factor.invalid');
          assert.equal((await reauthenticate(device.forge(options, {}))).status, 200);
        });
      }

      it('by a passkey of another account, and to an operation of another account', async () => {
        await enroll();
        const own = await beginAgain();
        await setUp.here.createUser(`second${count}`);
        token = await setUp.here.signIn(`second${count}`);
        const second = createDevice();
        await enroll(second);
        const options = await beginAgain();
        assertRefused(await reauthenticate(device.forge(options, {})), 400, 'factor.invalid');
        assertRefused(await reauthenticate(device.forge(own, {})), 400, 'factor.invalid');
        assertRefused(await reauthenticate(second.forge(own, {})), 400, 'factor.invalid');
        assertRefused(await reauthenticate(second.forge(await begin(), {})), 400, 'factor.invalid');
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => reauthenticate(second.forge(options, { signCount: 0 }))),
        );
        assert.equal(answers.filter(({ status }) => status === 200).length, 1);
        assert.equal(answers.filter(({ status }) => status >= 500 && status !== 503).length, 0);
      });
    });

    it('accepts one of many parallel uses of an assertion, and no replay', async () => {
      for (const signCount of [0, 7]) {
        userName = `racer${count}-${signCount}`;
        await setUp.here.createUser(userName);
        const racing = createDevice();
        await enroll(racing, await setUp.here.signIn(userName));
        const answer = racing.forge(await begin(), { signCount });
        const answers = await Promise.all(
          Array.from({ length: RACERS }, (_, turn) => signIn(answer, turn % 2 ? setUp.here : setUp.there)),
        );
        const {
          200: successes,
          'factor.invalid': refusals = 0,
          'service.unavailable': shed = 0,
        } = countReasons(answers);
        assert.deepEqual([successes, refusals + shed], [1, RACERS - 1], JSON.stringify(countReasons(answers)));
        for (let turn = 0; turn < 6; turn += 1) assertRefused(await signIn(answer), 401, 'factor.invalid');
        assert.equal((await signIn(racing.forge(await begin(), { signCount: signCount && 8 }))).status, 200);
      }
    });

    it('accepts one of many parallel second factors to one challenge', async () => {
      await enroll();
      const { challengeToken, options } = await challenge();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, turn) => verify(challengeToken, device.forge(options, { signCount: turn + 1 }))),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      assert.equal(answers.filter(({ status }) => status === 500).length, 0);
    });

    it('refuses a counter that does not rise, and records it', async () => {
      await enroll();
      const use = async (signCount: number) => signIn(device.forge(await begin(), { signCount }));
      assert.equal((await use(5)).status, 200);
      for (const signCount of [5, 4, 0]) assertRefused(await use(signCount), 401, 'factor.invalid');
      assert.equal((await use(6)).status, 200);
      const racing = await Promise.all(Array.from({ length: 8 }, () => use(7)));
      assert.equal(racing.filter(({ status }) => status === 200).length, 1);
      const query = { maxResultCount: 100, action: 'signIn.passkeyCounterBehind' };
      const trail = await setUp.here.get('/api/services/app/Audit/GetAll', { token: await setUp.here.admin(), query });
      const mine = trail.result.items.filter((entry) => entry.userId === userId);
      assert.ok(mine.length >= 3);
      assert.deepEqual(
        [...new Set(mine.map(({ outcome, reason }) => `${outcome} ${reason}`))],
        ['refused factor.invalid'],
      );
    });

    it('refuses a deactivated account, a removed passkey and a deleted account', async () => {
      const { id } = await enroll();
      const manage = async (path: string) =>
        setUp.here.post(`${USER}/${path}`, { token: await setUp.here.admin(), body: { userId } });
      const use = async (signCount: number) => signIn(device.forge(await begin(), { signCount }));
      assert.equal((await manage('InactivateUser')).status, 200);
      assertRefused(await use(1), 401, 'signIn.notActive');
      assert.equal((await manage('ActivateUser')).status, 200);
      assert.equal((await use(2)).status, 200);
      const pending = device.forge(await begin(), { signCount: 3 });
      token = (await use(4)).result.accessToken;
      const removed = await setUp.here.post(`${PASSKEY}/Remove`, {
        token,
        body: { id, currentPassword: USER_PASSWORD },
      });
      assert.equal(removed.status, 200, removed.text);
      assertRefused(await signIn(pending), 401, 'factor.invalid');
    });

    it('shares the lock of the account with its password, and clears the failures', async () => {
      await enroll();
      const fail = async (times: number) => {
        for (let turn = 0; turn < times; turn += 1) await signInByPassword('a wrong guess at it');
      };
      await fail(4);
      assert.equal((await signIn(device.forge(await begin(), { signCount: 1 }))).status, 200);
      await fail(4);
      assert.equal(
        (await signIn(device.forge(await begin(), { breakSignature: true }))).error.reason,
        'signIn.lockedOut',
      );
      const locked = await signIn(device.forge(await begin(), { signCount: 2 }));
      assertRefused(locked, 401, 'signIn.lockedOut');
      assert.equal(locked.headers['retry-after'], '300');
      setUp.here.clock.advance(300);
      assert.equal((await signIn(device.forge(await begin(), { signCount: 3 }))).status, 200);
    });

    describe('a registration', () => {
      for (const [what, forgery] of Object.entries(forgedRegistrations)) {
        it(`is refused ${what}`, async () => {
          const options = await beginRegistration();
          const { credential } = device.create(options);
          const forged = device.forgeRegistration(options, credential, forgery);
          assertRefused(await register(forged), 400, 'factor.invalid');
          assert.deepEqual(await setUp.here.service.passkeys.list(setUp.here.service.database.sql, userId), []);
          assert.equal((await register(device.forgeRegistration(options, credential, {}))).status, 200);
        });
      }

      it('may be attested by the new key itself', async () => {
        const options = await beginRegistration();
        const { credential } = device.create(options);
        assert.equal(
          (await register(device.forgeRegistration(options, credential, { attestation: 'self' }))).status,
          200,
        );
      });

      it('is refused for data that no authenticator makes', async () => {
        const { operationId, options } = await beginRegistration();
        const right = device.create({ operationId, options }).credential;
        const texts = ['AA', 'o2Nmb', Buffer.alloc(6000, 0x9f).toString('base64url'), right.response.clientDataJSON];
        for (const attestationObject of texts) {
          const credential = { ...right, response: { ...right.response, attestationObject } };
          assertRefused(await register({ operationId, credential }), 400, 'factor.invalid');
        }
        for (const clientDataJSON of ['AA', 'e30', 'bnVsbA', 'W10', 'MQ']) {
          const credential = { ...right, response: { ...right.response, clientDataJSON } };
          assertRefused(await register({ operationId, credential }), 400, 'factor.invalid');
        }
        for (const credential of [null, [], 'x', { ...right, id: 'not base64url' }, { ...right, response: {} }]) {
          assertRefused(await register({ operationId, credential }), 400, 'request.invalid');
        }
      });

      it('works once, and for the account that began it', async () => {
        const options = await beginRegistration();
        const answer = device.create(options);
        await setUp.here.createUser(`second${count}`);
        assertRefused(await register(answer, await setUp.here.signIn(`second${count}`)), 400, 'factor.enrollmentEnded');
        const answers = await Promise.all(Array.from({ length: 20 }, () => register(answer)));
        assert.deepEqual(countReasons(answers), { 200: 1, 'factor.enrollmentEnded': 19 });
        const late = createDevice().create(await beginRegistration());
        setUp.here.clock.advance(300);
        assertRefused(await register(late), 400, 'factor.enrollmentEnded');
      });

      it('ends with a newer one, a change of factors and a new password', async () => {
        const superseded = device.create(await beginRegistration());
        const newer = device.create(await beginRegistration());
        assertRefused(await register(superseded), 400, 'factor.enrollmentEnded');
        assert.equal((await register(newer)).status, 200);
        const { id } = await enroll(createDevice());
        const pending = createDevice().create(await beginRegistration());
        const body = { id, currentPassword: USER_PASSWORD };
        assert.equal((await setUp.here.post(`${PASSKEY}/Remove`, { token, body })).status, 200);
        assertRefused(await register(pending), 400, 'factor.enrollmentEnded');
        const last = createDevice().create(await beginRegistration());
        const change = { currentPassword: USER_PASSWORD, newPassword: 'another lantern of gravel' };
        assert.equal((await setUp.here.post(`${USER}/ChangePassword`, { token, body: change })).status, 200);
        assertRefused(await register(last), 400, 'factor.enrollmentEnded');
      });

      it('of a registered credential is refused, for its owner and for others', async () => {
        const options = await beginRegistration();
        const { credential } = device.create(options);
        assert.equal((await register(device.forgeRegistration(options, credential, {}))).status, 200);
        const again = device.forgeRegistration(await beginRegistration(), credential, {});
        assertRefused(await register(again), 409, 'passkey.duplicate');
        await setUp.here.createUser(`second${count}`);
        const thief = await setUp.here.signIn(`second${count}`);
        const stolen = device.forgeRegistration(await beginRegistration(thief), credential, {});
        assertRefused(await register(stolen, thief), 409, 'passkey.duplicate');
      });

      it('is refused under a name that no one can read', async () => {
        const { operationId, credential } = device.create(await beginRegistration());
        for (const name of ['', ' ', '\u3000', '\u200b', 'a\u0000b', 'a\nb', '\u0085', '\ud800', 'x'.repeat(101)]) {
          const body = { operationId, credential, name };
          const answer = await setUp.here.post(`${PASSKEY}/Register`, { token, body });
          assertRefused(answer, 400, 'request.invalid', JSON.stringify(name));
        }
        assert.equal((await register({ operationId, credential })).status, 200);
      });

      it('is refused when the account has 20 passkeys', async () => {
        for (let turn = 0; turn < MAX_PASSKEYS; turn += 1) await enroll(createDevice());
        const more = { token, body: { currentPassword: USER_PASSWORD } };
        assertRefused(await setUp.here.post(`${PASSKEY}/GetRegistrationOptions`, more), 400, 'passkey.tooMany');
      });

      it('needs the password, which counts towards the lock', async () => {
        const guess = { token, body: { currentPassword: 'a wrong guess at it' } };
        for (let turn = 0; turn < 4; turn += 1) {
          assertRefused(await setUp.here.post(`${PASSKEY}/GetRegistrationOptions`, guess), 400, 'password.incorrect');
        }
        assertRefused(await setUp.here.post(`${PASSKEY}/GetRegistrationOptions`, guess), 400, 'signIn.lockedOut');
      });
    });

    it('keeps the passkeys of others out of reach', async () => {
      const { id } = await enroll();
      await setUp.here.createUser(`second${count}`);
      const thief = await setUp.here.signIn(`second${count}`);
      const calls = { Rename: { id, name: 'mine' }, Remove: { id, currentPassword: USER_PASSWORD } };
      for (const [path, body] of Object.entries(calls)) {
        assertRefused(await setUp.here.post(`${PASSKEY}/${path}`, { token: thief, body }), 404, 'passkey.notFound');
      }
      assert.equal((await signIn(device.get(await begin()))).status, 200);
      assertRefused(
        await setUp.here.post(`${AUTH}/GetReauthenticationOptions`, { token: thief }),
        400,
        'factor.invalid',
      );
    });
  });
}
