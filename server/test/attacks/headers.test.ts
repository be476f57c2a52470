// Attacks by other sites and caches: which origins may read answers, what caches may store, what pages may load.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Fastify from 'fastify';
import { answerHeaders, registerArrival } from '../../src/http/arrival.ts';
import { registerPages } from '../../src/http/pages.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const ORIGIN = 'https://app.example.com';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const USERS = '/api/services/app/User/GetAll';

const STRANGERS = [
  'https://evil.example',
  'https://app.example.com.evil.example',
  'https://evilapp.example.com',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com/',
  'https://APP.example.com',
  'https://x.app.example.com',
  'null',
  '',
  '*',
];

/** A mobile app with Capacitor, on iOS. */
const SHELL = 'capacitor://localhost';

/** Sends the bytes unchanged. @returns the raw answer. */
async function sendRaw({ app }: TestService, bytes: string): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.end(bytes);
  return (await socket.toArray()).join('');
}

describe('headers for browsers', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService('sqlite', { corsOrigins: [ORIGIN, SHELL, 'http://localhost:3000'] });
  });
  after(() => test.close());

  /** Returns one answer per status, as a browser on a page of `origin` gets it. */
  async function answersTo(origin: string): Promise<[string, TestAnswer][]> {
    const headers = { origin };
    const json = { ...headers, 'content-type': 'application/json' };
    const ip = `192.0.2.${STRANGERS.indexOf(origin) + 10}`;
    const answers: [string, TestAnswer][] = [
      ['200', await test.get('/api/services/app/FrontEndApp/GetAll', { headers })],
      ['400', await test.post(AUTHENTICATE, { headers: json, body: '{' })],
      ['401', await test.get(USERS, { headers })],
      ['404', await test.get('/api/nothing', { headers })],
      ['405', await test.get(AUTHENTICATE, { headers })],
      ['413', await test.post(AUTHENTICATE, { headers: json, body: 'x'.repeat(70_000) })],
      ['415', await test.post(AUTHENTICATE, { headers: { ...headers, 'content-type': 'text/plain' }, body: 'x' })],
    ];
    for (let turn = 0; turn < 10; turn += 1) await test.post(AUTHENTICATE, { headers, ip, body: {} });
    return [...answers, ['429', await test.post(AUTHENTICATE, { headers, ip, body: {} })]];
  }

  it('let pages of the listed origins read answers and errors', async () => {
    const { headers: ofShell } = await test.get(USERS, { headers: { origin: SHELL, 'sec-fetch-site': 'cross-site' } });
    assert.equal(ofShell['access-control-allow-origin'], SHELL);
    for (const [status, { status: actual, headers }] of await answersTo(ORIGIN)) {
      assert.equal(String(actual), status);
      assert.equal(headers['access-control-allow-origin'], ORIGIN, status);
      assert.equal(headers['access-control-allow-credentials'], undefined);
      assert.match(String(headers.vary), /origin/i);
      const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(/, */);
      for (const name of ['retry-after', 'ratelimit', 'ratelimit-policy']) assert.ok(exposed.includes(name));
    }
  });

  it('let pages of no other origin read an answer', async () => {
    for (const origin of STRANGERS) {
      for (const [status, { headers }] of await answersTo(origin)) {
        assert.equal(headers['access-control-allow-origin'], undefined, `${origin} ${status}`);
        assert.match(String(headers.vary), /origin/i);
      }
    }
  });

  it('answer a preflight request without using a budget', async () => {
    const ask = (origin: string) =>
      test.send('OPTIONS', AUTHENTICATE, {
        ip: '198.51.100.7',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,sha-frontend-application',
        },
      });
    for (let turn = 0; turn < 30; turn += 1) {
      const { status, headers } = await ask(ORIGIN);
      assert.equal(status, 204);
      assert.equal(headers['access-control-allow-origin'], ORIGIN);
      assert.deepEqual(String(headers['access-control-allow-methods']).split(/, */), ['GET', 'POST', 'PUT', 'DELETE']);
      const allowed = String(headers['access-control-allow-headers']).split(/, */);
      assert.deepEqual(allowed.toSorted(), ['authorization', 'content-type', 'sha-frontend-application']);
    }
    for (const origin of STRANGERS) assert.equal((await ask(origin)).headers['access-control-allow-origin'], undefined);
    const answer = await test.post(AUTHENTICATE, { ip: '198.51.100.7', body: {} });
    assert.equal(answer.headers.ratelimit, '"login";r=9;t=60');
  });

  it('let no page read answers when no origin is listed', async (context) => {
    const closed = await startTestService('sqlite');
    context.after(() => closed.close());
    for (const origin of [ORIGIN, ...STRANGERS]) {
      const { headers } = await closed.get('/api/services/app/FrontEndApp/GetAll', { headers: { origin } });
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });

  it('let no cache store an answer of the API, and no browser guess its type', async () => {
    const token = await test.admin();
    const answers = [
      ...(await answersTo('https://cache.example')).map(([, answer]) => answer),
      await test.get(USERS, { token }),
      await test.get('/api/%zz'),
      await test.post('/api/TokenAuth/RefreshTokenAsync', { token }),
      await test.post('/api/TokenAuth/SignOff', { token }),
    ];
    for (const { status, headers } of answers) {
      assert.equal(headers['cache-control'], 'no-store', String(status));
      assert.equal(headers['x-content-type-options'], 'nosniff', String(status));
      assert.match(String(headers['content-type']), /^application\/json/);
      assert.equal(headers['set-cookie'], undefined);
      assert.equal(headers['x-powered-by'] ?? headers.server, undefined);
    }
  });
});

