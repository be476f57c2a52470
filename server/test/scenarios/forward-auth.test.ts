// Forward-auth: what a reverse proxy asks about a request, and what it tells the application.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { toNumericDate } from '../../src/foundation/clock.ts';
import { engines } from '../support/databases.ts';
import { useFactors } from '../support/factors.ts';
import { identityHeaderNames, introspect } from '../support/introspection.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const PATH = '/api/forward-auth';

const identityOf = ({ headers }: TestAnswer) =>
  Object.fromEntries(identityHeaderNames.filter((name) => name in headers).map((name) => [name, headers[name]]));

for (const engine of engines) {
  describe(`forward-auth on ${engine}`, () => {
    let test: TestService;
    before(async () => {
      test = await startTestService(engine);
    });
    after(() => test.close());

    const ask = (token: string | undefined, query = '') => test.get(`${PATH}${query}`, { token });
    function assertRefused(answer: TestAnswer, status: number, reason: string) {
      assert.deepEqual([answer.status, answer.error?.reason], [status, reason], answer.text);
      assert.deepEqual(identityOf(answer), {});
    }

    it('tells who calls', async () => {
      const more = { name: 'Thandi', surname: 'Nkosi', emailAddress: 'thandi@example.com', roleNames: ['A', 'B'] };
      const id = await test.createUser('thandi', more);
      const answer = await ask(await test.signIn('thandi'));
      assert.deepEqual([answer.status, answer.text], [204, '']);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.deepEqual(identityOf(answer), {
        'remote-user': 'thandi',
        'remote-user-id': String(id),
        'remote-name': 'Thandi Nkosi',
        'remote-email': 'thandi@example.com',
        'remote-groups': 'A,B',
        'remote-auth-level': 'aal1',
      });
    });

    it('sends each header, empty if there is nothing to tell', async () => {
      await test.createUser('bare');
      const identity = identityOf(await ask(await test.signIn('bare')));
      assert.deepEqual(Object.keys(identity), [...identityHeaderNames]);
      assert.equal(identity['remote-email'], '');
      assert.equal(identity['remote-groups'], '');
    });

    it('percent-encodes what a header cannot carry', async () => {
      const more = { name: 'Jürgen', surname: '100% 李', roleNames: ['Sales, EU', '50%', 'Größe'] };
      await test.createUser('müller', more);
      const identity = identityOf(await ask(await test.signIn('müller')));
      assert.equal(identity['remote-user'], 'm%C3%BCller');
      assert.equal(identity['remote-name'], 'J%C3%BCrgen 100%25 %E6%9D%8E');
      assert.equal(identity['remote-groups'], 'Sales%2C EU,50%25,Gr%C3%B6%C3%9Fe');
    });

    it('challenges a caller without a valid token', async () => {
      await test.createUser('leaver');
      const token = await test.signIn('leaver');
      const missing = await ask(undefined);
      assertRefused(missing, 401, 'token.missing');
      assert.equal(missing.headers['www-authenticate'], 'Bearer realm="latchkey"');
      await test.post('/api/TokenAuth/SignOff', { token });
      const revoked = await ask(token);
      assertRefused(revoked, 401, 'token.revoked');
      assert.match(String(revoked.headers['www-authenticate']), /^Bearer realm="latchkey", error="invalid_token"/);
      assertRefused(await ask('x'), 401, 'token.invalid');
    });

    it('refuses a restricted session with 403', async () => {
      await test.createUser('novice', { requireChangePassword: true });
      assertRefused(await ask(await test.signIn('novice')), 403, 'password.changeRequired');
    });

    it('demands one of the roles, as they are now', async () => {
      const id = await test.createUser('auditor', { roleNames: ['Auditor', 'Sales, EU'] });
      const token = await test.signIn('auditor');
      for (const query of ['?roles=Auditor', '?roles=X,auditor', '?Roles=Sales%2C+EU', '?a=b&roles=Sales%2C%20EU'])
        assert.equal((await ask(token, query)).status, 204, query);
      for (const query of ['?roles=Sales', '?roles=X,Y', '?roles=Auditor&roles=X', '?roles=X&roles=Auditor'])
        assertRefused(await ask(token, query), 403, 'permission.denied');
      const body = { id, roleNames: ['X'] };
      await test.send('PUT', '/api/services/app/User/Update', { token: await test.admin(), body });
      assertRefused(await ask(token, '?roles=Auditor'), 403, 'permission.denied');
      assert.equal((await ask(token, '?roles=X')).status, 204);
    });

    it('refuses a demand that it cannot check', async () => {
      const token = await test.admin();
      for (const query of ['?roles=', '?roles=A,', '?roles', '?roles=%zz', '?acr=', '?acr=aal3', '?acr=AAL2', '?acr=%'])
        assertRefused(await ask(token, query), 400, 'request.invalid');
    });

    it('passes any method, also with a body, and for Envoy any path below with 200', async () => {
      const token = await test.admin();
      for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'TRACE']) {
        const request = { method: method as 'POST', headers: { authorization: `Bearer ${token}` } };
        const answer = await test.app.inject({ ...request, url: PATH });
        assert.equal(answer.statusCode, 204, method);
        assert.equal(answer.headers['remote-user'], 'admin', method);
        const payload =
          method === 'POST' ? { payload: 'a=b', headers: { ...request.headers, 'content-type': 'x/y' } } : {};
        const below = await test.app.inject({ ...request, ...payload, url: `${PATH}/orders/${'x'.repeat(500)}?a=b` });
        assert.deepEqual([below.statusCode, below.body], [200, ''], method);
        assert.equal(below.headers['remote-user'], 'admin', method);
        const refused = await test.app.inject({ method: method as 'POST', url: `${PATH}/orders` });
        assert.equal(refused.statusCode, 401, method);
      }
      assert.equal((await ask(token, '/')).status, 200);
      assertRefused(await ask(token, '/x?roles=Nobody'), 403, 'permission.denied');
    });
  });
}

