// The browser client on an origin that is not the service's: what it says when the service does not allow that origin.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../server/test/support/service.ts';
import { type Application, bundleClient, startApplication } from './support/application.ts';
import { launchBrowser } from './support/browser.ts';

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
