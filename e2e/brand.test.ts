// The brand of a front end: edited beside a preview, and shown on the pages of that front end alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { png, svg } from '../server/test/support/pictures.ts';
import { itAtLength } from '../server/test/support/scale.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  hold,
  openSignedIn,
  type Pages,
  startPages,
  untilAttentive,
  waitForValue,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const API = '/api/services/app/FrontEndApp';

describe('the brand of a front end', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    const token = await pages.test.admin();
    for (const [appKey, name] of [
      ['portal', 'Portal'],
      ['kiosk', 'The kiosk of the municipality of Bad Homburg vor der Höhe'],
    ] as const) {
      const { status, text } = await pages.test.post(`${API}/Create`, { token, body: { appKey, name } });
      assert.equal(status, 200, text);
    }
    await pages.test.set('Shesha.UserManagement', { supportedRegistrationMethods: 2 });
  });
  after(() => pages.close());

  const preview = (page: Page) => page.frameLocator('iframe[title=Preview]');

  it('is edited beside a preview, and shown on every page of the front end', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app/front-ends');
    await page.getByRole('link', { name: 'Brand of Portal' }).click();
    await page.getByRole('heading', { name: 'Brand of Portal', level: 1 }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await preview(page).getByText('Acme', { exact: true }).waitFor();
    const upload = await hold(page, '**/FrontEndApp/UploadLogo');
    const button = preview(page).locator('button').first();
    const radius = await button.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).borderRadius);
    assert.notEqual(radius, '0px', 'the preview has the theme');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'logo.svg',
        mimeType: 'image/svg+xml',
        buffer: svg('<rect width="10" height="10" fill="#0a7f5a"/><path d="M0 0" onclick="alert(1)"/>'),
      });
    await upload.arrive();
    await page.locator('input[name=accent]').fill('#ffd400');
    upload.release();
    await preview(page).getByRole('img', { name: 'Acme', includeHidden: true }).waitFor({ state: 'attached' });
    await page.getByText('As a link, this colour has a contrast of 1.4 : 1 on white.').waitFor();
    await page.getByRole('button', { name: 'Use #7f6a00 for both' }).click();
    assert.equal(await page.locator('input[name=accent]').inputValue(), '#7f6a00');
    await page.getByLabel('Terms of use').fill('javascript:alert(1)');
    await page.getByLabel('Support').fill('mailto:help@acme.example');
    await page.getByRole('button', { name: 'Add a language' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Welcome to Acme');
    await page.getByLabel('Note', { exact: true }).fill('Use your staff number.');
    await preview(page).getByText('Welcome to Acme').waitFor();
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText('Write the address of terms like https://example.com/terms.').waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'terms');
    await page.getByLabel('Terms of use').fill('https://acme.example/terms');
    await assertAccessible(page);
    await save.click();
    await page.getByText('The brand of Portal was saved.').waitFor();
    await context.close();

    const stranger = await (await pages.open()).newPage();
    await stranger.goto('/login?frontEnd=portal&to=/app/account');
    await stranger.getByRole('heading', { name: 'Welcome to Acme' }).waitFor();
    await stranger.getByText('Use your staff number.').waitFor();
    for (const link of ['Forgot your password?', 'Create an account', 'Sign in with a code']) {
      await stranger.goto('/login?frontEnd=portal&to=/app/account');
      await stranger.getByRole('link', { name: link }).click();
      await stranger.waitForURL(/\?frontEnd=portal&to=%2Fapp%2Faccount$/);
      await stranger.getByRole('img', { name: 'Acme' }).waitFor();
      assert.equal(
        await stranger.getByRole('link', { name: 'Terms' }).getAttribute('href'),
        'https://acme.example/terms',
      );
      assert.equal(
        await stranger.getByRole('link', { name: 'Support' }).getAttribute('href'),
        'mailto:help@acme.example',
      );
    }
    await stranger.context().close();
  });

  it('is not saved by Ctrl S while its button is disabled', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app/front-ends/kiosk/brand');
    await page.locator('h1:focus').waitFor();
    const save = page.getByRole('button', { name: 'Save' });
    assert.equal(await save.isDisabled(), true);
    const calls: string[] = [];
    page.on('request', (request) => void (request.url().includes('UpdateValue') && calls.push(request.url())));
    await page.keyboard.press('Control+S');
    await untilAttentive(page);
    assert.deepEqual(calls, []);
    await page.getByLabel('Support').fill('mailto:help@kiosk.example');
    await page.keyboard.press('Control+S');
    await page.getByText(/was saved\./).waitFor();
    await context.close();
  });

  it('has an address of its sign-in page, which the page copies where it can', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app/front-ends/portal/brand');
    const copy = page.getByRole('button', { name: 'Copy: Address of its sign-in page' });
    const copied = page.getByRole('button', { name: 'Copied', exact: true });
    // Stands in for a browser whose user has forbidden it.
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
    await copy.click();
    await untilAttentive(page);
    assert.equal(await copied.count(), 0);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.reload();
    await copy.click();
    await copied.waitFor();
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /\/login\?frontEnd=portal$/);
    await page.addInitScript("Object.defineProperty(globalThis, 'isSecureContext', { value: false })");
    await page.reload();
    await page.getByRole('link', { name: /\/login\?frontEnd=portal$/ }).waitFor();
    assert.equal(await copy.count(), 0);
    await context.close();
  });

  it('comes from registered front ends only, however the address of a page is made', async () => {
    const page = await (await pages.open()).newPage();
    for (const key of ['unknown', 'PORTAL', 'https://evil.example', '"><script>', 'a%0d%0ax', 'a'.repeat(5000), '']) {
      await page.goto(`/login?frontEnd=${key}&terms=https://evil.example&name=Evil&logo=https://evil.example/x.svg`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByText('Latchkey', { exact: true }).waitFor();
      assert.equal(await page.locator('a[href*=evil]').count(), 0, key);
      assert.equal(await page.locator('img[src*=evil]').count(), 0, key);
    }
    await page.context().close();
  });

  itAtLength('is taken back by a notification, and kept apart from the change of another administrator', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app/front-ends/kiosk/brand');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Kiosk');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/was saved\./).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForValue(name, '');
    await name.fill('Mine');
    await pages.test.set('Latchkey.Brand', { name: 'Theirs' }, 'kiosk');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another administrator has changed this brand.').waitFor();
    assert.equal(await name.inputValue(), 'Mine');
    await pages.test.set('Latchkey.Brand', { name: '' }, 'kiosk');
    await context.close();
  });

  it('keeps what is typed while the connection was lost, and while the saved brand is read', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app/front-ends/kiosk/brand');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Kiosk');
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().includes('/FrontEndApp/GetAll')) reads += 1;
    });
    await page.evaluate("dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))");
    // The browser tells requests in their order.
    await page.evaluate("fetch('/health/ready').then(() => {})");
    assert.equal(reads, 0);
    const reading = await hold(page, '**/FrontEndApp/GetAll*');
    await name.press('Enter');
    await reading.arrive();
    await name.press('End');
    await name.press('s');
    reading.release();
    await page.locator('button[type=submit]:not(:disabled)').waitFor();
    assert.equal(await name.inputValue(), 'Kiosks');
    assert.equal(await page.evaluate('document.activeElement?.name'), 'name');
    await pages.test.set('Latchkey.Brand', { name: '' }, 'kiosk');
    await context.close();
  });

  it('says what is wrong with a logo', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app/front-ends/kiosk/brand');
    const files: [name: string, buffer: Buffer, told: RegExp][] = [
      ['a.svg', svg('<script>alert(1)</script>'), /holds <script>, which is not accepted/],
      ['a.png', png(1100, 2), /1100 × 2 pixels\. Use at most 1024 × 1024/],
      ['a.png', Buffer.alloc(900_000), /Use at most 200 kB/],
    ];
    for (const [file, buffer, told] of files) {
      await page.locator('input[type=file]').first().setInputFiles({ name: file, mimeType: 'image/png', buffer });
      await page.getByRole('alert').getByText(told).waitFor();
    }
    await context.close();
  });

  it('leaves the list of languages legible, which has no background of the brand', async () => {
    await pages.test.set('Latchkey.Brand', { backgroundLight: '#101820' }, 'kiosk');
    const page = await (await pages.open()).newPage();
    await page.goto('/login?frontEnd=kiosk');
    const language = page.getByRole('combobox', { name: 'Language' });
    const colours = () =>
      language.evaluate((list) =>
        [list, list.querySelector('option')].map((one) => {
          const style = one?.ownerDocument.defaultView?.getComputedStyle(one);
          return [style?.color, style?.backgroundColor];
        }),
      );
    const transparent = 'rgba(0, 0, 0, 0)';
    assert.deepEqual(await colours(), [
      ['rgb(255, 255, 255)', transparent],
      ['rgb(15, 28, 38)', 'rgb(255, 255, 255)'],
    ]);
    await page.context().close();
  });

  itAtLength('shows accessible pages only, in any colour', async () => {
    await pages.test.set(
      'Latchkey.Brand',
      { accent: '#ffd400', backgroundLight: '#ffee88', backgroundDark: '#202020', terms: 'https://acme.example/terms' },
      'kiosk',
    );
    await assertAccessibleEverywhere(
      pages,
      async (page) => {
        await page.goto('/login?frontEnd=kiosk');
        await page.getByRole('link', { name: 'Terms' }).waitFor();
      },
      ...['/app/front-ends', '/app/front-ends/kiosk/brand'].map((path) => async (page: Page) => {
        await openSignedIn(page, path);
        await page
          .getByText(/municipality/)
          .first()
          .waitFor();
      }),
    );
  });
});