describe('the level of authentication', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService('sqlite');
  });
  after(() => test.close());

  it('steps up: 401 until the caller has given a second factor', async () => {
    const key = await test.createServiceKey('shop', ['introspect']);
    const { allow, enroll, nextCode } = useFactors({ here: test, there: test, close: async () => {} });
    await allow();
    await test.createUser('stepper');
    const low = await test.signIn('stepper');
    const app = await enroll(low);
    assert.equal((await introspect(test, low, key)).acr, 'aal1');
    const passed = await test.get(PATH, { token: low, query: { acr: 'aal1' } });
    assert.deepEqual([passed.status, passed.headers['remote-auth-level']], [204, 'aal1']);
    const refused = await test.get(PATH, { token: low, query: { acr: 'aal2' } });
    assert.deepEqual([refused.status, refused.error.reason], [401, 'forwardAuth.levelTooLow']);
    assert.deepEqual(identityOf(refused), {});
    const challenge = String(refused.headers['www-authenticate']);
    assert.match(challenge, /^Bearer realm="latchkey", error="insufficient_user_authentication", .*acr_values="aal2"$/);

    const stepUp = await test.post('/api/TokenAuth/Reauthenticate', { token: low, body: { code: nextCode(app) } });
    assert.equal(stepUp.status, 200, stepUp.text);
    const high = stepUp.result.accessToken;
    const raised = await test.get(PATH, { token: high, query: { acr: 'aal2' } });
    assert.deepEqual([raised.status, raised.headers['remote-auth-level']], [204, 'aal2']);
    const { acr, auth_time } = await introspect(test, high, key);
    assert.deepEqual([acr, auth_time], ['aal2', toNumericDate(test.clock.now())]);
    assert.equal((await test.get(PATH, { token: low })).status, 401);
  });
});
