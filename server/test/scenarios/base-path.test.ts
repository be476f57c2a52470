// Below a path of the public URL: all that the service answers and sends leads below it, whether or not a proxy removes the path.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Fastify from 'fastify';
import { OWN_NAMES, withoutBasePath } from '../../src/foundation/base-path.ts';
import { pageEntries, registerPages } from '../../src/http/pages.ts';
import { createClient } from '../support/oauth.ts';
import { startTestService, type TestService } from '../support/service.ts';

const BASE = '/auth/eu';
const ISSUER = `https://example.com${BASE}`;

/** All texts within a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const isBelow = (address: string) =>
  address === BASE || address.startsWith(`${BASE}/`) || address.startsWith(`${ISSUER}/`);

describe('the path of a request', () => {
  it('loses the base path once, and only a whole one', () => {
    const expected: Record<string, string> = {
      [BASE]: '/',
      [`${BASE}?a=/auth/eu`]: '/?a=/auth/eu',
      [`${BASE}/`]: '/',
      [`${BASE}/app?x`]: '/app?x',
      [`${BASE}${BASE}/app`]: `${BASE}/app`,
      [`${BASE}rope/app`]: `${BASE}rope/app`,
      '/app': '/app',
      '/app?to=/auth/eu/app': '/app?to=/auth/eu/app',
      [`/.well-known/openid-configuration${BASE}?x`]: '/.well-known/openid-configuration?x',
      [`/.well-known/openid-configuration${BASE}/x`]: `/.well-known/openid-configuration${BASE}/x`,
      [`/app${BASE}`]: `/app${BASE}`,
    };
    for (const [url, own] of Object.entries(expected)) assert.equal(withoutBasePath(url, BASE), own, url);
    for (const url of Object.keys(expected)) assert.equal(withoutBasePath(url, ''), url);
  });
});

describe('the service below a path', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService('sqlite', { publicUrl: ISSUER });
  });
  after(() => test.close());

  /** The names at the top of all addresses that answer. */
  function firstNames(): Set<string> {
    const pages = Object.values(pageEntries).flat();
    const routes = test.app.printRoutes({ commonPrefix: false }).matchAll(/^ {4}[├└]── (\S+)/gm);
    const paths = [...pages, ...[...routes].map(([, path = '']) => (path.startsWith('/') ? path : `/${path}`))];
    return new Set(paths.map((path) => path.split('/')[1] ?? '').filter((name) => name !== '' && !/^[*(]/.test(name)));
  }

  it('refuses each first name of its own addresses in a base path', () => {
    const names = firstNames();
    assert.ok(names.has('api') && names.has('oauth') && names.has('login'), [...names].join());
    assert.deepEqual(
      [...names].filter((name) => !OWN_NAMES.includes(name.toLowerCase())),
      [],
    );
  });

  it('answers the same with the path and without it', async () => {
    const { paths } = JSON.parse((await test.get('/openapi.json')).text);
    const read = Object.keys(paths).filter((path) => paths[path].get);
    for (const path of [
      ...read,
      '/.well-known/jwks.json',
      '/.well-known/openid-configuration',
      '/health/live',
      '/nowhere',
    ]) {
      const [within, below] = [await test.get(path), await test.get(BASE + path)];
      assert.equal(below.status, within.status, path);
      assert.equal(below.error?.reason, within.error?.reason, path);
    }
    const { status } = await test.get(`${BASE.toUpperCase()}/health/live`);
    assert.equal(status, 404, 'a path is case-sensitive');
  });

  it('names addresses below the path only, in each document', async () => {
    const documents = ['openid-configuration', 'oauth-authorization-server', 'passkey-endpoints'].map(
      (name) => `/.well-known/${name}`,
    );
    await test.set('Latchkey.Factors', { passkeys: true });
    for (const path of documents) {
      const answer = await test.get(BASE + path);
      assert.equal(answer.status, 200, path);
      const addresses = textsIn(JSON.parse(answer.text)).filter((text) => text.startsWith('https:'));
      assert.ok(addresses.length > 1, path);
      assert.deepEqual(
        addresses.filter((address) => address !== ISSUER && !isBelow(address)),
        [],
        path,
      );
      assert.equal((await test.get(path + BASE)).text, answer.text, 'as RFC 8414 places it');
    }
    const { servers } = JSON.parse((await test.get(`${BASE}/openapi.json`)).text);
    assert.deepEqual(servers, [{ url: ISSUER }]);
  });

  it('sends links in messages, and names redirect addresses for providers, below the path', async () => {
    await test.createUser('ann', { emailAddress: 'ann@example.com', isEmailConfirmed: true });
    await test.deliver();
    const { status, text } = await test.post('/api/services/app/User/SendEmailLink', { body: { username: 'ann' } });
    assert.equal(status, 200, text);
    const [message] = await test.deliver();
    assert.match(message?.text ?? '', new RegExp(`\\s${ISSUER}/reset-password#`));
    const token = await test.admin();
    const types = await test.get('/api/services/app/ExternalProvider/GetTypes', { token });
    const starts = textsIn(types.result).filter((text) => text.includes('/login/external/'));
    assert.ok(starts.length > 0 && starts.every(isBelow), starts.join());
  });

  it('redirects below the path, and its cookies have the name of the path', async () => {
    const { clientId } = await createClient(test, { redirectUris: ['https://app.example/callback'] });
    const parameters = {
      client_id: clientId,
      redirect_uri: 'https://app.example/callback',
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      state: 'x',
    };
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' };
    const inject = (method: 'GET' | 'POST', url: string, headers = {}, payload = '') =>
      test.app.inject({ method, url, headers, payload });
    for (const start of [BASE, '']) {
      const authorize = await inject('GET', `${start}/oauth/authorize?${new URLSearchParams(parameters)}`);
      const redirects = [
        authorize,
        await inject('POST', `${start}/oauth/authorize`, form, new URLSearchParams(parameters).toString()),
        await inject('POST', `${start}/login/external/Company`, form, 'code=1&state=2'),
        await inject('GET', `${start}/oauth/end-session`),
        await inject('GET', `${start}/.well-known/change-password`),
      ];
      for (const { statusCode, headers } of redirects) {
        assert.ok(statusCode === 302 || statusCode === 303, String(statusCode));
        assert.ok(isBelow(String(headers.location)), String(headers.location));
      }
      assert.match(
        String(authorize.headers['set-cookie']),
        /^__Host-auth\+eu\+\S+; Path=\/; HttpOnly; SameSite=Lax; Secure/,
      );
    }
  });
});