describe('headers of every answer other than a page', () => {
  const POLICY = "default-src 'none'; frame-ancestors 'none'";
  const PLAIN = ['/.well-known/jwks.json', '/.well-known/openid-configuration', '/health/live', '/health/ready'];

  async function everyAnswer(test: TestService): Promise<TestAnswer[]> {
    const token = await test.admin();
    const ip = '192.0.2.77';
    const answers = [
      await test.get(USERS, { token }),
      await test.get(USERS),
      await test.post(AUTHENTICATE, { body: {} }),
      await test.get(AUTHENTICATE),
      await test.get('/api/nothing'),
      await test.get('/api/%zz'),
      await test.get('/metrics', { ip: '127.0.0.1' }),
      await test.get('/metrics'),
      await test.get('/openapi.json'),
    ];
    for (const path of PLAIN) answers.push(await test.get(path));
    for (let turn = 0; turn <= 10; turn += 1) answers.push(await test.post(AUTHENTICATE, { ip, body: {} }));
    return answers;
  }

  for (const [publicUrl, transport] of [
    ['https://id.example.com', 'max-age=31536000'],
    ['http://localhost:8080', undefined],
  ] as const) {
    it(`let no page frame it, and ${transport ? 'keep' : 'do not keep'} browsers at https, at ${publicUrl}`, async (t) => {
      const test = await startTestService('sqlite', { publicUrl });
      t.after(() => test.close());
      const answers = await everyAnswer(test);
      assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 400, 401, 404, 405, 429]);
      for (const { status, headers, text } of answers) {
        assert.equal(headers['content-security-policy'], POLICY, `${status} ${text}`);
        assert.equal(headers['x-content-type-options'], 'nosniff', `${status} ${text}`);
        assert.equal(headers['strict-transport-security'], transport, `${status} ${text}`);
      }
      const broken = await sendRaw(test, 'nonsense\r\n\r\n');
      assert.match(broken, /^HTTP\/1\.1 400 /);
      assert.ok(broken.includes(`content-security-policy: ${POLICY}\r\n`));
      assert.equal(/strict-transport-security: (.*)\r/.exec(broken)?.[1], transport);
    });
  }
});

describe('a request that arrives too slowly', () => {
  for (const part of [
    'GET /health/live HTTP/1.1\r\n',
    `POST ${AUTHENTICATE} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{`,
  ]) {
    it(`is answered with 408, after ${JSON.stringify(part)}`, async (context) => {
      const test = await startTestService('sqlite');
      context.after(() => test.close());
      Object.assign(test.app.server, { headersTimeout: 1, requestTimeout: 1 });
      await test.app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = test.app.server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.write(part);
      const answer = (await socket.toArray()).join('');
      assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
      assert.match(answer, /\r\nconnection: close\r\n/);
      const { error, __abp } = JSON.parse(answer.slice(answer.indexOf('{')));
      assert.deepEqual([error.code, error.reason, __abp], [408, 'request.tooSlow', true]);
    });
  }
});

