// nginx with the configuration of the guide: the service and an existing application behind one origin.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { readGuideFile } from '../server/test/support/guide.ts';
import { type Nginx, startNginx } from '../server/test/support/nginx.ts';
import { findFreePort } from '../server/test/support/ports.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../server/test/support/service.ts';
import { type Application, bundleClient, startApplication } from './support/application.ts';
import { launchBrowser } from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const API = '/api/services/app';

/** The configuration of the guide, with the ports of this test, and without TLS. */
function configure(ports: { nginx: number; application: number; service: number }): string {
  const guide = readGuideFile('moving-from-shesha.md', 'split.conf');
  const replacements: [string, string][] = [
    ['server 127.0.0.1:5000;', `server 127.0.0.1:${ports.application};`],
    ['server 127.0.0.1:8080;', `server 127.0.0.1:${ports.service};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${ports.nginx};`],
    // Browsers resolve names below localhost to this machine.
    ['app.example.com;', 'app.localhost;'],
    ['id.example.com;', 'id.localhost;'],
  ];
  const withoutTls = guide.replaceAll(/^ *ssl_certificate.*\n/gm, '');
  return replacements.reduce((text, [printed, own]) => {
    assert.ok(text.includes(printed), `the guide has ${printed}`);
    return text.replaceAll(printed, own);
  }, withoutTls);
}

