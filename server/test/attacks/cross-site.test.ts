// Attacks by pages of other sites, through the browsers of their visitors: images, forms, and `fetch` with `no-cors`.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ExternalAuthProviderApiBase } from '../../src/providers/index.ts';
import { assertRefused } from '../support/answers.ts';
import { createClient, createVerifier, toRequest } from '../support/oauth.ts';
import { freshAddress, startTestService, type TestCall, type TestService } from '../support/service.ts';

const FRONT_END = 'https://app.example.com';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const SEND_PIN = '/api/TokenAuth/OtpAuthenticateSendPin';
const SIGN_IN_PAGE = '/api/services/app/ExternalLogin/GetSignInPage';
const FORWARD_AUTH = '/api/forward-auth';

/** What browsers send with a request of a page of another site. */
const crossSite = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', origin: 'https://evil.example' };

/** A query with which calls find what they look for. */
const query = {
  name: 'Acme',
  username: 'thandi',
  userNameOrMobileNo: 'thandi',
  appKey: 'default-app',
  id: 1,
  userId: 1,
};

class Acme extends ExternalAuthProviderApiBase {
  override async getSignInAddressAsync() {
    return 'https://acme.example/sign-in';
  }
  async getUserInfoAsync() {
    return null;
  }
}
const providers = [{ name: 'Acme', clientId: 'latchkey', clientSecret: 'canary', providerApiType: Acme }];