describe('two Host headers', () => {
  it('are refused on every path, in the envelope, in either order', async (context) => {
    const test = await startTestService('sqlite');
    context.after(() => test.close());
    for (const path of [USERS, '/health/live', '/metrics', '/api/nothing', '/login']) {
      for (const hosts of ['Host: localhost\r\nHOST: localhost', 'host: a\r\nAccept: */*\r\nHost: b']) {
        const answer = await sendRaw(test, `GET ${path} HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
        assert.match(answer, /^HTTP\/1\.1 400 /, path);
        const { error, __abp } = JSON.parse(answer.slice(answer.indexOf('{')));
        assert.deepEqual([error.reason, error.details, __abp], ['request.invalid', 'Send one Host header.', true]);
      }
    }
    const one = await sendRaw(test, 'GET /health/live HTTP/1.1\r\nhOsT: a\r\nDate: b\r\nConnection: close\r\n\r\n');
    assert.match(one, /^HTTP\/1\.1 200 /);
  });
});

describe('pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  before(() => {
    mkdirSync(join(folder, 'assets'));
    const html = '<!doctype html><meta property="csp-nonce" nonce="__NONCE__"><title>x</title>';
    for (const entry of ['sign-in.html', 'app.html']) writeFileSync(join(folder, entry), html);
    writeFileSync(join(folder, 'assets', 'main-1a2b3c.js'), 'plain');
    writeFileSync(join(folder, 'assets', 'main-1a2b3c.js.br'), 'packed');
    writeFileSync(join(folder, '..', 'pages-secret.txt'), 'classified');
  });
  after(() => {
    rmSync(folder, { recursive: true });
    rmSync(join(folder, '..', 'pages-secret.txt'));
  });

  async function servePages(isHttps: boolean) {
    const app = Fastify();
    registerArrival(app, answerHeaders(isHttps));
    await registerPages(app, folder, isHttps ? 'https://id.example' : 'http://id.example');
    return app;
  }

  it('load only their own files, and cannot be framed', async (context) => {
    const app = await servePages(true);
    context.after(() => app.close());
    for (const url of ['/login', '/app', '/app/settings', '/assets/main-1a2b3c.js']) {
      const { statusCode, headers, body } = await app.inject(url);
      assert.equal(statusCode, 200, url);
      const policy = String(headers['content-security-policy']);
      const directives = new Map(
        policy.split(';').map((part) => [part.trim().split(' ')[0], part.trim().split(' ').slice(1)]),
      );
      assert.deepEqual(directives.get('default-src'), ["'none'"]);
      for (const name of ['script-src', 'style-src']) {
        assert.match(String(directives.get(name)), /^'self','nonce-[0-9a-f]{32}'$/);
      }
      if (!url.includes('assets')) assert.ok(policy.includes(`nonce-${/nonce="(\w+)"/.exec(body)?.[1]}`), body);
      assert.deepEqual(directives.get('frame-ancestors'), ["'none'"]);
      assert.deepEqual(directives.get('base-uri'), ["'none'"]);
      assert.doesNotMatch(policy, /unsafe|\*|https?:|script-src[^;]*data:/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.match(String(headers['strict-transport-security']), /^max-age=31536000/);
      assert.equal(
        headers['cache-control'],
        url.includes('assets') ? 'public, max-age=31536000, immutable' : 'no-store',
      );
    }
  });

  it('have a new nonce each time, start at /app, and are compressed for clients that accept it', async (context) => {
    const app = await servePages(true);
    context.after(() => app.close());
    const [one, other] = [await app.inject('/login'), await app.inject('/login')];
    assert.notEqual(one.body, other.body);
    const home = await app.inject('/');
    assert.deepEqual([home.statusCode, home.headers.location], [302, '/app']);
    const url = '/assets/main-1a2b3c.js';
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    assert.deepEqual([packed.headers['content-encoding'], packed.body], ['br', 'packed']);
    assert.match(String(packed.headers['content-type']), /javascript/);
    assert.equal((await app.inject(url)).body, 'plain');
  });

  it('require https only when the public URL has it', async (context) => {
    const app = await servePages(false);
    context.after(() => app.close());
    assert.equal((await app.inject('/login')).headers['strict-transport-security'], undefined);
  });

  it('serve no file of another folder', async (context) => {
    const app = await servePages(true);
    context.after(() => app.close());
    const paths = [
      '/../pages-secret.txt',
      '/%2e%2e/pages-secret.txt',
      '/..%2fpages-secret.txt',
      '/assets/..%5c..%5cpages-secret.txt',
      '//pages-secret.txt',
    ];
    for (const url of paths) assert.ok(!(await app.inject(url)).body.includes('classified'), url);
  });
});
