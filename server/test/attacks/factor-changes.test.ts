// A factor guards the factors: what protects an account with a second factor changes only after the session has proven one
// in the last five minutes. The password alone changes nothing, in whatever session.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { type App, useFactors } from '../support/factors.ts';
import { claimsOf } from '../support/forge.ts';
import { createDevice, type Device, enrollPasskey, type RequestOptions, signInByPasskey } from '../support/passkeys.ts';
import { createPerson, createTestProvider, linkBody } from '../support/providers.ts';
import { often } from '../support/scale.ts';
import { USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const TOKEN = '/api/TokenAuth';
const QUESTION = '0191b6a8-7f00-7000-8000-000000000001';
const RACERS = often(12, 60);
const UNCONFIRMED = 'factor.secondFactorRequired';
const proof = { currentPassword: USER_PASSWORD };

for (const [name, start] of Object.entries(setUps)) {
  describe(`changes of factors on ${name}`, () => {
    const acme = createTestProvider('Acme');
    let setUp: SetUp;
    let factors: ReturnType<typeof useFactors>;
    let id: number;
    let userName: string;
    /** The session that enrolled the first factor. Enrolling raises no session. */
    let early: string;
    let app: App;
    let count = 0;

    before(async () => {
      setUp = await start({ additions: { providers: [acme.info] } });
      factors = useFactors(setUp);
      await setUp.here.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
      await setUp.here.set('Latchkey.SecurityQuestions', [{ id: QUESTION, question: 'Your first school?' }]);
      await setUp.here.set('Latchkey.OwnErasure', { isOffered: true });
    });
    after(() => setUp.close());
    beforeEach(async () => {
      await factors.allow({ passkeys: true, trustedDeviceDays: 30 });
      count += 1;
      userName = `person${count}`;
      id = await setUp.here.createUser(userName);
      early = await setUp.here.signIn(userName);
      app = await factors.enroll(early);
    });

    const post = (path: string, body: object, token: string) => setUp.here.post(path, { token, body });
    const regenerate = (token: string) => post(`${API}/RecoveryCode/Regenerate`, proof, token);
    const isOpen = async (token: string) => (await setUp.there.get(`${API}/Session/GetAll`, { token })).status === 200;
    const reauthenticate = async (token: string, body: object) => {
      const { status, result, text } = await setUp.there.post(`${TOKEN}/Reauthenticate`, { token, body });
      assert.equal(status, 200, text);
      return result.accessToken;
    };
    async function askAgain(device: Device, token: string) {
      return device.get((await setUp.here.post(`${TOKEN}/GetReauthenticationOptions`, { token })).result);
    }
    const challengeBy = async (device: Device) => {
      const challengeToken = await factors.challenge(userName);
      const { result } = await post(`${TOKEN}/GetSecondFactorOptions`, { challengeToken }, '');
      return { challengeToken, provider: 'Passkey', ...device.get(result as RequestOptions) };
    };

    /** Sessions with `aal1` of an account that has a second factor. */
    const weakSessions: Record<string, () => Promise<string>> = {
      'that enrolled it': async () => early,
      'of a trusted device': async () => {
        const { twoFactorRememberClientToken } = await factors.signInWithBoth(userName, app, { rememberClient: true });
        return (await factors.signIn(userName, { twoFactorRememberClientToken })).result.accessToken;
      },
      'from before its kind was switched on': async () => {
        await factors.allow({ authenticator: false, trustedDeviceDays: 30 });
        const token = await setUp.here.signIn(userName);
        await factors.allow({ passkeys: true, trustedDeviceDays: 30 });
        return token;
      },
      'that proved the password again': async () => reauthenticate(early, { password: USER_PASSWORD }),
    };

    /** What the password alone must not do. A new call that takes it fails here until it is listed. */
    const attacks: Record<string, object> = {
      'Authenticator/Begin': proof,
      'Authenticator/Remove': proof,
      'Passkey/GetRegistrationOptions': proof,
      'Passkey/Remove': { ...proof, id: QUESTION },
      'RecoveryCode/Regenerate': proof,
      'User/ChangeMyAddress': { ...proof, emailAddress: 'mallory@example.org' },
      'User/EraseMyAccount': proof,
      'User/SetMySecurityQuestions': { ...proof, answers: [{ questionId: QUESTION, answer: 'mine' }] },
      'ExternalLogin/Link': linkBody(acme, createPerson()),
      'ExternalLogin/LinkByCode': { ...proof, authProvider: 'Acme', request: 'x', state: 'x', code: 'x' },
    };
    /** What takes no password, and needs the second factor all the same. */
    const others = { 'ExternalLogin/Unlink': { id: QUESTION } };

    for (const [what, open] of Object.entries(weakSessions)) {
      it(`are refused to the password alone in a session ${what}`, async () => {
        const token = await open();
        assert.equal(claimsOf(token).acr, 'aal1');
        const { routes } = setUp.here.service;
        const taking = routes.filter(({ body }) => JSON.stringify(body ?? {}).includes('"currentPassword"'));
        // A new password is proven by the former one.
        const names = taking
          .map(({ path }) => path.slice(API.length + 1))
          .filter((one) => one !== 'User/ChangePassword');
        assert.deepEqual(new Set(names), new Set(Object.keys(attacks)));
        const before = await factors.factorsOf(token);
        for (const [path, body] of Object.entries({ ...attacks, ...others })) {
          assertRefused(await post(`${API}/${path}`, body, token), 403, UNCONFIRMED, path);
        }
        assert.deepEqual(await factors.factorsOf(token), before);
        const guess = await post(`${API}/RecoveryCode/Regenerate`, { currentPassword: 'a wrong guess at it' }, token);
        assertRefused(guess, 400, 'password.incorrect');
      });
    }

    it('are accepted for five minutes after each second factor, and a refresh gives no more time', async () => {
      const device = createDevice();
      await enrollPasskey(setUp.here.service, device, id);
      const code = app.codes[0] ?? '';
      const proofs: Record<string, () => Promise<string>> = {
        'a code': () => factors.prove(early, app),
        'a recovery code': () => reauthenticate(early, { recoveryCode: code }),
        'a passkey': async () => reauthenticate(early, await askAgain(device, early)),
        'a sign-in with a code': async () => (await factors.signInWithBoth(userName, app)).accessToken,
        'a sign-in with a recovery code': async () => {
          const challenge = await factors.challenge(userName);
          return (await factors.verify(challenge, app.codes[1] ?? '', { provider: 'RecoveryCode' })).result.accessToken;
        },
        'a sign-in with a passkey': () => signInByPasskey(setUp.here, device),
      };
      for (const [what, prove] of Object.entries(proofs)) {
        let token = await prove();
        assert.equal(claimsOf(token).acr, 'aal2');
        setUp.here.clock.advance(299);
        const begun = await post(`${API}/Passkey/GetRegistrationOptions`, proof, token);
        assert.equal(begun.status, 200, what);
        token = (await setUp.here.post(`${TOKEN}/RefreshTokenAsync`, { token })).result.accessToken;
        token = await reauthenticate(token, { password: USER_PASSWORD });
        setUp.here.clock.advance(1);
        assertRefused(await regenerate(token), 403, UNCONFIRMED, what);
        if (claimsOf(token).sid === claimsOf(early).sid) early = token;
      }
    });

    it('count a recovery code once, and wrong ones like other wrong factors', async () => {
      const [first = '', second = ''] = app.codes;
      const sql = setUp.here.service.database.sql;
      const again = (token: string, recoveryCode: string) => post(`${TOKEN}/Reauthenticate`, { recoveryCode }, token);
      const token = await reauthenticate(early, { recoveryCode: first.toUpperCase() });
      assert.deepEqual(claimsOf(token).amr, ['pwd', 'recovery', 'mfa']);
      assertRefused(await again(token, first), 400, 'factor.invalid');
      // The last one proves the second factor too.
      for (const code of app.codes.slice(2)) {
        await setUp.here.service.database.transaction((tx) => setUp.here.service.recoveryCodes.use(tx, id, code));
      }
      const last = await reauthenticate(token, { recoveryCode: second });
      assert.equal(await setUp.here.service.recoveryCodes.count(sql, id), 0);
      for (let guess = 0; guess < 4; guess += 1) assertRefused(await again(last, second), 400, 'factor.invalid');
      assert.equal((await regenerate(last)).status, 200);
      for (let guess = 0; guess < 4; guess += 1) assertRefused(await again(last, second), 400, 'factor.invalid');
      assertRefused(await again(last, second), 400, 'signIn.lockedOut');
    });

    it('complete only in a session that has proven the factor', async () => {
      const strong = await factors.prove(early, app);
      const weak = await (weakSessions['from before its kind was switched on']?.() ?? assert.fail());
      const { operationId, secret } = await factors.begin(strong);
      const code = factors.nextCode({ secret });
      assertRefused(await factors.confirm(weak, operationId, code), 403, UNCONFIRMED);
      const { result } = await post(`${API}/Passkey/GetRegistrationOptions`, proof, strong);
      const device = createDevice();
      const answer = { ...device.create(Object(result)), name: 'key' };
      assertRefused(await post(`${API}/Passkey/Register`, answer, weak), 403, UNCONFIRMED);
      setUp.here.clock.advance(299);
      assert.equal((await post(`${API}/Passkey/Register`, answer, strong)).status, 200);
    });

    it('end the other sessions with one factor when the first factor comes, and no stronger one', async () => {
      const strong = await factors.prove(early, app);
      assert.equal((await post(`${API}/Authenticator/Remove`, proof, strong)).result, true);
      const [own, other] = [await setUp.here.signIn(userName), await setUp.here.signIn(userName)];
      const next = await factors.enroll(own);
      assert.deepEqual(await Promise.all([own, other, strong].map(isOpen)), [true, false, true]);
      const late = await setUp.there.post(`${TOKEN}/RefreshTokenAsync`, { token: other });
      assertRefused(late, 401, 'token.revoked');
      // A second factor more ends nothing.
      const { twoFactorRememberClientToken } = await factors.signInWithBoth(userName, next, { rememberClient: true });
      const trusted = (await factors.signIn(userName, { twoFactorRememberClientToken })).result.accessToken;
      await registerPasskey(await factors.prove(own, next));
      assert.equal(await isOpen(trusted), true);
    });

    it('leave no session of a password that is given while the first factor comes', async () => {
      userName = `racer${count}`;
      id = await setUp.here.createUser(userName);
      const own = await setUp.here.signIn(userName);
      const { operationId, secret } = await factors.begin(own);
      const code = factors.nextCode({ secret });
      const signIns = Array.from({ length: RACERS }, (_, turn) =>
        factors.signIn(userName, {}, {}, turn % 2 ? setUp.here : setUp.there),
      );
      await Promise.race(signIns);
      const confirmed = await factors.confirm(own, operationId, code);
      const statuses = (await Promise.all(signIns)).map(({ status }) => status);
      assert.ok(statuses.every((status) => status === 200 || status === 503));
      assert.equal(confirmed.status, 200, confirmed.text);
      const open = await setUp.here.service.sessions.listOpen(id);
      assert.deepEqual(
        open.map((session) => session.id),
        [claimsOf(own).sid],
      );
    });

    it('end the sessions that a removed passkey has opened, and no others', async () => {
      const [lost, kept] = [createDevice(), createDevice()];
      const passkey = await enrollPasskey(setUp.here.service, lost, id);
      await enrollPasskey(setUp.here.service, kept, id);
      const opened = [await signInByPasskey(setUp.here, lost), await signInByPasskey(setUp.here, lost)];
      const answer = await setUp.there.post(`${TOKEN}/VerifySecondFactor`, { body: await challengeBy(lost) });
      opened.push(answer.result.accessToken);
      const others = [
        await signInByPasskey(setUp.here, kept),
        (await factors.signInWithBoth(userName, app)).accessToken,
        await reauthenticate(early, await askAgain(lost, early)),
      ];
      const remove = await post(`${API}/Passkey/Remove`, { ...proof, id: passkey }, others[0] ?? '');
      assert.equal(remove.result, true, remove.text);
      assert.deepEqual(await Promise.all([...opened, ...others].map(isOpen)), [false, false, false, true, true, true]);
    });

    it('leave no session of a passkey that is used while it is removed', async () => {
      const device = createDevice({ signCounterIncrement: 0 });
      const passkey = await enrollPasskey(setUp.here.service, device, id);
      const strong = await factors.prove(early, app);
      const options = await Promise.all(
        Array.from({ length: RACERS }, async () => (await setUp.here.post(`${TOKEN}/GetPasskeyOptions`)).result),
      );
      const answers = options.map((one) => device.get(one));
      const [removed] = await Promise.all([
        post(`${API}/Passkey/Remove`, { ...proof, id: passkey }, strong),
        ...answers.map((body, turn) =>
          (turn % 2 ? setUp.here : setUp.there).post(`${TOKEN}/PasskeyAuthenticate`, { body }),
        ),
      ]);
      assert.equal(removed.result, true, removed.text);
      const open = await setUp.here.service.sessions.listOpen(id);
      assert.deepEqual(
        open.filter(({ passkeyId }) => passkeyId !== null),
        [],
      );
    });

    async function registerPasskey(token: string) {
      const { result } = await post(`${API}/Passkey/GetRegistrationOptions`, proof, token);
      const body = { ...createDevice().create(Object(result)), name: 'key' };
      const registered = await post(`${API}/Passkey/Register`, body, token);
      assert.equal(registered.status, 200, registered.text);
    }
  });
}
