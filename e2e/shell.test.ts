// What surrounds every page of the application: navigation, shortcuts, account menu, notifications.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { itAtLength, spread } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  comeBackLater,
  hold,
  type OpenOptions,
  openSignedIn,
  type Pages,
  startPages,
  tabTo,
  untilAttentive,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

describe('the shell of the application', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    await pages.test.createUser('thandi', { name: 'Thandi', surname: 'Mokoena' });
  });
  after(() => pages.close());

  async function openAt(path: string, options: OpenOptions = {}, name = 'admin', password = ADMIN_PASSWORD) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await openSignedIn(page, `/app${path}`, name, password);
    // The heading takes the focus some time after it is drawn, from what a test would have given it to.
    await page.locator('h1:focus').waitFor();
    return { context, page };
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const focused = (page: Page) => page.locator('*:focus');
  const palette = (page: Page) => page.getByLabel('Search pages, users, settings and guides');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const menu = (page: Page) => page.getByRole('button', { name: /^(Menu of|Menü von)/ });
  const create = async (name: string) => {
    const body = { name, description: 'As it was' };
    await pages.test.post('/api/services/app/Role/Create', { token: await pages.test.admin(), body });
  };
  const readRole = async (name: string) => {
    const token = await pages.test.admin();
    const { result } = await pages.test.get('/api/services/app/Role/GetAll', { token, query: { keyword: name } });
    return result.items.find((role) => role.name === name);
  };

  it('opens each section, with a title of its own and a link to its guide', async () => {
    const { context, page } = await openAt('/account');
    const navigation = page.getByRole('navigation', { name: 'Sections' });
    await page.evaluate(`globalThis.late = new Set();
      new MutationObserver(() => {
        const heading = document.querySelector('h1')?.textContent;
        if (heading && !document.title.startsWith(heading)) late.add(heading);
      }).observe(document.body, { childList: true, subtree: true, characterData: true })`);
    const titles = new Set<string>();
    const heights = new Set<number>();
    const names = await navigation.getByRole('link').allTextContents();
    assert.ok(names.includes('Roles') && names.includes('API explorer'), names.join(', '));
    const withGuide = spread(names, 4);
    for (const name of names) {
      await navigation.getByRole('link', { name, exact: true }).click();
      await navigation.locator('[aria-current=page]').getByText(name, { exact: true }).waitFor();
      // With the focus it comes into view, after the place where the former page was left.
      await heading(page, name).and(focused(page)).waitFor();
      titles.add(await page.title());
      heights.add(Math.round((await heading(page, name).boundingBox())?.y ?? 0));
      if (name === 'Guide' || !withGuide.includes(name)) continue;
      await page.getByRole('main').getByRole('link', { name: 'Guide', exact: true }).click();
      await page.waitForURL('**/app/guide/**');
      await page.getByRole('link', { name: 'Guide', exact: true }).nth(1).waitFor();
      const { hash } = new URL(page.url());
      const place = page.locator(hash === '' ? 'h1:focus' : `${hash}:focus`);
      await place.waitFor();
      assert.doesNotMatch(await page.getByRole('main').innerText(), /There is no guide/);
    }
    assert.equal(titles.size, names.length, [...titles].join(', '));
    assert.deepEqual(await page.evaluate('[...late]'), [], 'a page has its title as soon as its heading');
    assert.equal(heights.size, 1, `with a button and without, titles are as high: ${[...heights].join(', ')}`);
    await context.close();
  });

  it('keeps the main button of a list where it is when the first entry appears', async () => {
    const { context, page } = await openAt('/webhooks', { width: 1600 });
    const add = button(page, 'Create a webhook');
    const findPlace = async () => {
      // The button is wider or narrower before the font has come, which may be after the list.
      await page.evaluate('document.fonts.ready.then(() => {})');
      return add.boundingBox();
    };
    await page.getByText('There are no webhooks yet.').waitFor();
    const place = await findPlace();
    const body = { url: 'https://app.example.com/hook', actions: ['role.*'] };
    await pages.test.post('/api/services/app/Webhook/Create', { token: await pages.test.admin(), body });
    await page.reload();
    await page.getByRole('table').getByRole('link').first().waitFor();
    assert.deepEqual(await findPlace(), place);
    await context.close();
  });

  it('begins a form with its first field, and shows above it what is wrong', async () => {
    const { context, page } = await openAt('/roles');
    await button(page, 'Create a role').click();
    const form = page.getByRole('dialog').getByRole('form');
    const first = form.locator(':scope > * > :not([aria-live])').first();
    const above = async () => ((await first.boundingBox())?.y ?? 0) - ((await form.boundingBox())?.y ?? 0);
    assert.equal(await above(), 0);
    await page.route('**/Role/Create', (route) => route.abort());
    await page.getByLabel('Name', { exact: true }).fill('Clerk');
    await button(page, 'Create').click();
    await form.getByRole('alert').waitFor();
    assert.ok((await above()) > 16);
    await context.close();
  });

  it('shows ordinary users what concerns them', async () => {
    const { context, page } = await openAt('/account', {}, 'thandi', USER_PASSWORD);
    const navigation = page.getByRole('navigation', { name: 'Sections' });
    assert.deepEqual(await navigation.getByRole('link').allTextContents(), ['My account', 'Guide']);
    await page.keyboard.press('Control+K');
    await palette(page).fill('roles');
    await page.locator('[data-action]', { hasText: 'Roles and permissions' }).waitFor();
    assert.ok(!(await page.locator('[data-action]').allTextContents()).includes('Roles'));
    await context.close();
  });

  it('keeps nothing of a person after another one has signed in in another tab', async () => {
    const { context, page } = await openAt('/roles');
    await button(page, 'Create a role').click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Clerk');
    const other = await context.newPage();
    await openSignedIn(other, '/app/account', 'thandi', USER_PASSWORD);
    await heading(other, 'My account').waitFor();
    const reloaded = page.waitForEvent('load');
    await comeBackLater(page);
    await reloaded;
    await page.getByText('You do not have permission to open this page.').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await context.close();
  });

  itAtLength('says where there is no page, within the shell and before the sign-in', async () => {
    const { context, page } = await openAt('/nowhere');
    for (const path of ['/nowhere', '/users/nobody', '/front-ends/shop/nowhere']) {
      await page.goto(`/app${path}`);
      await heading(page, 'Page not found').waitFor();
    }
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await heading(page, 'Overview').waitFor();
    for (const id of ['0', '000', '999999999999999']) {
      await page.goto(`/app/users/${id}`);
      await page.getByRole('main').getByText('There is no such account.').waitFor();
    }
    await context.close();
    await assertAccessibleEverywhere(pages, async (visitor) => {
      const unknown = ['/nowhere', '/login/nowhere', '/oauth', '/APP/users', '/%', '/%zz', '/app/%', '/app/%E0%A4%A'];
      for (const path of spread(unknown, 3)) {
        const answer = await visitor.goto(path);
        assert.equal(answer?.status(), 404, path);
        await heading(visitor, 'Page not found').waitFor();
      }
      await visitor.getByRole('link', { name: 'Back to sign-in' }).waitFor();
    });
  });

  it('opens the pages before the sign-in also with a slash at the end, and keeps the query', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    const before = ['/login', '/login/pin', '/forgot-password', '/reset-password', '/register', '/device', '/sign-out'];
    for (const path of spread(before, 3)) {
      await page.goto(`${path}/?to=%2Fapp%2Faccount`);
      assert.equal(page.url(), `${pages.url}${path}?to=%2Fapp%2Faccount`);
    }
    await page.goto('/login/');
    await heading(page, 'Sign in').waitFor();
    await context.close();
  });

  it('answers unknown addresses as calls to programs, and to browsers below the paths of programs', async () => {
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const api = [
      '/api/nowhere',
      '/API/services/app/User/Nowhere',
      '/oauth/nowhere',
      '/.well-known/nowhere',
      '/health/nowhere',
    ];
    for (const [path, headers, status = 404] of [
      ...['/nowhere', '/app.html', ...api].map((one) => [one, { accept: '*/*' }] as const),
      ...api.map((one) => [one, html] as const),
      ['/api/TokenAuth/Authenticate', html, 405] as const,
      ['/%', { accept: '*/*' }, 400] as const,
      ['/api/%', html, 400] as const,
    ]) {
      const response = await fetch(pages.url + path, { headers });
      assert.equal(response.status, status, path);
      assert.match(
        response.headers.get('content-security-policy') ?? '',
        /^default-src 'none'; frame-ancestors 'none'$/,
      );
      const { success, error } = (await response.json()) as { success: boolean; error: { reason: string } };
      assert.deepEqual([success, error.reason.split('.')[0]], [false, 'request'], path);
    }
    const page = await fetch(`${pages.url}/nowhere`, { headers: html });
    const nonce = /nonce="(\w+)"/.exec(await page.text())?.[1];
    assert.ok(nonce && page.headers.get('content-security-policy')?.includes(`'nonce-${nonce}'`));
    assert.deepEqual([page.status, page.headers.get('cache-control')], [404, 'no-store']);
    assert.equal((await fetch(`${pages.url}/nowhere`, { method: 'HEAD', headers: html })).status, 404);
  });

  itAtLength(
    'shows no filters and nothing to try again without the permission, also when it is lost meanwhile',
    async () => {
      const token = await pages.test.admin();
      await pages.test.post('/api/services/app/Role/Create', {
        token,
        body: { name: 'Reader', grantedPermissions: ['pages:maintenance'] },
      });
      const id = await pages.test.createUser('reader', { roleNames: ['Reader'] });
      const { context, page } = await openAt('/audit', {}, 'reader', USER_PASSWORD);
      // The page has its entries: what it asks next is what the switch makes it ask.
      await page.getByRole('table').locator('tbody').getByRole('row').first().waitFor();
      await pages.test.send('PUT', '/api/services/app/User/Update', { token, body: { id, roleNames: [] } });
      await page.getByLabel('Live').press('Space');
      const closed = [
        '/audit',
        '/users',
        '/users/1',
        '/roles',
        '/settings',
        '/front-ends',
        '/service-keys',
        '/applications',
        '/applications/none',
        '/external-providers',
        '/external-providers/add',
        '/external-providers/none',
        '/webhooks',
        '/webhooks/none',
        '/outbox',
      ];
      for (const path of spread(closed, 3)) {
        if (path !== '/audit') await page.goto(`/app${path}`);
        await heading(page, 'Not permitted').waitFor();
        const main = page.getByRole('main');
        assert.equal(await main.locator('input, select, button').count(), 0, path);
      }
      await page.goto('/app/api');
      await heading(page, 'API explorer').waitFor();
      await context.close();
    },
  );

  it('names a dialog from the moment that it is shown', async () => {
    const { context, page } = await openAt('/roles');
    await page.evaluate(`globalThis.shown = [];
      new MutationObserver(() => {
        const dialog = document.querySelector('[role=dialog]');
        if (dialog) shown.push(dialog.ariaLabel);
      }).observe(document.body, { childList: true, subtree: true })`);
    await button(page, 'Create a role').click();
    await page.getByRole('dialog', { name: 'Create a role', exact: true }).waitFor();
    assert.equal(await page.evaluate('shown[0]'), 'Create a role');
    await context.close();
  });

  itAtLength('keeps what was typed in a dialog when a click misses it', async () => {
    const { context, page } = await openAt('/roles');
    const dialog = page.getByRole('dialog');
    const missDialog = async () => {
      await dialog.waitFor();
      await page.mouse.click(4, 400);
    };
    await button(page, 'Edit UserManager').click();
    await page.getByLabel('Description').fill('Long to type');
    await missDialog();
    assert.equal(await page.getByLabel('Description').inputValue(), 'Long to type');
    await page.keyboard.press('Escape');
    await button(page, 'Discard').click();
    await dialog.first().waitFor({ state: 'hidden' });
    await page.goto('/app/account');
    for (const name of ['Change the password', 'Add an e-mail address']) {
      await button(page, name).click();
      await missDialog();
      assert.equal(await dialog.getByRole('button', { name: 'Close' }).isVisible(), true, name);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
    await page.keyboard.press('?');
    await missDialog();
    await dialog.waitFor({ state: 'hidden' });
    await context.close();
  });

  it('goes to the search of a list and shows the shortcuts, unless a text is being typed', async () => {
    const { context, page } = await openAt('/roles');
    await page.keyboard.press('/');
    assert.equal(await focused(page).getAttribute('type'), 'search');
    await page.keyboard.type('?/');
    assert.equal(await focused(page).inputValue(), '?/');
    await page.keyboard.press('Tab');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Go to the search field of a list').waitFor();
    await assertAccessible(page);
    await help.getByLabel('Use shortcuts of a single key').press('Space');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    await page.reload();
    await heading(page, 'Roles').waitFor();
    await page.keyboard.press('/');
    assert.equal(await focused(page).textContent(), 'Roles');
    await page.keyboard.press('Control+K');
    await palette(page).waitFor();
    await context.close();
  });

  it('saves with Ctrl S, undoes with Ctrl Z, and keeps the focus where it was', async () => {
    await create('Clerk');
    const { context, page } = await openAt('/roles');
    await button(page, 'Edit Clerk').press('Enter');
    await page.getByLabel('Description').waitFor();
    await untilAttentive(page);
    await page.getByLabel('Description').fill('Changed');
    const permissions = page.getByRole('combobox', { name: 'Permissions of your applications' });
    await permissions.click();
    await page.keyboard.type('orders:read');
    await page.keyboard.press('Control+S');
    await page.getByText('Clerk was saved.').waitFor();
    const saved = await readRole('Clerk');
    assert.deepEqual(
      [saved?.description, saved?.grantedPermissions],
      ['Changed', ['orders:read']],
      'also the open tag',
    );
    await page.locator('button:focus[aria-label="Edit Clerk"]').waitFor();
    await page.keyboard.press('Control+Z');
    await page.getByText('The change was undone.').waitFor();
    assert.equal((await readRole('Clerk'))?.description, 'As it was');
    await page.getByRole('cell').getByText('As it was').waitFor();
    await page.locator('button:focus[aria-label="Edit Clerk"]').waitFor();
    await context.close();
  });

  it('undoes nothing that another administrator has changed since', async () => {
    await create('Auditor');
    const { context, page } = await openAt('/roles');
    await button(page, 'Edit Auditor').click();
    await page.getByLabel('Description').fill('Mine');
    await button(page, 'Save').click();
    await page.getByText('Auditor was saved.').waitFor();
    const id = (await readRole('Auditor'))?.id;
    const body = { id, description: 'Theirs' };
    await pages.test.send('PUT', '/api/services/app/Role/Update', { token: await pages.test.admin(), body });
    await tabTo(page, button(page, 'Undo'));
    await page.keyboard.press('Enter');
    await page.getByText('Another administrator has changed this meanwhile.').waitFor();
    assert.equal((await readRole('Auditor'))?.description, 'Theirs');
    await context.close();
  });

  itAtLength('saves all settings with Ctrl S, and undoes them', async () => {
    const { context, page } = await openAt('/settings?category=Registration');
    const token = await pages.test.admin();
    const query = { name: 'Shesha.UserManagement' };
    const read = async () => (await pages.test.get('/api/services/app/Settings/GetValue', { token, query })).result;
    const before = await read();
    await page.getByRole('main').getByRole('switch').first().press('Space');
    await page.getByText('1 change not saved').waitFor();
    await page.keyboard.press('Control+S');
    await page.getByText(/: saved\./).waitFor();
    assert.notDeepEqual(await read(), before);
    await button(page, 'Undo').click();
    await page.getByText('1 change undone.').waitFor();
    assert.deepEqual(await read(), before);
    await context.close();
  });

  itAtLength('undoes the deactivation of an account', async () => {
    const id = await pages.test.createUser('ann');
    const { context, page } = await openAt(`/users/${id}`);
    await button(page, 'Deactivate').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByText('The user is deactivated.').waitFor();
    await button(page, 'Undo').click();
    await page.getByText('The change was undone.').waitFor();
    await page.getByText('The user is deactivated.').waitFor({ state: 'detached' });
    const { result } = await pages.test.get('/api/services/app/User/Get', {
      token: await pages.test.admin(),
      query: { id },
    });
    assert.equal(result.isActive, true);
    await context.close();
  });

  itAtLength('undoes the change of a front end', async () => {
    const token = await pages.test.admin();
    const body = { appKey: 'shop', name: 'Shop', description: 'Sells' };
    await pages.test.post('/api/services/app/FrontEndApp/Create', { token, body });
    const { context, page } = await openAt('/front-ends');
    await button(page, 'Edit Shop').click();
    await page.getByLabel('Name', { exact: true }).fill('Market');
    await button(page, 'Save').click();
    await button(page, 'Edit Market').waitFor();
    await button(page, 'Undo').click();
    await button(page, 'Edit Shop').waitFor();
    const { result } = await pages.test.get('/api/services/app/FrontEndApp/GetAll', { token });
    const shop = result.items.find(({ appKey }) => appKey === 'shop');
    assert.deepEqual([shop?.name, shop?.description], ['Shop', 'Sells']);
    await context.close();
  });

  it('has a menu of the account: appearance, language, shortcuts, and the way out on a narrow screen', async () => {
    const { context, page } = await openAt('/roles', { width: 320 });
    const choose = async (role: 'menuitem' | 'menuitemradio', name: string) => {
      await menu(page).press('Enter');
      const item = page.getByRole(role, { name, exact: true });
      await item.waitFor();
      await untilAttentive(page);
      await item.press('Enter');
    };
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    await choose('menuitemradio', 'Dark');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });
    await page.reload();
    await heading(page, 'Roles').and(focused(page)).waitFor();
    assert.equal(await scheme(), 'dark');
    await choose('menuitem', 'Keyboard shortcuts');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await untilAttentive(page);
    await page.keyboard.press('Escape');
    await page.locator('button:focus[aria-label^="Menu of"]').waitFor();
    await choose('menuitemradio', 'Deutsch');
    await heading(page, 'Rollen').and(focused(page)).waitFor();
    await choose('menuitem', 'Abmelden');
    await page.getByText('Sie sind abgemeldet.').waitFor();
    await context.close();
  });

  it('has an account menu for fingers: no shortcuts of keys, and rows of 44 pixels', async () => {
    const context = await pages.browser.newContext({ baseURL: pages.url, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await openSignedIn(page, '/app/roles');
    await menu(page).tap();
    const row = await page.getByRole('menuitem', { name: 'Sign out', exact: true }).boundingBox();
    assert.ok(row && row.height >= 44, `${row?.height}`);
    assert.equal(await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).count(), 0);
    await context.close();
  });

  it('leads from anywhere in a row of a phone to the user, and its box still chooses', async () => {
    const { context, page } = await openAt('/users', { width: 390 });
    const row = page.getByRole('listitem').filter({ hasText: 'Thandi Mokoena' });
    const box = row.getByRole('checkbox');
    await box.check();
    // Beside the box, and below the name.
    await row.click({ position: { x: 6, y: 32 } });
    assert.equal(await box.isChecked(), false);
    await row.click({ position: { x: 340, y: 56 } });
    await heading(page, 'Thandi Mokoena').waitFor();
    await context.close();
  });

  it('shows the shape of a page while it loads, and no spinner', async () => {
    const { context, page } = await openAt('/account');
    const session = await hold(page, '**/Session/GetCurrentLoginInfo');
    const roles = await hold(page, '**/Role/GetAll?*');
    await page.goto('/app/roles');
    for (const held of [session, roles]) {
      await held.arrive();
      await page.getByRole('status', { name: 'Loading …' }).waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Roles' }).count(), held === roles ? 1 : 0);
      assert.equal(await page.locator('.mantine-Loader-root').count(), 0);
      await assertAccessibleWhileLoading(page);
      held.release();
    }
    await button(page, 'Edit UserManager').waitFor();
    await context.close();
  });

  /** Without a heading there is nothing yet to jump to. */
  async function assertAccessibleWhileLoading(page: Page): Promise<void> {
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(overflow, 0);
    assert.equal(await page.getByRole('main').count(), 1);
  }

  itAtLength('is accessible with its palette, menu, navigation and notifications open', async () => {
    await create('Somebody with a very long name of a role that wraps within a notification');
    await assertAccessibleEverywhere(pages, async (page) => {
      await openSignedIn(page, '/app/roles');
      await heading(page, 'Roles').waitFor();
      await page.keyboard.press('Control+K');
      await palette(page).fill('se');
      await page.locator('[data-action]').nth(3).waitFor();
      await assertAccessible(page);
      await page.keyboard.press('Escape');
      await palette(page).waitFor({ state: 'hidden' });
      await menu(page).click();
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).waitFor();
      await assertAccessible(page);
      await page.keyboard.press('Escape');
      const opener = button(page, 'Menu');
      if (await opener.isVisible()) await opener.click();
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Guide' }).waitFor();
      await assertAccessible(page);
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Roles' }).click();
      await page.getByRole('button', { name: /^Edit Somebody/ }).click();
      await page.getByLabel('Description').fill('x');
      await button(page, 'Save').click();
      await button(page, 'Undo').waitFor();
    });
  });
});
