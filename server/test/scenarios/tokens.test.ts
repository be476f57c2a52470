// Tokens that can be revoked: sign in, read, refresh, sign off, on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { engines } from '../support/databases.ts';
import { ISSUER, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const SESSIONS = '/api/services/app/Session/GetAll';

for (const engine of engines) {
  describe(`tokens on ${engine}`, () => {
    let test: TestService;
    before(async () => {
      test = await startTestService(engine);
      await test.createUser('thandi', {
        name: 'Thandi',
        surname: 'Mokoena',
        emailAddress: 'Thandi@Example.com',
        roleNames: ['Clerk'],
      });
    });
    after(() => test.close());

    it('answers a sign-in as existing clients expect', async () => {
      const body = { userNameOrEmailAddress: 'thandi', password: USER_PASSWORD, rememberMe: false, other: 1 };
      const answer = await test.post(AUTHENTICATE, { body });
      assert.equal(answer.status, 200);
      const { accessToken, expireOn, personId, userId, ...rest } = answer.result;
      assert.deepEqual(rest, {
        encryptedAccessToken: null,
        expireInSeconds: 86_400,
        deviceName: null,
        resultType: 0,
        redirectUrl: null,
        redirectModule: null,
        redirectForm: null,
        requiredChangePassword: false,
        requiresTwoFactorVerification: false,
      });
      assert.match(expireOn, /^\d{4}-\d\d-\d\dT.*Z$/);
      assert.equal(typeof userId, 'number');
      assert.match(personId, /^[0-9a-f-]{36}$/);
      assert.equal(accessToken.split('.').length, 3);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['ratelimit-policy'], '"login";q=10;w=60');
      assert.equal(answer.headers.ratelimit, '"login";r=9;t=60');
    });

    it('signs in by every spelling of the user name and e-mail address', async () => {
      for (const name of ['THANDI', 'ｔｈａｎｄｉ', 'thandi@example.COM']) await test.signIn(name);
    });

    it('issues tokens that stock middleware verifies', async () => {
      await test.app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = test.app.server.address() as { port: number };
      const keys = createRemoteJWKSet(new URL(`http://127.0.0.1:${port}/.well-known/jwks.json`));
      const token = await test.signIn('thandi');
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: ISSUER,
        audience: 'latchkey',
        typ: 'at+jwt',
      });
      assert.deepEqual(Object.keys(protectedHeader), ['alg', 'typ', 'kid']);
      assert.equal(protectedHeader.alg, 'ES256');
      assert.deepEqual(payload.roles, ['Clerk']);
      assert.deepEqual(payload.amr, ['pwd']);
      assert.equal(payload.client_id, 'default-app');
      assert.equal(payload.preferred_username, 'thandi');
      assert.equal(payload.name, 'Thandi Mokoena');
      assert.equal(payload.email, 'Thandi@Example.com');
    });

    it('returns the signed-in account, and none for a revoked or absent token', async () => {
      const token = await test.signIn('thandi');
      const { result } = await test.get(WHO, { token });
      assert.equal(result.user?.fullName, 'Thandi Mokoena');
      assert.equal(result.user?.accountFound, true);
      assert.deepEqual(result.user?.grantedPermissions, []);
      for (const dead of [undefined, 'nonsense', `${token}x`]) {
        const answer = await test.get(WHO, { token: dead });
        assert.deepEqual([answer.status, answer.result.user], [200, null]);
      }
    });

    it('refreshes a token once, rebuilding its claims', async () => {
      const token = await test.signIn('thandi');
      const admin = await test.admin();
      const { user } = (await test.get(WHO, { token })).result;
      await test.send('PUT', '/api/services/app/User/Update', {
        token: admin,
        body: { id: user?.id, surname: 'Nkosi', roleNames: ['Boss'] },
      });
      const refreshed = await test.post(REFRESH, { token });
      assert.equal(refreshed.status, 200);
      assert.deepEqual(Object.keys(refreshed.result).toSorted(), ['accessToken', 'expireInSeconds', 'expireOn']);
      const [, payload = ''] = refreshed.result.accessToken.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      assert.deepEqual([claims.name, claims.roles], ['Thandi Nkosi', ['Boss']]);
      const again = await test.post(REFRESH, { token });
      assert.deepEqual([again.status, again.error.reason], [401, 'token.revoked']);
      assert.match(String(again.headers['www-authenticate']), /error="invalid_token"/);
      assert.equal((await test.get(SESSIONS, { token })).error.reason, 'token.revoked');
      assert.equal((await test.get(SESSIONS, { token: refreshed.result.accessToken })).status, 200);
    });

    it('signs the whole session off, also with a token that was just superseded', async () => {
      const token = await test.signIn('thandi');
      const next = (await test.post(REFRESH, { token })).result.accessToken;
      assert.equal((await test.post(SIGN_OFF, { token })).result, true);
      for (const dead of [token, next]) {
        assert.equal((await test.get(SESSIONS, { token: dead })).error.reason, 'token.revoked');
        assert.equal((await test.post(REFRESH, { token: dead })).error.reason, 'token.revoked');
        assert.equal((await test.post(SIGN_OFF, { token: dead })).result, true);
      }
      assert.equal((await test.post(SIGN_OFF)).result, true);
    });

    it('expires tokens and sessions, each at their time', async () => {
      await test.set('Latchkey.Tokens', { accessTokenLifetime: 200, sessionLifetime: 300 });
      const token = await test.signIn('thandi');
      test.clock.advance(199);
      const next = await test.post(REFRESH, { token });
      assert.equal(next.result.expireInSeconds, 101);
      test.clock.advance(100);
      assert.equal((await test.get(SESSIONS, { token: next.result.accessToken })).status, 200);
      test.clock.advance(2);
      for (const path of [REFRESH, SIGN_OFF]) {
        const answer = await test.post(path, { token: next.result.accessToken });
        assert.equal(
          path === SIGN_OFF ? answer.result : answer.error.reason,
          path === SIGN_OFF ? true : 'token.expired',
        );
      }
      await test.set('Latchkey.Tokens', { accessTokenLifetime: 86_400, sessionLifetime: 2_592_000 });
    });
  });
}