describe('a page of another site', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService('sqlite', { corsOrigins: [FRONT_END], additions: { providers } });
    await test.set('Shesha.UserManagement', { allowRegistrationByEmail: true });
    await test.createUser('thandi', { mobileNumber: '+27831234567', isMobileConfirmed: true });
  });
  after(() => test.close());

  /** Returns each method and path that the server routes, from the tree that Fastify prints. */
  function listRoutes(): { method: string; path: string }[] {
    const open: string[] = [];
    return test.app
      .printRoutes({ commonPrefix: false })
      .split('\n')
      .flatMap((line) => {
        const [, indent = '', part = '', methods = ''] = /^(.*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
        open.splice(indent.length / 4, Number.POSITIVE_INFINITY, part);
        return methods === ''
          ? []
          : methods.split(', ').map((method) => ({ method, path: open.join('').replace(/\W*\*$/, '/any') }));
      });
  }

  /** Returns all rows of all tables. */
  async function readAll(): Promise<Record<string, unknown[]>> {
    const { sql } = test.service.database;
    const names = (await sql.introspection.getTables()).map(({ name }) => name as 'account');
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await sql.selectFrom(name).selectAll().execute()])),
    );
  }

  async function assertFullBudgets(ip: string) {
    const signIn = await test.post(AUTHENTICATE, { ip, body: {} });
    const pin = await test.post(SEND_PIN, { ip, body: {} });
    assert.deepEqual([signIn.headers.ratelimit, pin.headers.ratelimit], ['"login";r=9;t=60', '"otp";r=4;t=60']);
  }

  it('can make no call that may count or act, but those of proxies and those that pages of applications lead to', async () => {
    const ip = freshAddress();
    const before = await readAll();
    const routes = listRoutes().filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
    assert.ok(routes.length >= test.service.routes.filter(({ method }) => method !== 'GET').length);
    const open: string[] = [];
    for (const { method, path } of routes) {
      const call = { method: method as 'POST', url: path, query, headers: crossSite, remoteAddress: ip };
      const { statusCode, body } = await test.app.inject(call as object);
      if (statusCode !== 403 || !body.includes('LATCHKEY_CORS_ORIGINS')) open.push(path);
    }
    assert.deepEqual(
      new Set(open),
      new Set([FORWARD_AUTH, `${FORWARD_AUTH}/any`, '/oauth/authorize', '/oauth/end-session']),
    );
    assert.deepEqual(await readAll(), before);
    await assertFullBudgets(ip);
  });

  it('can make calls by GET, none of which counts or acts', async () => {
    const ip = freshAddress();
    const limited = test.service.routes.filter(({ method, limit }) => method === 'GET' && limit !== undefined);
    assert.deepEqual(limited, []);
    const before = await readAll();
    const paths = listRoutes().flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
    assert.ok(paths.length >= test.service.routes.filter(({ method }) => method === 'GET').length);
    for (const path of paths) {
      for (let turn = 0; turn < 2; turn += 1) {
        const { status, headers } = await test.get(path, { query, headers: crossSite, ip });
        assert.ok(status < 500 && status !== 429, `${path}: ${status}`);
        assert.equal(headers.ratelimit, undefined, path);
      }
    }
    for (let image = 1; image <= 12; image += 1) {
      assert.equal((await test.get(SIGN_IN_PAGE, { query, headers: crossSite, ip })).status, 200);
    }
    assert.deepEqual(await readAll(), before);
    await assertFullBudgets(ip);
  });

  it('can begin sign-ins to applications only where its visitor sees them', async () => {
    const client = await createClient(test);
    const request = toRequest(client, createVerifier());
    const authorize = (dest: string, more: Record<string, string> = {}) =>
      test.get('/oauth/authorize', {
        query: { ...request, ...more },
        headers: { ...crossSite, 'sec-fetch-mode': dest === 'image' ? 'no-cors' : 'navigate', 'sec-fetch-dest': dest },
      });
    const before = await readAll();
    for (const dest of ['image', 'iframe', 'object']) assert.equal((await authorize(dest)).status, 403, dest);
    assert.match(String((await authorize('iframe', { prompt: 'none' })).headers.location), /error=login_required/);
    assert.deepEqual(await readAll(), before);
    assert.equal((await authorize('document')).status, 303);
  });

  it('can send no pin, in no form that a browser sends without asking', async () => {
    const ip = freshAddress();
    const json = JSON.stringify({ userNameOrMobileNo: 'thandi' });
    const forms: TestCall[] = [
      { query: { userNameOrMobileNo: 'thandi' } },
      { query: { userNameOrMobileNo: 'thandi' }, headers: { 'content-type': 'text/plain' }, body: '' },
      { headers: { 'content-type': 'text/plain' }, body: json },
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'userNameOrMobileNo=thandi' },
      { headers: { 'content-type': 'application/json' }, body: json },
    ];
    for (const origin of ['https://evil.example', 'null', '', `${FRONT_END}.evil.example`, `${FRONT_END}:8443`]) {
      for (const { headers, ...form } of forms) {
        for (const path of [SEND_PIN, `${SEND_PIN.toLowerCase()}async/`, SEND_PIN.replace('Otp', '%4ftp')]) {
          const answer = await test.post(path, { ...form, ip, headers: { ...headers, ...crossSite, origin } });
          assertRefused(answer, 403, 'request.crossSite', path);
          assert.equal(answer.headers.ratelimit, undefined);
        }
      }
    }
    assert.deepEqual(await test.deliver(), []);
    await assertFullBudgets(ip);
  });

  it('makes no difference to pages of the service and of listed origins, and to clients that are no browsers', async () => {
    const callers: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8080' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
      { 'sec-fetch-site': 'none' },
      { ...crossSite, origin: FRONT_END },
    ];
    for (const headers of callers) {
      const { status } = await test.post(SEND_PIN, { query: { userNameOrMobileNo: 'thandi' }, headers });
      assert.equal(status, 200, JSON.stringify(headers));
      assert.equal((await test.deliver()).length, 1);
      test.clock.advance(60);
    }
  });

  it('can lead people to an application whose proxy asks this service, and to the pages', async () => {
    const token = await test.signIn('thandi');
    for (const method of ['GET', 'POST'] as const) {
      const headers = { ...crossSite, 'sec-fetch-mode': 'navigate' };
      assert.equal((await test.send(method, FORWARD_AUTH, { token, headers })).status, 204, method);
    }
    const { statusCode } = await test.app.inject({
      url: '/login',
      headers: { ...crossSite, 'sec-fetch-mode': 'navigate' },
    });
    assert.equal(statusCode, 200);
  });
});
