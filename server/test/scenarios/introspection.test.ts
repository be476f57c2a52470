// Introspection (RFC 7662) and revocation (RFC 7009), as other services call them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { enginesAtLength } from '../support/databases.ts';
import { altered, claimsOf } from '../support/forge.ts';
import { basic, introspect, postForm } from '../support/introspection.ts';
import { callAs, createClient } from '../support/oauth.ts';
import { ISSUER, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const INTROSPECT = '/oauth/introspect';
const REVOKE = '/oauth/revoke';

for (const engine of enginesAtLength) {
  describe(`introspection on ${engine}`, () => {
    let test: TestService;
    let key: string;

    before(async () => {
      test = await startTestService(engine);
      key = await test.createServiceKey('shop', ['introspect']);
    });
    after(() => test.close());

    const isActive = async (token: string) => (await introspect(test, token, key)).active;
    const refresh = async (token: string) =>
      String((await test.post('/api/TokenAuth/RefreshTokenAsync', { token })).result.accessToken);
    const post = async (path: string, body: object) => {
      const answer = await test.post(path, { token: await test.admin(), body });
      assert.equal(answer.status, 200, answer.text);
    };

    it('answers exactly the members that the contract names', async () => {
      const id = await test.createUser('thandi', { roleNames: ['Accountant'] });
      const token = await test.signIn('thandi');
      const { sid, jti, aud, iat, exp, auth_time } = claimsOf(token);
      assert.deepEqual(await introspect(test, token, key), {
        active: true,
        sub: String(id),
        sid,
        jti,
        iss: ISSUER,
        aud,
        iat,
        exp,
        auth_time,
        amr: ['pwd'],
        acr: 'aal1',
        client_id: 'default-app',
        username: 'thandi',
        scope: '',
        roles: ['Accountant'],
      });
    });

    it('takes the key as a bearer token and by HTTP Basic', async () => {
      await test.createUser('basil');
      const token = await test.signIn('basil');
      for (const authorization of [`Bearer ${key}`, `bearer ${key}`, basic('service', key)]) {
        const answer = await postForm(test, INTROSPECT, { token, token_type_hint: 'access_token' }, authorization);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(JSON.parse(answer.text).active, true);
        assert.equal(answer.headers['cache-control'], 'no-store');
      }
    });

    it('tells the present name and roles of the account', async () => {
      const id = await test.createUser('renamed', { roleNames: ['Old'] });
      const token = await test.signIn('renamed');
      const body = { id, userName: 'newname', roleNames: ['New'], isActive: true };
      const answer = await test.send('PUT', '/api/services/app/User/Update', { token: await test.admin(), body });
      assert.equal(answer.status, 200, answer.text);
      const { username, roles } = await introspect(test, token, key);
      assert.deepEqual({ username, roles }, { username: 'newname', roles: ['New'] });
    });

    it('says only that a token is not active, whatever the cause', async () => {
      const id = await test.createUser('deadly');
      const dead: Record<string, string> = { garbage: 'x', empty: '.', 'a service key': key };
      dead.superseded = await test.signIn('deadly');
      dead['signed off'] = await refresh(dead.superseded);
      assert.equal(await isActive(dead['signed off']), true);
      await test.post('/api/TokenAuth/SignOff', { token: dead['signed off'] });
      dead['signed out everywhere'] = await test.signIn('deadly');
      await post('/api/services/app/User/SignOutEverywhere', { userId: id });
      dead.deactivated = await test.signIn('deadly');
      await post('/api/services/app/User/InactivateUser', { userId: id });
      dead.forged = altered(dead.deactivated);
      for (const [what, token] of Object.entries(dead)) {
        assert.deepEqual(await introspect(test, token, key), { active: false }, what);
      }
    });

    it('is not active after its expiry', async () => {
      await test.createUser('late');
      const token = await test.signIn('late');
      const { exp } = claimsOf(token);
      test.clock.advance(Number(exp) - test.clock.now() / 1000 - 0.001);
      assert.equal(await isActive(token), true);
      test.clock.advance(0.001);
      assert.equal(await isActive(token), false);
    });

    it('is not active in a session that must change the password, until it has', async () => {
      await test.createUser('novice', { requireChangePassword: true });
      const token = await test.signIn('novice');
      assert.equal(await isActive(token), false);
      const newPassword = 'lantern gravel staple';
      const body = { currentPassword: USER_PASSWORD, newPassword };
      const changed = await test.post('/api/services/app/User/ChangePassword', { token, body });
      assert.equal(changed.status, 200, changed.text);
      assert.equal(await isActive(token), true);
    });

    it('is not active in a session that must enroll a second factor', async () => {
      await test.createUser('enroller');
      await test.set('Latchkey.Factors', { authenticator: true });
      await test.set('Latchkey.Factors.SecondFactor', 'required');
      const token = await test.signIn('enroller');
      assert.equal(await isActive(token), false);
    });
  });

  describe(`revocation on ${engine}`, () => {
    let test: TestService;
    before(async () => {
      test = await startTestService(engine);
    });
    after(() => test.close());

    const revoke = (token: string) => postForm(test, REVOKE, { token });
    const isLive = async (token: string) =>
      (await test.get('/api/services/app/Session/GetAll', { token })).status === 200;

    async function countSignOffs(userId: number) {
      const query = { action: 'session.signedOff', userId };
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token: await test.admin(), query });
      return result.totalCount;
    }

    it('ends the session of a token, and records it', async () => {
      const id = await test.createUser('revoker');
      const token = await test.signIn('revoker');
      const answer = await revoke(token);
      assert.deepEqual([answer.status, answer.text], [200, '']);
      assert.equal(await isLive(token), false);
      assert.equal(await countSignOffs(id), 1);
    });

    it('ends the session with a token that a refresh has superseded', async () => {
      await test.createUser('refresher');
      const first = await test.signIn('refresher');
      const { result } = await test.post('/api/TokenAuth/RefreshTokenAsync', { token: first });
      assert.equal((await revoke(first)).status, 200);
      assert.equal(await isLive(result.accessToken), false);
    });

    it('ends it for a caller that authenticates as an application, with any token of the session', async () => {
      const client = await createClient(test);
      await test.createUser('presenter');
      const superseded = await test.signIn('presenter');
      const { result } = await test.post('/api/TokenAuth/RefreshTokenAsync', { token: superseded });
      assert.equal((await callAs(test, client, REVOKE, { token: superseded })).status, 200);
      assert.equal(await isLive(result.accessToken), false);

      const novice = await test.createUser('presenting-novice', { requireChangePassword: true });
      const restricted = await test.signIn('presenting-novice');
      assert.equal((await callAs(test, client, REVOKE, { token: restricted })).status, 200);
      assert.equal(await countSignOffs(novice), 1);
    });

    it('answers 200 for dead tokens, and ends nothing', async () => {
      const id = await test.createUser('bystander');
      const first = await test.signIn('bystander');
      const live = await test.signIn('bystander');
      const forged = altered(live);
      await revoke(first);
      for (const token of [first, forged, 'x', 'lks_x']) assert.equal((await revoke(token)).status, 200);
      assert.equal(await isLive(live), true);
      assert.equal(await countSignOffs(id), 1);
    });

    it('ignores an expired token', async () => {
      await test.set('Latchkey.Tokens', { accessTokenLifetime: 60 });
      await test.createUser('expirer');
      const old = await test.signIn('expirer');
      const { result } = await test.post('/api/TokenAuth/RefreshTokenAsync', { token: old });
      test.clock.advance(59);
      const { result: newer } = await test.post('/api/TokenAuth/RefreshTokenAsync', { token: result.accessToken });
      test.clock.advance(2);
      assert.equal((await revoke(old)).status, 200);
      assert.equal(await isLive(newer.accessToken), true);
    });
  });
}

describe('the discovery document', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService('sqlite');
  });
  after(() => test.close());

  it('names both endpoints, under both addresses', async () => {
    const documents = await Promise.all(
      ['openid-configuration', 'oauth-authorization-server'].map(async (name) => {
        const answer = await test.get(`/.well-known/${name}`);
        assert.equal(answer.status, 200);
        return JSON.parse(answer.text);
      }),
    );
    assert.deepEqual(documents[0], documents[1]);
    assert.equal(documents[0].issuer, ISSUER);
    assert.equal(documents[0].introspection_endpoint, `${ISSUER}${INTROSPECT}`);
    assert.equal(documents[0].revocation_endpoint, `${ISSUER}${REVOKE}`);
  });
});
