// The tab "Connect" of applications and the page "Connect" of front ends, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { findFreePort } from '../server/test/support/ports.ts';
import {
  assertAccessibleEverywhere,
  type OpenOptions,
  openSignedIn,
  type Pages,
  startPages,
  tabTo,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const CALLBACK = 'https://shop.example.com/auth/callback';
const ANDROID_APP = `android:apk-key-hash:${'x'.repeat(42)}A`;

describe('the pages that connect programs', () => {
  let pages: Pages;
  let count = 0;
  before(async () => {
    const publicUrl = `http://127.0.0.1:${await findFreePort()}`;
    pages = await startPages('sqlite', { publicUrl, corsOrigins: ['https://portal.example.com', ANDROID_APP] });
    await liftLimits(pages);
    const body = { appKey: 'portal', name: 'Portal' };
    await pages.test.post('/api/services/app/FrontEndApp/Create', { token: await pages.test.admin(), body });
  });
  after(() => pages.close());

  async function open(path: string, options: OpenOptions = {}) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await openSignedIn(page, path);
    return { context, page };
  }
  async function create(kind: string, more: Record<string, unknown> = {}) {
    count += 1;
    const redirectUris = kind === 'machine' ? [] : [CALLBACK];
    const body = { name: `Shop ${count}`, kind, clientId: `shop-${count}`, redirectUris, ...more };
    const token = await pages.test.admin();
    const { status, text, result } = await pages.test.post('/api/services/app/Application/Create', { token, body });
    assert.equal(status, 200, text);
    return { ...result, path: `/app/applications/${result.id}` };
  }
  const codes = (page: Page) => page.locator('pre').allInnerTexts();
  const tryButton = (page: Page, uri = CALLBACK) => page.getByRole('button', { name: `Try ${uri}`, exact: true });

  it('fill in what a web application needs, by keyboard alone, and try its sign-in to the end', async () => {
    const postLogoutRedirectUris = ['https://shop.example.com/'];
    const { path, clientId } = await create('web', { postLogoutRedirectUris });
    const { context, page } = await open(path);
    await tabTo(page, page.getByRole('tab', { name: 'Application', exact: true }));
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Environment' }).waitFor();
    assert.match(page.url(), /\?tab=connect$/);
    const [variables = '', code = ''] = await codes(page);
    const lines = [
      `LATCHKEY_URL=${pages.url}`,
      `LATCHKEY_CLIENT_ID=${clientId}`,
      'LATCHKEY_CLIENT_SECRET=CLIENT_SECRET',
    ];
    assert.deepEqual(variables.split('\n').slice(0, 3), lines);
    assert.match(variables, /\nSESSION_SECRET=[\w-]{43}$/);
    assert.ok(
      code.includes(`redirectUri: '${CALLBACK}',\n    postLogoutRedirectUri: 'https://shop.example.com/',`),
      code,
    );
    await tryButton(page).press('Enter');
    await page.getByText('Accepted', { exact: true }).waitFor();
    await context.route('https://shop.example.com/**', (route) => route.fulfill({ body: 'the shop' }));
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in in a new tab' }).press('Enter');
    const shop = await opened;
    await shop.waitForURL(`${CALLBACK}?**`);
    const answer = new URL(shop.url()).searchParams;
    assert.match(answer.get('code') ?? '', /./);
    assert.match(answer.get('state') ?? '', /^trial-/);
    await context.close();
  });

  it('say why the service refuses a request', async () => {
    const { id, path } = await create('web', { redirectUris: [CALLBACK, 'https://shop.example.com/other'] });
    const { context, page } = await open(`${path}?tab=connect`);
    await tryButton(page).waitFor();
    // Another administrator changes it meanwhile.
    const token = await pages.test.admin();
    const update = (body: object) =>
      pages.test.send('PUT', '/api/services/app/Application/Update', { token, body: { id, ...body } });
    await update({ redirectUris: ['https://shop.example.com/other'] });
    await tryButton(page).click();
    await page.getByText('The service refuses the request').waitFor();
    await page.getByText('redirect_uri').waitFor();
    await update({ redirectUris: [CALLBACK] });
    await tryButton(page).click();
    await page.getByText('Accepted', { exact: true }).waitFor();
    await update({ isEnabled: false });
    await tryButton(page).click();
    await page.getByText('The service refuses the request').waitFor();
    await page.context().setOffline(true);
    await tryButton(page).click();
    await page.getByText('The service did not answer.').waitFor();
    await context.close();
  });

  it('show each kind of application what it needs', async () => {
    const browser = await create('browser', { redirectUris: ['http://localhost:5173/callback', CALLBACK] });
    const { context, page } = await open(`${browser.path}?tab=connect`);
    await page.getByText('Allowed origins').waitFor();
    for (const origin of ['http://localhost:5173', 'https://shop.example.com'])
      await page.getByText(origin, { exact: true }).waitFor();
    assert.match((await codes(page)).join(), /redirect_uri: 'http:\/\/localhost:5173\/callback'/);
    const native = await create('native', { redirectUris: ['com.example.shop:/callback'] });
    await page.goto(`${native.path}?tab=connect`);
    await tryButton(page, 'com.example.shop:/callback').click();
    await page.getByText('Accepted', { exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Sign in in a new tab' }).count(), 0);
    assert.match((await codes(page)).join(), /redirectUrl: 'com.example.shop:\/callback'/);
    const machine = await create('machine');
    await page.goto(`${machine.path}?tab=connect`);
    await page.getByText(`curl --user ${machine.clientId}:CLIENT_SECRET`).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Try it' }).count(), 0);
    assert.doesNotMatch((await codes(page)).join(), /resource/);
    const caller = await create('machine', { resources: ["https://api.example.com/?a='b'&c", 'books'] });
    await page.goto(`${caller.path}?tab=connect`);
    await page.getByText(`curl --user ${caller.clientId}:CLIENT_SECRET`).waitFor();
    const line = "\n  --data-urlencode 'resource=https://api.example.com/?a='\\''b'\\''&c' \\\n";
    assert.ok((await codes(page)).join().includes(line));
    await context.close();
  });

  it('tell whether the origin of a front end may call the service, and lead to its sign-in page', async () => {
    const { context, page } = await open('/app/front-ends');
    await page.getByRole('link', { name: 'Connect Portal' }).click();
    await page.getByRole('heading', { name: 'Connect Portal', level: 1 }).waitFor();
    const field = page.getByLabel('Origin of the front end');
    await field.fill('https://portal.example.com/start?x');
    await page.getByText('Allowed', { exact: true }).waitFor();
    await field.fill('http://localhost:5173');
    const line = `LATCHKEY_CORS_ORIGINS=https://portal.example.com,${ANDROID_APP},http://localhost:5173`;
    await page.getByText(line, { exact: true }).waitFor();
    for (const wrong of ['portal', 'mailto:x@example.com']) {
      await field.fill(wrong);
      await page.getByText('Write it like https://portal.example.com').waitFor();
    }
    assert.ok((await codes(page)).join().includes(`baseUrl: '${pages.url}',\n  frontEnd: 'portal',`));
    // The page leaves that address again: its reader is signed in.
    const asked = context.waitForEvent('request', (request) => request.isNavigationRequest());
    await page.getByRole('link', { name: 'Open the sign-in page' }).click();
    assert.equal((await asked).url(), `${pages.url}/login?frontEnd=portal`);
    await page.goto('/app/front-ends/nowhere/connect');
    await page.getByRole('alert').waitFor();
    await context.close();
  });

  it('speak German', async () => {
    const { path } = await create('web');
    const { context, page } = await open(`${path}?tab=connect`, { locale: 'de-DE' });
    await page.getByText('Umgebung', { exact: true }).waitFor();
    await page.getByRole('button', { name: `${CALLBACK} ausprobieren` }).click();
    await page.getByText('Der Dienst nimmt die Anfrage an.').waitFor();
    await context.close();
  });

  it('are accessible', async () => {
    const { path } = await create('web', { redirectUris: [`${CALLBACK}/${'long'.repeat(40)}`] });
    await assertAccessibleEverywhere(
      pages,
      async (page) => {
        await openSignedIn(page, `${path}?tab=connect`);
        await page.getByRole('button', { name: /^Try https/ }).click();
        await page.getByText('Accepted', { exact: true }).waitFor();
      },
      async (page) => {
        await openSignedIn(page, '/app/front-ends/portal/connect');
        await page.getByLabel('Origin of the front end').fill('http://localhost:5173');
        await page.getByText('Browsers refuse its calls.').waitFor();
      },
    );
  });
});
