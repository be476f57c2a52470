// CORS for applications: pages of a registered origin may call what they sign people in with, other pages and other calls not.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operator } from '../../src/app/first-start.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PAGE = 'https://spa.example.com';
const FRONT_END = 'https://app.example.com';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const OPEN = [
  '/oauth/token',
  '/oauth/userinfo',
  '/oauth/revoke',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
];
const CLOSED = [
  '/oauth/introspect',
  '/oauth/authorize',
  '/oauth/end-session',
  '/oauth/par',
  '/oauth/token/',
  '/OAUTH/token',
  '/api/forward-auth',
  '/api/services/app/FrontEndApp/GetAll',
  AUTHENTICATE,
];
const STRANGERS = [
  'https://evil.example',
  'null',
  `${PAGE}.evil.example`,
  `${PAGE}:8443`,
  `${PAGE}/`,
  'http://spa.example.com',
  'https://SPA.example.com',
  'https://web.example.com',
  '',
];
const FORM = 'application/x-www-form-urlencoded';

for (const corsOrigins of [[], [FRONT_END]]) {
  describe(`origins of applications ${corsOrigins.length === 0 ? 'alone' : 'beside those of front ends'}`, () => {
    let test: TestService;
    let id: string;
    before(async () => {
      test = await startTestService('sqlite', { corsOrigins });
      const { applications } = test.service;
      const by = operator('test');
      const uris = { name: 'App', redirectUris: [`${PAGE}/callback`] };
      id = (await applications.create({ ...uris, kind: 'browser' }, by)).application.id;
      await applications.create({ ...uris, kind: 'web', redirectUris: ['https://web.example.com/callback'] }, by);
    });
    after(() => test.close());

    const allowed = async (path: string, origin: string, method: 'GET' | 'OPTIONS' | 'POST' = 'GET') => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      return (await test.send(method, path, { headers })).headers['access-control-allow-origin'];
    };

    it('may read the answers of these calls, errors and preflights included', async () => {
      for (const path of OPEN) {
        for (const url of [path, `${path}?x=${CLOSED[0]}`])
          for (const method of ['GET', 'POST', 'OPTIONS'] as const)
            assert.equal(await allowed(url, PAGE, method), PAGE, `${method} ${url}`);
        const { status, headers, text } = await test.send('OPTIONS', path, {
          headers: {
            origin: PAGE,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization,content-type',
          },
        });
        assert.deepEqual([status, text], [204, '']);
        assert.match(String(headers['access-control-allow-methods']), /\bPOST\b/);
        assert.equal(headers['access-control-allow-headers'], 'authorization,content-type');
        assert.equal(headers['access-control-allow-credentials'], undefined);
        assert.match(String(headers.vary), /origin/i);
      }
      const { headers } = await test.get('/.well-known/jwks.json');
      assert.match(String(headers.vary), /origin/i, 'a cache keeps one answer for each origin');
    });

    it('open no other call, and no stranger gets an answer', async () => {
      for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
        for (const path of CLOSED) assert.equal(await allowed(path, PAGE, method), undefined, `${method} ${path}`);
        for (const path of OPEN)
          for (const origin of STRANGERS) assert.equal(await allowed(path, origin, method), undefined, origin);
      }
      const front = await allowed(AUTHENTICATE, FRONT_END);
      assert.equal(front, corsOrigins[0], 'front ends have all calls');
    });

    it('may send a form to these calls from another site, and to no other call', async () => {
      const post = (url: string, origin: string) =>
        test.app.inject({
          method: 'POST',
          url,
          headers: { 'sec-fetch-site': 'cross-site', origin, 'content-type': FORM },
          payload: 'token=x',
        });
      const isRefused = async (url: string, origin: string) =>
        (await post(url, origin)).body.includes('LATCHKEY_CORS_ORIGINS');
      assert.equal((await post('/oauth/revoke', PAGE)).statusCode, 200);
      assert.equal((await post('/oauth/revoke?x=1', PAGE)).statusCode, 200);
      for (const origin of STRANGERS) assert.equal(await isRefused('/oauth/revoke', origin), true, origin);
      const stranger = await post('/oauth/token', STRANGERS[0] ?? '');
      assert.deepEqual([stranger.statusCode, stranger.json().error], [403, 'invalid_request']);
      for (const url of ['/oauth/introspect', AUTHENTICATE, '/api/TokenAuth/SignOff?x=/oauth/token'])
        assert.equal(await isRefused(url, PAGE), true, url);
    });

    it('may no longer, once the application is disabled', async () => {
      await test.service.applications.update(id, { isEnabled: false }, operator('test'));
      for (const path of OPEN) assert.equal(await allowed(path, PAGE), undefined);
      await test.service.applications.update(id, { isEnabled: true }, operator('test'));
      assert.equal(await allowed('/oauth/token', PAGE), PAGE);
      await test.service.applications.remove(id, operator('test'));
      assert.equal(await allowed('/oauth/token', PAGE), undefined);
    });
  });
}
