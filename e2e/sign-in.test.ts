// Signing in with a password, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { itAtLength, spread } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  descriptionOf,
  type Pages,
  signIn,
  startPages,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

describe('signing in', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  it('leads to the account, and out again', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await signIn(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login?*');
    await page.getByText('You are signed out.').waitFor();
    await page.goto('/app', { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.close();
  });

  it('works by keyboard alone', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login');
    await page.locator('input[name=userNameOrEmailAddress]:focus').waitFor();
    await page.keyboard.type('admin');
    await page.keyboard.press('Tab');
    await page.keyboard.type(ADMIN_PASSWORD);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    const password = page.getByRole('textbox', { name: 'Password' });
    assert.deepEqual([await password.getAttribute('type'), await password.inputValue()], ['text', ADMIN_PASSWORD]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app');
    await context.close();
  });

  itAtLength('says that the session was ended elsewhere, also to a tab that only reloads', async () => {
    const id = await pages.test.createUser('ended');
    const context = await pages.open();
    const [page, other] = [await context.newPage(), await context.newPage()];
    const endAll = async () => {
      const call = { token: await pages.test.admin(), body: { userId: id } };
      assert.equal((await pages.test.post('/api/services/app/User/SignOutEverywhere', call)).status, 200);
    };
    await signIn(page, 'ended', USER_PASSWORD);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await endAll();
    await page.reload();
    await page.getByText('Your session has ended').waitFor();
    await signIn(page, 'ended', USER_PASSWORD);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto('about:blank');
    await endAll();
    await other.goto('/login');
    await other.getByLabel('User name or e-mail address').fill('typed');
    await other.waitForLoadState('networkidle');
    assert.equal(await other.getByLabel('User name or e-mail address').inputValue(), 'typed', 'the page stays');
    await context.close();
  });

  it('leads to the requested page, if it belongs to these pages', async () => {
    const places = {
      '/app/users?keyword=a': '/app/users?keyword=a',
      '//evil.example/x': '/app',
      'javascript:alert(1)': '/app',
    };
    for (const [to, place] of Object.entries(places)) {
      const context = await pages.open();
      const page = await context.newPage();
      await page.goto(`/login?to=${encodeURIComponent(to)}`);
      await page.getByLabel('User name or e-mail address').fill('admin');
      await page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL(pages.url + place);
      await context.close();
    }
  });

  it('leads to no other site, also at once where a person is signed in', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await signIn(page);
    await context.route(
      (url) => url.pathname === '/app' || url.hostname !== '127.0.0.1',
      (route) => route.fulfill({ body: 'the end' }),
    );
    const spellings = [
      ...['/..//', '/x/..//', '/%2e%2e//', '/.%5c%5c', '/..%2f%2f', '//', '/%09/'].map((start) => `/login?to=${start}`),
      '/login/pin?to=/.//',
      '/login/external/none?to=/..//',
    ];
    for (const path of spread(spellings, 4)) {
      await page.goto(`${path}evil.example`);
      await page.getByText('the end').waitFor();
      assert.equal(page.url(), `${pages.url}/app`, path);
    }
    await context.close();
  });

  it('says what is wrong beside the fields, and moves the focus there', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const name = page.getByLabel('User name or e-mail address');
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.evaluate('document.activeElement?.name'), 'userNameOrEmailAddress');
    await name.fill('admin');
    await page.getByLabel('Password', { exact: true }).fill('not it');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The user name or the password is wrong.').waitFor();
    await page.locator('input[name=password]:focus').waitFor();
    assert.equal(await page.evaluate('getSelection().toString().length'), 6, 'the wrong password is typed over');
    await context.close();
  });

  it('asks for another password first where one must be changed, also after a reload, or after signing out', async () => {
    const id = await pages.test.createUser('sipho', { requireChangePassword: true });
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login?to=/app/elsewhere');
    const begin = async () => {
      await page.getByLabel('User name or e-mail address').fill('sipho');
      await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    };
    const change = page.getByRole('button', { name: 'Change the password' });
    await begin();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await begin();
    const call = { token: await pages.test.admin(), body: { userId: id } };
    await pages.test.post('/api/services/app/User/SignOutEverywhere', call);
    await page.getByLabel('New password', { exact: true }).fill('a walk by the river');
    await page.getByLabel('Repeat the new password').fill('a walk by the river');
    await change.click();
    await page.getByText('Your session has ended. Please sign in again.').waitFor();
    await begin();
    await page.reload();
    await page.getByLabel('Current password').fill('not it');
    await page.getByLabel('New password', { exact: true }).fill('a walk by the river');
    await page.getByLabel('Repeat the new password').fill('a walk by the lake');
    await change.click();
    await page.getByText('Type the same password twice.').waitFor();
    await page.getByLabel('Repeat the new password').fill('a walk by the river');
    await assertAccessible(page);
    await change.click();
    await page.getByText('The current password is wrong.').waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'currentPassword');
    await page.getByLabel('Current password').fill(USER_PASSWORD);
    await change.click();
    await page.waitForURL(`${pages.url}/app/elsewhere`);
    await pages.test.signIn('sipho', 'a walk by the river');
    await context.close();
  });

  it('connects the password rules to their field, and announces the state when typing pauses', async () => {
    await pages.test.set('Abp.Zero.UserManagement.PasswordComplexity.RequireDigit', true);
    await pages.test.createUser('zola', { requireChangePassword: true, password: 'a walk by 1 river' });
    const context = await pages.open();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto('/login');
    await page.getByLabel('User name or e-mail address').fill('zola');
    await page.getByLabel('Password', { exact: true }).fill('a walk by 1 river');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const password = page.getByLabel('New password', { exact: true });
    await page.getByText('at least 12 characters').waitFor();
    assert.match(await descriptionOf(password), /at least 12 characters: not met yet\. *a digit: not met yet\./);
    const told = page.getByText(/^The password (still needs|meets)/);
    // By itself it would go on between two letters, on a busy machine for longer than the pause.
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const letter of 'a walk by the sea') {
      await password.press(letter);
      await page.clock.runFor(400);
      assert.equal(await told.count(), 0);
    }
    assert.match(await descriptionOf(password), /at least 12 characters: met\. *a digit: not met yet\./);
    await page.clock.runFor(2000);
    assert.equal(await told.textContent(), 'The password still needs a digit.');
    assert.equal(await told.getAttribute('role'), 'status');
    await password.press('7');
    await page.clock.runFor(2000);
    assert.equal(await told.textContent(), 'The password meets all of these rules.');
    await pages.test.set('Abp.Zero.UserManagement.PasswordComplexity.RequireDigit', false);
    await context.close();
  });

  it('shows text of administrators as text', async () => {
    const name = '<img src=x onerror="document.title=1">&amp;';
    await pages.test.set('Latchkey.Application', { name });
    const context = await pages.open();
    const page = await context.newPage();
    for (const path of ['/login', '/login/pin', '/forgot-password', '/reset-password', '/register']) {
      await page.goto(path);
      await page.getByText(name, { exact: true }).waitFor();
      assert.equal(await page.locator('img[src=x]').count(), 0);
    }
    await pages.test.set('Latchkey.Application', { name: 'Latchkey' });
    await context.close();
  });

  it('counts down the time to wait', async () => {
    await pages.test.set('Latchkey.RateLimiting', { loginPermitLimit: 1 });
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByLabel('User name or e-mail address').fill('nobody');
    await page.getByLabel('Password', { exact: true }).fill('nothing');
    const submit = page.getByRole('button', { name: 'Sign in', exact: true });
    await submit.click();
    await page.getByRole('alert').waitFor();
    await submit.click();
    await page.getByText(/You can try again in \d+ seconds\./).waitFor();
    await pages.test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000 });
    await context.close();
  });

  it('says that a name is locked, counts down, and says when it is over', async () => {
    await pages.test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000 });
    const context = await pages.open();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto('/login');
    await page.getByLabel('User name or e-mail address').fill('locked by me');
    await page.getByLabel('Password', { exact: true }).fill('nothing');
    const submit = page.getByRole('button', { name: 'Sign in', exact: true });
    const locked = page.getByText('Locked for now');
    await page.evaluate(`new MutationObserver(() => {
      const notice = document.querySelector('[role=alert]')?.textContent ?? '';
      if (notice.includes('Locked for now')) globalThis.atFirst ??= notice;
    }).observe(document.body, { childList: true, subtree: true })`);
    for (let tries = 0; (await locked.count()) === 0; tries += 1) {
      assert.ok(tries < 10, 'the name is not locked');
      await submit.click();
      await page.getByRole('alert').waitFor();
      await page.locator('button[data-loading]').waitFor({ state: 'detached' });
    }
    // Time passes for the page by itself as well.
    await page
      .getByText(/^You can try again in (5 minutes|4 minutes 5\d seconds)\.$/)
      .first()
      .waitFor();
    assert.match(String(await page.evaluate('atFirst')), /You can try again in/, 'screen readers read it at once');
    await page.clock.runFor(61_000);
    await page.getByText(/^You can try again in 3 minutes \d+ seconds?\.$/).waitFor();
    await assertAccessible(page);
    await page.clock.runFor(300_000);
    await page.getByText('You can try again now.').waitFor();
    await context.close();
  });

  it('marks the method that was used last in this browser, and does not tell who used it', async () => {
    await pages.test.createUser('busi');
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Sign in with a code' }).waitFor();
    assert.equal(await page.getByText('Last used').filter({ visible: true }).count(), 0);
    await signIn(page, 'busi', USER_PASSWORD);
    const kept = String(await page.evaluate('JSON.stringify(Object.entries(localStorage))'));
    assert.ok(kept.includes('"latchkey::last-method","password"') && !kept.includes('busi'), kept);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByText('You are signed out.').waitFor();
    const submit = page.getByRole('button', { name: 'Sign in', exact: true });
    assert.equal(await descriptionOf(submit), 'Last used');
    await submit.getByText('Last used').waitFor();
    await context.close();
  });

  it('moves nothing while it loads', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await page.addInitScript(`
      globalThis.shifts = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((one) => (globalThis.shifts += one.value)))
        .observe({ type: 'layout-shift', buffered: true });
    `);
    // Slow answers, in another order than on a quick network.
    for (const [call, delay] of [
      ['GetSignInPages', 600],
      ['GetValue', 300],
      ['GetBrand', 100],
    ] as const) {
      await page.route(`**/api/services/app/*/${call}*`, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, delay));
        await route.continue();
      });
    }
    await page.goto('/login');
    await page.getByRole('link', { name: 'Sign in with a code' }).waitFor();
    await page.waitForLoadState('networkidle');
    // Letters may move by a pixel when the font arrives.
    const shifts = Number(await page.evaluate('globalThis.shifts'));
    assert.ok(shifts < 0.001, String(shifts));
    await context.close();
  });

  it('shows accessible pages only', () =>
    assertAccessibleEverywhere(pages, async (page) => {
      await page.goto('/login');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
    }));
});