describe('the service behind nginx, beside an existing application', () => {
  let elsewhere: Application;
  let application: Application;
  let test: TestService;
  let nginx: Nginx;
  let port: number;
  let browser: Browser;
  let context: BrowserContext;
  /** The last call that the application answered. */
  let called: IncomingMessage | undefined;

  /** The application's own API, with its own CORS as ABP applications have it. */
  function answerApi(call: IncomingMessage, response: ServerResponse): object | undefined {
    if (!call.url?.startsWith('/api/')) return undefined;
    called = call;
    const origin = call.headers.origin;
    if (origin) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-allow-headers', call.headers['access-control-request-headers'] ?? '');
    }
    return { success: true, result: 'the application', error: null, __abp: true };
  }

  before(async () => {
    const client = await bundleClient('shesha');
    elsewhere = await startApplication([], client);
    application = await startApplication([], client, answerApi);
    port = await findFreePort();
    test = await startTestService('sqlite', {
      publicUrl: `http://id.localhost:${port}`,
      trustedProxies: ['127.0.0.1'],
      corsOrigins: [elsewhere.origin],
    });
    await liftLimits({ test });
    await test.createUser('thandi');
    const service = new URL(await test.app.listen({ host: '127.0.0.1', port: 0 }));
    const ports = { nginx: port, application: application.port, service: Number(service.port) };
    nginx = await startNginx(configure(ports), port);
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    called = undefined;
    context = await browser.newContext();
  });
  afterEach(() => context.close());
  after(async () => {
    await browser?.close();
    await nginx?.stop();
    await test?.close();
    await application?.close();
    await elsewhere?.close();
  });

  /** Calls through nginx as another machine does: from an address that is no proxy's. */
  async function call(
    path: string,
    options: { method?: string; headers?: Record<string, string>; body?: object } = {},
  ) {
    const { method = 'GET', body } = options;
    const headers = { host: 'app.localhost', 'content-type': 'application/json', ...options.headers };
    const sent = request({ host: '127.0.0.1', port, path, method, headers, localAddress: '127.0.0.2', agent: false });
    sent.end(body && JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks = await answer.toArray();
    return { answer, text: Buffer.concat(chunks).toString() };
  }
  async function open(origin: string, service: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(origin);
    await page.evaluate(`window.client = start('${service}')`);
    return page;
  }
  // biome-ignore lint/suspicious/noExplicitAny: the client reads answers of any shape.
  const ask = (page: Page, member: string, ...given: unknown[]): Promise<any> =>
    page.evaluate(`client.${member}(...${JSON.stringify(given)})`);

  it('gives each call to its owner, in every spelling that reaches either', async () => {
    const ofService = [
      '/api/TokenAuth/GetExternalAuthenticationProviders',
      '/api/tokenauth/getexternalauthenticationprovidersasync',
      '/api/%54okenAuth/GetExternalAuthenticationProviders',
      `${API}/User/GetUserPasswordResetOptions?username=thandi`,
      `${API}/Session/GetCurrentLoginInfo`,
      `${API}/session/getcurrentlogininformationsasync`,
      `${API}/Settings/GetValue?name=Shesha.Security&module=Shesha`,
      `${API}/Settings/GetValue?module=Shesha&Name=abp.zero.usermanagement.passwordcomplexity.requireddigit`,
    ];
    const ofApplication = [
      `${API}/Session/ClearPermissionsCache`,
      `${API}/Settings/GetValue?name=Shesha.ThemeSettings&module=Shesha`,
      `${API}/Settings/GetValue?name=My.Shesha.Security`,
      `${API}/Settings/GetConfigurations`,
      `${API}/UserTasks/GetAll`,
      '/api/dynamic/Shesha/Person/Crud/GetAll',
    ];
    for (const path of [...ofService, ...ofApplication]) {
      called = undefined;
      const { text } = await call(path);
      assert.equal(called === undefined, ofService.includes(path), `${path}: ${text}`);
      assert.match(text, /"__abp":true/, path);
    }
    // A slash too many: the service has no such path, and the application's old sign-in stays out of reach.
    for (const path of ['//api/TokenAuth/Authenticate', '/api/./TokenAuth//Authenticate']) {
      called = undefined;
      await call(path, { method: 'POST', body: {} });
      assert.equal(called, undefined, path);
    }
    // nginx refuses what some applications read as their sign-in.
    for (const folder of ['/api%5cTokenAuth', '/;/api/TokenAuth', '/x/..;/api/TokenAuth', '/api/x%2f../TokenAuth']) {
      const { answer } = await call(`${folder}/Authenticate`, { method: 'POST', body: {} });
      assert.equal(answer.statusCode, 400, folder);
    }
  });

  it('signs in a client of the application on its own origin, and hands its token to the application', async () => {
    const page = await open(`http://app.localhost:${port}/`, '');
    const { accessToken } = await ask(page, 'signIn', 'thandi', USER_PASSWORD);
    const { user } = await ask(page, 'get', `${API}/Session/GetCurrentLoginInfo`);
    assert.equal(user.userName, 'thandi');
    assert.equal(await ask(page, 'get', `${API}/Person/GetAll`), 'the application');
    assert.equal(called?.headers.authorization, `Bearer ${accessToken}`);
    assert.equal(await ask(page, 'signOut'), true);
  });

  it('answers another origin with one CORS header, from either owner of a call', async () => {
    const page = await open(elsewhere.origin, `http://app.localhost:${port}`);
    await ask(page, 'signIn', 'thandi', USER_PASSWORD);
    assert.equal((await ask(page, 'get', `${API}/Session/GetCurrentLoginInfo`)).user.userName, 'thandi');
    assert.equal(await ask(page, 'get', `${API}/Person/GetAll`), 'the application');
    for (const path of [`${API}/Session/GetCurrentLoginInfo`, `${API}/Person/GetAll`]) {
      const { answer } = await call(path, { headers: { origin: elsewhere.origin } });
      assert.deepEqual(answer.headersDistinct['access-control-allow-origin'], [elsewhere.origin], path);
    }
    const { answer } = await call(`${API}/Session/GetCurrentLoginInfo`, {
      headers: { origin: 'https://evil.example' },
    });
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  });

  it('counts each client by its own address, not by one that it claims', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.8' };
    const body = { userNameOrEmailAddress: 'thandi', password: USER_PASSWORD };
    const { text } = await call('/api/TokenAuth/Authenticate', { method: 'POST', headers, body });
    assert.match(text, /accessToken/);
    const token = await test.admin();
    const query = { action: 'signIn.password', maxResultCount: 5 };
    const { result } = await test.get(`${API}/Audit/GetAll`, { token, query });
    const entry = result.items.find(({ userName }) => userName === 'thandi');
    assert.equal(entry?.ipAddress, '127.0.0.2');
  });

  it('serves its pages and its keys under a name of their own', async () => {
    const page = await context.newPage();
    await page.goto(`http://id.localhost:${port}/login`);
    await page.getByLabel('Password', { exact: true }).waitFor();
    const { text } = await call('/.well-known/openid-configuration', { headers: { host: 'id.localhost' } });
    assert.equal(JSON.parse(text).issuer, `http://id.localhost:${port}`);
  });
});
