// The pages while the service is out of reach, and after an upgrade, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import { assertAccessible, openSignedIn, type Pages, startPages } from './support/browser.ts';
import { enrollApp, giveFirstFactor, setFactors } from './support/factors.ts';
import { liftLimits } from './support/messages.ts';

describe('the pages', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  async function open(path = '/account') {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, `/app${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { context, page };
  }

  const section = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const unreachable = (page: Page) => page.getByRole('main').getByText('The service cannot be reached.');
  const missing = (page: Page) => page.getByText('A part of this page could not be loaded.');

  /** Ends an outage as the browser hears of it. */
  async function comeBack(page: Page) {
    await page.unrouteAll();
    await page.evaluate("dispatchEvent(new Event('online'))");
  }

  /** Counts how often the page is loaded, from the moment when it is asked for: before the files that it asks for then. */
  function countLoads(page: Page) {
    const loads = { count: 0 };
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads.count += 1;
    });
    return loads;
  }

  it('keep the shell without a connection, and load what was opened when it is back', async () => {
    const { context, page } = await open();
    const loads = countLoads(page);
    await context.setOffline(true);
    await section(page, 'Users').click();
    await unreachable(page).waitFor();
    await page.getByText('This loads by itself when the service answers again.').waitFor();
    await page.mouse.move(0, 0);
    await assertAccessible(page);
    await context.setOffline(false);
    await heading(page, 'Users').waitFor();
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor();
    const table = page.getByRole('table', { name: 'Users' });
    const style = await table.evaluate(
      (element) => element.ownerDocument.defaultView?.getComputedStyle(element).borderCollapse,
    );
    assert.equal(style, 'collapse', 'the style sheets are there');

    await context.setOffline(true);
    await page.getByLabel('Search').fill('nobody');
    await unreachable(page).waitFor();
    assert.equal(await page.getByRole('link', { name: 'admin', exact: true }).count(), 0);
    await section(page, 'My account').click();
    await heading(page, 'My account').waitFor();
    await page.goBack();
    await context.setOffline(false);
    await page.getByText('No users match.').waitFor();
    assert.equal(loads.count, 0, 'nothing was reloaded');
    await context.close();
  });

  itAtLength('keep the page and what is typed while a part of the shell cannot be loaded', async () => {
    const { context, page } = await open('/roles');
    await page
      .getByRole('button', { name: /^Edit / })
      .first()
      .waitFor();
    await page.getByLabel('Search').fill('User');
    await page.route(/assets|health/, (route) => route.abort());
    await page.keyboard.press('Control+K');
    const waiting = page.getByRole('dialog', { name: 'Find' });
    await waiting.getByText('The service cannot be reached.').waitFor();
    await page.keyboard.type('outb');
    await comeBack(page);
    const palette = page.getByLabel('Search pages, users, settings and guides');
    await palette.waitFor();
    assert.equal(await palette.inputValue(), 'outb');
    await context.setOffline(true);
    await palette.fill('zebra crossing');
    await page.getByRole('dialog').getByText('The service cannot be reached.').waitFor();
    await context.setOffline(false);
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByLabel('Search').inputValue(), 'User');

    await page.route(/assets|health/, (route) => route.abort());
    await page.getByRole('button', { name: /^Menu of/ }).click();
    const told = page.getByRole('dialog', { name: 'Not loaded' });
    await told.waitFor();
    let tries = 0;
    page.on('request', (request) => {
      if (request.url().includes('/account-menu-')) tries += 1;
    });
    await told.getByRole('button', { name: 'Close' }).click();
    await told.waitFor({ state: 'detached' });
    // The browser tells requests in their order: what the closing asked for is known before this one has failed.
    await page.evaluate("fetch('/health/ready').catch(() => {})");
    assert.equal(tries, 0, 'what was closed does not load: it would open by itself');
    await page.unrouteAll();
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).waitFor();
    await context.close();
  });

  itAtLength('try again by themselves when the service answers 503 no more', async () => {
    const { context, page } = await open();
    const error = { reason: 'service.unavailable', message: 'The database is out of reach.', details: '' };
    await page.route('**/Role/GetAll?*', (route) => route.fulfill({ status: 503, json: { success: false, error } }));
    await section(page, 'Roles').click();
    await page.getByText(error.message).waitFor();
    await page.getByText('This loads by itself').waitFor();
    await comeBack(page);
    await page.getByRole('button', { name: 'Edit UserManager' }).waitFor();
    await context.close();
  });

  it('reload once after an upgrade has replaced their files', async () => {
    const { context, page } = await open();
    const loads = countLoads(page);
    await page.route('**/assets/roles-page-*.js', (route) =>
      loads.count === 0 ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await section(page, 'Roles').click();
    await heading(page, 'Roles').waitFor();
    assert.equal(loads.count, 1);
    await context.close();
  });

  itAtLength('reload no second time while a file stays missing, and say so within the shell', async () => {
    const { context, page } = await open();
    const loads = countLoads(page);
    await page.route('**/assets/roles-page-*.js', (route) => route.fulfill({ status: 404 }));
    await section(page, 'Roles').click();
    await page.waitForEvent('domcontentloaded');
    await missing(page).waitFor();
    const probed = page.waitForResponse('**/health/ready');
    await page.evaluate("dispatchEvent(new Event('online'))");
    await probed;
    await section(page, 'Users').click();
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor();
    assert.equal(loads.count, 1);
    await section(page, 'Roles').click();
    await missing(page).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Roles').waitFor();
    await context.close();
  });

  itAtLength('before the sign-in do the same', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    const loads = countLoads(page);
    await page.route('**/assets/login-page-*.js', (route) => route.fulfill({ status: 404 }));
    await page.goto('/login');
    await page.waitForEvent('domcontentloaded');
    await missing(page).waitFor();
    assert.equal(loads.count, 2);
    await assertAccessible(page);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('User name or e-mail address').waitFor();
    await page.route('**/assets/pin-page-*.js', (route) => route.abort());
    await page.route('**/health/ready', (route) => route.abort());
    await page.goto('/login/pin');
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unrouteAll();
    await page.getByLabel('User name, e-mail address or mobile number').waitFor();
    await context.close();
  });

  itAtLength('keep the challenge of a sign-in while its second factor cannot be loaded', async () => {
    await pages.test.createUser('ann');
    await setFactors(pages, { authenticator: true });
    const { app } = await enrollApp(pages, 'ann');
    const context = await pages.open();
    const page = await context.newPage();
    const loads = countLoads(page);
    await page.route(/second-factor-|health/, (route) => route.abort());
    await giveFirstFactor(page, 'ann');
    await page.getByText('The service cannot be reached.').waitFor();
    await assertAccessible(page);
    await page.unroute(/second-factor-|health/);
    await page.route('**/assets/second-factor-*.js', (route) => route.fulfill({ status: 404 }));
    await page.evaluate("dispatchEvent(new Event('online'))");
    await missing(page).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    assert.equal(loads.count, 1, 'nothing was reloaded');
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await page.waitForURL('**/app');

    const other = await (await pages.open()).newPage();
    await other.route(/second-factor-|health/, (route) => route.abort());
    await giveFirstFactor(other, 'ann');
    await other.getByText('This loads by itself when the service answers again.').waitFor();
    await comeBack(other);
    await other.getByLabel('Code', { exact: true }).fill(app.next());
    await other.waitForURL('**/app');
    await other.context().close();
    await context.close();
  });

  itAtLength(
    'reload once when an upgrade has replaced what follows a sign-in, and go on with its session',
    async () => {
      await pages.test.createUser('lerato', { requireChangePassword: true });
      const context = await pages.open();
      const page = await context.newPage();
      const loads = countLoads(page);
      await page.route('**/assets/change-password-*.js', (route) =>
        loads.count === 1 ? route.fulfill({ status: 404 }) : route.continue(),
      );
      await giveFirstFactor(page, 'lerato');
      await page.getByLabel('Current password', { exact: true }).fill(USER_PASSWORD);
      assert.equal(loads.count, 2);
      await page.getByLabel('New password', { exact: true }).fill('lantern gravel staple');
      await page.getByLabel('Repeat the new password').fill('lantern gravel staple');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.waitForURL('**/app');
      await context.close();
    },
  );
});
