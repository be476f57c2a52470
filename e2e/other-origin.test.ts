// The browser client on an origin that is not the service's: what it says when the service does not allow that origin, and a sign-in
// page there.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type ClientApplication, startClientApplication } from '../server/test/support/client-application.ts';
import { findFreePort } from '../server/test/support/ports.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../server/test/support/service.ts';
import { type Application, bundleClient, startApplication } from './support/application.ts';
import { launchBrowser, type Pages, startPages } from './support/browser.ts';

describe('the browser client on another origin', () => {
  let listed: Application;
  let unlisted: Application;
  let test: TestService;
  let service: string;
  let browser: Browser;

  before(async () => {
    const client = await bundleClient('front-end');
    [listed, unlisted] = await Promise.all([startApplication([], client), startApplication([], client)]);
    test = await startTestService('sqlite', { corsOrigins: [listed.origin] });
    service = await test.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await test?.close();
    await Promise.all([listed?.close(), unlisted?.close()]);
  });

  async function open({ origin }: Application): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(origin);
    return page;
  }
  /** What a call answers, or the message of its failure. */
  const call = (baseUrl: string) =>
    `createLatchkey({ baseUrl: '${baseUrl}' }).call('Session/GetCurrentLoginInfo').then(JSON.stringify, String)`;

  it('names CORS, the origin and the variable if the service does not list the origin, and works if it does', async () => {
    const message = await (await open(unlisted)).evaluate(call(service));
    assert.match(String(message), /CORS/);
    assert.ok(String(message).includes(`Add ${unlisted.origin} to LATCHKEY_CORS_ORIGINS`), String(message));
    assert.match(String(await (await open(listed)).evaluate(call(service))), /"user":null/);
  });

  it('names no CORS if the page has no network, or calls its own origin', async () => {
    const page = await open(unlisted);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    assert.equal(await page.evaluate(call('')), 'LatchkeyError: The service cannot be reached.');
    await page.context().setOffline(true);
    assert.equal(await page.evaluate(call(service)), 'LatchkeyError: The service cannot be reached.');
  });

  it('makes calls in a worker, which has no page', async () => {
    const page = await open(listed);
    const script = `import '${listed.origin}/client.js'; ${call(service)}.then(postMessage)`;
    const answer = await page.evaluate(`new Promise((resolve, reject) => {
      const address = URL.createObjectURL(new Blob([${JSON.stringify(script)}], { type: 'text/javascript' }));
      const worker = new Worker(address, { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    })`);
    assert.match(String(answer), /"user":null/);
  });
});

describe("a front end's own sign-in page on another origin", () => {
  let frontEnd: Application;
  /** The same page under a name that is another site than the service's. */
  let elsewhere: string;
  let pages: Pages;
  let grafana: ClientApplication;

  before(async () => {
    frontEnd = await startApplication([], await bundleClient('front-end'));
    elsewhere = `http://127.0.0.1:${frontEnd.port}`;
    const publicUrl = `http://localhost:${await findFreePort()}`;
    pages = await startPages('sqlite', { publicUrl, corsOrigins: [frontEnd.origin, elsewhere] });
    const { test } = pages;
    await test.createUser('ann');
    const call = { token: await test.admin(), body: { appKey: 'portal', name: 'Portal' } };
    assert.equal((await test.post('/api/services/app/FrontEndApp/Create', call)).status, 200);
    await test.set('Latchkey.Links', { allowedOrigins: [frontEnd.origin] });
    await test.set('Latchkey.Links.BaseAddress', `${frontEnd.origin}/account`, 'portal');
    grafana = await startClientApplication(pages, { name: 'Grafana', frontEnd: 'portal' });
  });
  after(async () => {
    await grafana?.close();
    await pages?.close();
    await frontEnd?.close();
  });

  /** What a call of the page answers, or the reason of its refusal. */
  const call = (page: Page, name: string, input: object) =>
    page.evaluate(`(globalThis.latchkey ??= createLatchkey({ baseUrl: '${pages.url}', frontEnd: 'portal' }))
      .call('${name}', ${JSON.stringify(input)}).catch(({ reason }) => ({ reason }))`) as Promise<
      Record<string, string>
    >;

  it('gets the requests of applications if that is set, and answers them', async () => {
    const page = await (await pages.open()).newPage();
    await page.goto(grafana.signInWith());
    await page.getByRole('heading', { name: 'Sign in to Grafana' }).waitFor();
    assert.equal(new URL(page.url()).origin, pages.url);

    await pages.test.set('Latchkey.Links.SignIn', true, 'portal');
    await page.goto(grafana.signInWith());
    const address = new URL(page.url());
    assert.equal(address.origin + address.pathname, `${frontEnd.origin}/account/login`);
    const authorization = address.searchParams.get('authorization');
    const request = await call(page, 'Authorization/Get', { authorization });
    assert.deepEqual([request.application, request.frontEnd], [{ name: 'Grafana' }, 'portal']);
    await call(page, 'TokenAuth/Authenticate', { userNameOrEmailAddress: 'ann', password: USER_PASSWORD });
    const { redirectTo = '' } = await call(page, 'Authorization/Continue', { authorization });
    await page.goto(redirectTo);
    await page.getByRole('heading', { name: 'Welcome ann' }).waitFor();
    // The browser is signed in, as after a sign-in on the pages of the service.
    await page.goto(grafana.signInWith());
    await page.getByRole('heading', { name: 'Welcome ann' }).waitFor();
    await page.context().close();
  });

  it('gets no answer on another site, where browsers keep the cookie back', async () => {
    await pages.test.set('Latchkey.Links.SignIn', true, 'portal');
    const page = await (await pages.open()).newPage();
    await page.goto(grafana.signInWith());
    const authorization = new URL(page.url()).searchParams.get('authorization');
    await page.goto(elsewhere);
    assert.equal((await call(page, 'Authorization/Get', { authorization })).reason, 'authorization.notFound');
    await page.context().close();
  });

  it('may send cookies with the two calls that need one, and with no other', async () => {
    const allows = async (path: string, method: 'GET' | 'OPTIONS' = 'GET') => {
      const headers = { origin: frontEnd.origin, 'access-control-request-method': 'POST' };
      const answer = await pages.test.app.inject({ method, url: path, headers });
      return answer.headers['access-control-allow-credentials'] === 'true';
    };
    const api = '/api/services/app';
    assert.ok(await allows(`${api}/Authorization/Get?authorization=x`));
    assert.ok(await allows(`${api}/Authorization/Continue`, 'OPTIONS'));
    for (const path of ['Session/GetAll', 'Session/GetCurrentLoginInfo', 'Authorization/EndSession', 'Device/Get'])
      assert.ok(!(await allows(`${api}/${path}`)), path);
    assert.ok(!(await allows('/api/TokenAuth/Authenticate', 'OPTIONS')));
    const answer = await pages.test.app.inject({
      url: `${api}/Authorization/Get`,
      headers: { origin: 'https://evil.example.com' },
    });
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  });
});