describe('the pages below a path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-below-'));
  before(() => {
    mkdirSync(join(folder, 'assets'));
    const html = '<link href="/assets/a.css"><script src="/assets/a.js" nonce="__NONCE__"></script><a href="/assets">';
    for (const entry of Object.keys(pageEntries)) writeFileSync(join(folder, entry), html);
    writeFileSync(join(folder, 'assets', 'a.js'), 'script');
  });
  after(() => rmSync(folder, { recursive: true }));

  async function serve(publicUrl: string, basePath: string) {
    const app = Fastify({ rewriteUrl: ({ url = '/' }) => withoutBasePath(url, basePath) });
    await registerPages(app, folder, publicUrl);
    return app;
  }

  it('name their files below it, and redirect below it', async (context) => {
    const app = await serve(ISSUER, BASE);
    context.after(() => app.close());
    for (const start of [BASE, '']) {
      for (const path of ['/login', '/login/external/x', '/app/settings']) {
        const { statusCode, body } = await app.inject(start + path);
        assert.equal(statusCode, 200, path);
        const named = [...body.matchAll(/(?:src|href)="([^"]+\.\w+)"/g)].map(([, address]) => address);
        assert.deepEqual(named, [`${BASE}/assets/a.css`, `${BASE}/assets/a.js`]);
      }
      assert.equal((await app.inject(`${start}/assets/a.js`)).body, 'script');
      assert.equal((await app.inject(start || '/')).headers.location, `${BASE}/app`);
      assert.equal((await app.inject(`${start}/login/?a=b`)).headers.location, `${BASE}/login?a=b`);
    }
  });

  it('stay as they were without a path', async (context) => {
    const app = await serve('https://example.com', '');
    context.after(() => app.close());
    const { body } = await app.inject('/login');
    assert.match(body, /^<link href="\/assets\/a\.css"><script src="\/assets\/a\.js" nonce="/);
    assert.equal((await app.inject('/')).headers.location, '/app');
  });
});
