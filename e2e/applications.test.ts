// The pages of applications, in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessibleEverywhere,
  hold,
  type OpenOptions,
  openSignedIn,
  type Pages,
  startPages,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const API = '/api/services/app/Application';

describe('the pages of applications', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());
  afterEach(async () => {
    const token = await pages.test.admin();
    for (const { id } of await pages.test.service.applications.readAll())
      await pages.test.send('DELETE', `${API}/Delete`, { token, query: { id } });
  });

  async function open(path = '/app/applications', options: OpenOptions = {}) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await openSignedIn(page, path);
    return { context, page };
  }
  async function create(more: Record<string, unknown> = {}) {
    const redirectUris = ['https://shop.example.com/callback'];
    const body = { name: 'Shop', kind: 'web', clientId: 'shop', redirectUris, ...more };
    const { status, text, result } = await pages.test.post(`${API}/Create`, { token: await pages.test.admin(), body });
    assert.equal(status, 200, text);
    return result;
  }
  const first = async () => {
    const [application] = await pages.test.service.applications.readAll();
    return application ?? assert.fail('there is no application');
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');

  it('add Grafana by keyboard alone: its host name is asked, and the lines to paste are shown once', async () => {
    const { context, page } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('There are no applications yet.').waitFor();
    await button(page, 'Create an application').press('Enter');
    await page.getByLabel('Program').and(page.locator(':focus')).waitFor();
    // The first program with this letter. A second one that came a second late would begin another word.
    await page.keyboard.press('G');
    await page.getByLabel('Host name of Grafana').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Write it like grafana.example.com.').waitFor();
    await page.keyboard.type('https://metrics.example.org/');
    await page.keyboard.press('Enter');
    await page.getByText('The client secret in them is shown only now.').waitFor();
    const lines = await dialog(page).locator('pre').innerText();
    const [, secret = ''] = /^client_secret = ([A-Za-z0-9]{43,})$/m.exec(lines) ?? [];
    const { clientId, name, redirectUris, pkce } = await first();
    assert.deepEqual(
      [name, redirectUris, pkce],
      ['Grafana', ['https://metrics.example.org/login/generic_oauth'], 'required'],
    );
    assert.ok(secret !== '' && lines.includes(`client_id = ${clientId}\nclient_secret = ${secret}\n`), lines);
    assert.ok(lines.includes('root_url = https://metrics.example.org/'));
    assert.ok(!lines.includes('{{'));
    await page.keyboard.press('Escape');
    await page.locator('button:focus', { hasText: 'Copy' }).press('Enter');
    await page.getByText('The lines were copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), lines.trimEnd());
    await button(page, 'Done').press('Enter');
    await page.getByRole('heading', { name: 'Grafana', level: 1 }).waitFor();
    await page.getByText('https://metrics.example.org/login/generic_oauth').waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await context.close();
  });

  it('add an application of an own kind, and say beside the field what is wrong', async () => {
    const { context, page } = await open();
    await button(page, 'Create an application').click();
    await page.getByLabel('Program').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    // The second time, the dialog has the programs at once.
    await page.evaluate(`addEventListener('focusin', ({ target }) => {
      globalThis.wasAtCross ||= target.ariaLabel === 'Close';
    })`);
    await button(page, 'Create an application').click();
    await page.getByLabel('Kind').selectOption('Mobile or desktop app');
    assert.notEqual(await page.evaluate('globalThis.wasAtCross'), true, 'the cross takes no focus');
    await page.getByText('It runs on the device of a person').waitFor();
    await page.getByLabel('Name').fill('Till');
    await button(page, 'Create').click();
    await page.getByText('Write at least one address.').waitFor();
    await page.getByLabel('Redirect URIs').fill('till:/callback');
    await button(page, 'Create').click();
    await page.getByText('its own scheme must have a dot').waitFor();
    await page.getByLabel('Redirect URIs').fill('com.example.till:/callback\nhttp://127.0.0.1/callback');
    await button(page, 'Create').click();
    await page.getByText('Till was created').waitFor();
    assert.match(await dialog(page).locator('pre').innerText(), /redirectUrl: 'com.example.till:\/callback'/);
    assert.equal(await page.getByText('The client secret').count(), 0);
    await button(page, 'Done').press('Enter');
    await page.getByRole('tab', { name: 'Connect', selected: true }).waitFor();
    const { kind, redirectUris } = await first();
    assert.deepEqual([kind, redirectUris], ['native', ['com.example.till:/callback', 'http://127.0.0.1/callback']]);
    await context.close();
  });

  it('show the variables of an own web application with its secret, and then how to connect it', async () => {
    const { context, page } = await open();
    await button(page, 'Create an application').click();
    await page.getByLabel('Redirect URIs').fill('https://shop.example.com/callback');
    await page.getByLabel('Name').fill('Shop');
    await button(page, 'Create').click();
    await page.getByText('Shop was created').waitFor();
    const lines = await dialog(page).locator('pre').innerText();
    const [, secret = ''] = /^LATCHKEY_CLIENT_SECRET=([A-Za-z0-9]{43,})$/m.exec(lines) ?? [];
    const application = await first();
    assert.ok(
      lines.includes(`LATCHKEY_CLIENT_ID=${application.clientId}\n`) && /\nSESSION_SECRET=[\w-]{43}$/.test(lines),
    );
    assert.ok(await pages.test.service.applications.verifySecret(application, secret), lines);
    await button(page, 'Done').click();
    await page.waitForURL(`**/app/applications/${application.id}?tab=connect`);
    await page.getByText('LATCHKEY_CLIENT_SECRET=CLIENT_SECRET').waitFor();
    await page.getByText('SESSION_SECRET is made at random each time').waitFor();
    await button(page, 'Replace the client secret').click();
    await dialog(page).getByRole('button', { name: 'Replace', exact: true }).waitFor();
    await context.close();
  });

  it('change, disable, enable and delete an application', async () => {
    const { id } = await create();
    const { context, page } = await open(`/app/applications/${id}`);
    await button(page, 'Edit').click();
    await dialog(page).getByLabel('Name').fill('Market');
    await page.getByLabel('Redirect URIs', { exact: true }).fill('http://shop.example.com/');
    await button(page, 'Save').click();
    await page.getByText('it must begin with https://').waitFor();
    await page
      .getByLabel('Redirect URIs', { exact: true })
      .fill('https://shop.example.com/a\nhttps://shop.example.com/b');
    await page.getByRole('combobox', { name: 'Roles that may sign in' }).fill('Administrator');
    await page.keyboard.press('Enter');
    await page.getByLabel('Scopes').fill('openid  profile orders.read');
    await page.getByLabel('Proof against injected codes').selectOption('Always a code challenge');
    await page.getByLabel('Ask each person once').check();
    await page.getByLabel('Lifetime of access tokens').fill('900');
    await button(page, 'Save').click();
    await page.getByText('Market was saved.').waitFor();
    await page.getByRole('heading', { name: 'Market', level: 1 }).waitFor();
    const saved = await first();
    assert.deepEqual(
      [saved.redirectUris, saved.allowedRoles, saved.scopes, saved.pkce, saved.consent, saved.accessTokenLifetime],
      [
        ['https://shop.example.com/a', 'https://shop.example.com/b'],
        ['Administrator'],
        ['openid', 'profile', 'orders.read'],
        'required',
        'ask',
        900,
      ],
    );
    await button(page, 'Disable').click();
    await dialog(page).getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('Market is disabled.').waitFor();
    await button(page, 'Enable').click();
    await page.getByText('Market is enabled.').waitFor();
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Market was deleted.').waitFor();
    await page.getByText('There are no applications yet.').waitFor();
    await context.close();
  });

  it('change nothing that another administrator has changed meanwhile', async () => {
    const { id } = await create();
    const { context, page } = await open(`/app/applications/${id}`);
    await button(page, 'Edit').click();
    await dialog(page).getByLabel('Name').fill('Market');
    const change = async (scopes: string[]) => {
      const body = { id, scopes };
      const { status } = await pages.test.send('PUT', `${API}/Update`, { token: await pages.test.admin(), body });
      assert.equal(status, 200);
    };
    await change(['openid', 'orders.read']);
    await button(page, 'Save').click();
    await page.getByText('Market was saved.').waitFor();
    const { name, scopes } = await first();
    assert.deepEqual([name, scopes], ['Market', ['openid', 'orders.read']]);

    await button(page, 'Edit').click();
    await dialog(page).getByLabel('Scopes').fill('openid orders.write');
    await change(['orders.read', 'stock.read']);
    await button(page, 'Save').click();
    await dialog(page).waitFor({ state: 'hidden' });
    assert.deepEqual((await first()).scopes, ['orders.write', 'stock.read']);
    await context.close();
  });

  it('never empty a list by two changes together: it might restrict nothing then', async () => {
    const { id } = await create();
    const token = await pages.test.admin();
    const roleNames = ['Clerk', 'Payroll'];
    for (const name of roleNames) {
      await pages.test.post('/api/services/app/Role/Create', { token, body: { name, grantedPermissions: [] } });
    }
    const change = (allowedRoles: string[]) =>
      pages.test.send('PUT', `${API}/Update`, { token, body: { id, allowedRoles } });
    await change(roleNames);
    const { context, page } = await open(`/app/applications/${id}`);
    await button(page, 'Edit').click();
    await dialog(page).getByRole('combobox', { name: 'Roles that may sign in' }).press('Backspace');
    await change(['Payroll']);
    await button(page, 'Save').click();
    await page.getByText('Another administrator has changed this meanwhile. Nothing was saved.').waitFor();
    assert.deepEqual((await first()).allowedRoles, ['Payroll']);
    await context.close();
  });

  it('replace a client secret, and keep the former one for a day', async () => {
    const { id, clientSecret } = await create();
    const { context, page } = await open(`/app/applications/${id}`);
    await button(page, 'Replace the client secret').click();
    assert.equal(await page.getByLabel('The former secret stays valid').inputValue(), '86400');
    const replacing = await hold(page, '**/Application/RotateSecret');
    await dialog(page).getByRole('button', { name: 'Replace', exact: true }).click();
    await replacing.arrive();
    assert.ok(await button(page, 'Cancel').isDisabled());
    await page.keyboard.press('Escape');
    replacing.release();
    const secret = await page.getByLabel('Client secret', { exact: true }).inputValue();
    await button(page, 'Done').click();
    const application = await first();
    for (const one of [clientSecret ?? '', secret])
      assert.ok(await pages.test.service.applications.verifySecret(application, one));
    await context.close();
  });

  itAtLength('speak German', async () => {
    await create({ kind: 'machine', redirectUris: [] });
    const { context, page } = await open('/app', { locale: 'de-DE' });
    await page.getByRole('link', { name: 'Anwendungen' }).click();
    await page.getByText('Maschine', { exact: true }).waitFor();
    await button(page, 'Anwendung erstellen').click();
    await page.getByLabel('Programm').selectOption('Mobile App');
    await page.getByLabel('Das Schema der App, mit einem Punkt').fill('till');
    await button(page, 'Erstellen').click();
    await page.getByText('Das eigene Schema braucht einen Punkt').waitFor();
    await context.close();
  });

  it('are closed to people without the permission', async () => {
    await pages.test.createUser('plain');
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app', 'plain', USER_PASSWORD);
    assert.equal(await page.getByRole('link', { name: 'Applications' }).count(), 0);
    await page.goto('/app/applications');
    await page.getByText('You do not have permission to open this page.').waitFor();
    await context.close();
  });

  it('are accessible: the list, the forms, what is shown once, and one application', async () => {
    const { id } = await create({ redirectUris: [`https://shop.example.com/${'callback'.repeat(20)}`] });
    await assertAccessibleEverywhere(
      pages,
      async (page) => {
        await openSignedIn(page, '/app/applications');
        await page.getByRole('link', { name: 'Shop' }).waitFor();
      },
      async (page) => {
        await openSignedIn(page, '/app/applications');
        await button(page, 'Create an application').click();
        await button(page, 'Create').click();
        await page.getByText('Write at least one address.').waitFor();
      },
      async (page) => {
        await openSignedIn(page, '/app/applications');
        await button(page, 'Create an application').click();
        await page.getByLabel('Program').selectOption('GitLab');
        await page.getByLabel('Host name of GitLab').fill('git.example.com');
        await button(page, 'Create').click();
        await page.getByText('The client secret in them is shown only now.').waitFor();
      },
      async (page) => {
        await openSignedIn(page, `/app/applications/${id}`);
        await button(page, 'Edit').click();
        await page.getByLabel('Scopes').waitFor();
      },
      async (page) => {
        await openSignedIn(page, `/app/applications/${id}`);
        await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
      },
    );
  });
});
