// The page of roles, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { itAtLength } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../server/test/support/service.ts';
import { hold, openSignedIn, type Pages, startPages, untilAttentive } from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const CANARY = '<img src=x onerror="document.title=\'taken\'">';

describe('the page of roles', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  async function openAt(path: string, name = 'admin', password = ADMIN_PASSWORD) {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, `/app${path}`, name, password);
    return { context, page };
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const row = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Roles' }).getByRole('row').filter({ hasText: name });
  const create = async (name: string, grantedPermissions: string[] = []) => {
    const body = { name, grantedPermissions };
    return pages.test.post('/api/services/app/Role/Create', { token: await pages.test.admin(), body });
  };
  const read = async (name: string) => {
    const query = { keyword: name };
    const { result } = await pages.test.get('/api/services/app/Role/GetAll', {
      token: await pages.test.admin(),
      query,
    });
    return result.items.find((role) => role.name === name);
  };

  it('creates a role by keyboard alone, with names that stay text', async () => {
    const { context, page } = await openAt('/roles');
    await page.locator('h1:focus').waitFor();
    await button(page, 'Create a role').press('Enter');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await untilAttentive(page);
    await page.keyboard.press('Enter');
    await page.locator('input[name=name][aria-invalid=true]').waitFor();
    await page.keyboard.type('Accountant');
    await page.keyboard.press('Tab');
    await page.keyboard.type(CANARY);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Keeps the books');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Pages.Invoices');
    await page.keyboard.press('Enter');
    await button(page, 'Create').press('Enter');
    await page.getByText('Accountant was saved.').waitFor();
    const grants = row(page, 'Accountant').getByRole('cell').nth(2);
    await grants.getByText('Manage users').waitFor();
    await grants.getByText('In applications: Pages.Invoices').waitFor();
    await row(page, 'Accountant').getByText(CANARY).waitFor();
    assert.doesNotMatch(await page.title(), /taken/);
    const role = await read('Accountant');
    assert.deepEqual(role?.grantedPermissions, ['Pages.Users', 'Pages.Invoices']);
    assert.deepEqual([role?.displayName, role?.description], [CANARY, 'Keeps the books']);
    await context.close();
  });

  it('changes what a role grants, and nothing that another administrator has changed', async () => {
    const { result } = await create('Auditor', ['Pages.Users', 'Reports.Read']);
    const { context, page } = await openAt('/roles');
    await button(page, 'Edit Auditor').click();
    const grantedPermissions = ['Pages.Users', 'Till.Open'];
    const body = { id: result.id, description: 'Written meanwhile', grantedPermissions };
    await pages.test.send('PUT', '/api/services/app/Role/Update', { token: await pages.test.admin(), body });
    await page.getByRole('checkbox', { name: 'Manage users' }).uncheck();
    await page.getByRole('combobox', { name: 'Permissions of your applications' }).fill('Reports.Write');
    await button(page, 'Save').click();
    await page.getByText('Auditor was saved.').waitFor();
    const role = await read('Auditor');
    assert.deepEqual(role?.grantedPermissions.toSorted(), ['Reports.Write', 'Till.Open']);
    assert.equal(role?.description, 'Written meanwhile');
    await button(page, 'Undo').click();
    await page.getByText('The change was undone.').waitFor();
    assert.deepEqual((await read('Auditor'))?.grantedPermissions.toSorted(), grantedPermissions);
    await context.close();
  });

  it('says what is wrong beside the field, and keeps what was typed', async () => {
    await create('Taken');
    const { context, page } = await openAt('/roles');
    await button(page, 'Create a role').click();
    await page.getByLabel('Name', { exact: true }).fill('taken');
    await page.getByRole('combobox', { name: 'Permissions of your applications' }).fill('two words');
    await button(page, 'Create').click();
    await page.getByText('without spaces and accents').waitFor();
    await page.keyboard.press('Backspace');
    await button(page, 'Create').click();
    await page.locator('input[name=name][aria-invalid=true]').waitFor();
    await page.getByText('Another role has this name. Please choose a different one.').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'taken');
    await context.close();
  });

  it('asks before it deletes a role', async () => {
    await create('Temporary');
    await pages.test.createUser('holder-1', { roleNames: ['Temporary'] });
    await pages.test.createUser('holder-2', { roleNames: ['Temporary'] });
    const { context, page } = await openAt('/roles');
    await page.getByRole('link', { name: '2 users have Temporary' }).click();
    await page.waitForURL('**/users?role=Temporary');
    await page.getByText('2 users', { exact: true }).waitFor();
    await page.goBack();
    await button(page, 'Delete Temporary').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await button(page, 'Delete Temporary').click();
    await page.getByText('2 users have it, and lose it.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Temporary was deleted.').waitFor();
    await row(page, 'Temporary').waitFor({ state: 'hidden' });
    assert.equal(await read('Temporary'), undefined);
    await context.close();
  });

  it('protects the roles of the service, which can grant names of applications', async () => {
    const { context, page } = await openAt('/roles');
    await row(page, 'UserManager').getByText('Built in').waitFor();
    assert.equal(await button(page, 'Delete Administrator').count(), 0);
    await button(page, 'Edit UserManager').click();
    await page.getByText('This role belongs to the service.').waitFor();
    for (const name of ['Maintain the service', 'Manage users', 'Reset passwords']) {
      assert.equal(await page.getByRole('checkbox', { name }).isDisabled(), true, name);
    }
    await page.getByRole('combobox', { name: 'Permissions of your applications' }).fill('Staff.Read');
    await page.keyboard.press('Enter');
    await button(page, 'Save').click();
    await page.getByText('UserManager was saved.').waitFor();
    const { grantedPermissions } = (await read('UserManager')) ?? { grantedPermissions: [] };
    assert.deepEqual(grantedPermissions, ['Pages.Users', 'users:resetPassword', 'Staff.Read']);
    await context.close();
  });

  itAtLength('finds roles, and pages through them', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => create(`Team ${index}`)));
    const { context, page } = await openAt('/roles');
    await button(page, 'Next page').click();
    await page.getByLabel('Search').fill('team 2');
    await page.getByText('11 entries').waitFor();
    await page.getByLabel('Search').fill('nobody');
    await page.getByText('No roles match.').waitFor();
    await context.close();
  });

  it('shows a user manager the roles without buttons, and other people nothing', async () => {
    await pages.test.createUser('manager', { roleNames: ['UserManager'] });
    const { context, page } = await openAt('/roles', 'manager', USER_PASSWORD);
    await row(page, 'Administrator').waitFor();
    for (const name of ['Create a role', 'Edit UserManager']) assert.equal(await button(page, name).count(), 0, name);
    await context.close();

    await pages.test.createUser('plain');
    const other = await openAt('/roles', 'plain', USER_PASSWORD);
    await other.page.getByText('You do not have permission to open this page.').waitFor();
    assert.equal(await other.page.getByRole('link', { name: 'Roles' }).count(), 0);
    await other.context.close();
  });

  itAtLength('leaves a maintainer the roles that grant no more', async () => {
    await create('Narrow', ['pages:maintenance', 'Pages.Users']);
    await create('Wide', ['users:resetPassword']);
    await pages.test.createUser('narrow', { roleNames: ['Narrow'] });
    const { context, page } = await openAt('/roles', 'narrow', USER_PASSWORD);
    await page.getByLabel('Search').fill('Wide');
    await row(page, 'Wide').waitFor();
    assert.equal(await button(page, 'Edit Wide').count(), 0);
    await page.getByLabel('Search').fill('Narrow');
    await button(page, 'Edit Narrow').click();
    assert.equal(await page.getByRole('checkbox', { name: 'Reset passwords' }).isDisabled(), true);
    assert.equal(await page.getByRole('checkbox', { name: 'Manage users' }).isDisabled(), false);
    await context.close();
  });

  itAtLength('and the audit trail let nobody act on rows of the former search', async () => {
    const { context, page } = await openAt('/roles');
    const isFree = (element: Locator) => element.evaluate((one) => one.closest('[inert]') === null);
    for (const [path, call, row, change] of [
      [
        '/roles',
        'Role/GetAll',
        page.getByRole('button', { name: /^Edit / }).first(),
        () => page.getByLabel('Search').fill('UserManager'),
      ],
      [
        '/audit?outcome=success',
        'Audit/GetAll',
        page.locator('tbody button').first(),
        () => button(page, 'Clear filters').click(),
      ],
    ] as const) {
      await page.goto(`/app${path}`);
      await row.waitFor();
      assert.equal(await isFree(row), true, path);
      const held = await hold(page, `**/${call}?*`);
      await change();
      await held.arrive();
      assert.equal(await isFree(row), false, path);
      held.release();
      await page.locator('[aria-busy=false]').waitFor();
    }
    await context.close();
  });

  it('offers the roles that a user manager may give, and only the permitted actions on their holders', async () => {
    await create('Cashier', ['Till.Open']);
    await create('Maintainer', ['pages:maintenance']);
    await pages.test.createUser('second', { roleNames: ['UserManager'] });
    const id = await pages.test.createUser('upkeep', { roleNames: ['Maintainer'] });
    const { context, page } = await openAt('/users/new', 'second', USER_PASSWORD);
    await page.getByRole('combobox', { name: 'Roles' }).fill('er');
    await page.getByRole('option', { name: 'Cashier' }).waitFor();
    for (const name of ['Maintainer', 'Administrator']) {
      assert.equal(await page.getByRole('option', { name }).count(), 0, name);
    }
    await page.goto(`/app/users/${id}`);
    await page.getByText('Only an administrator can change this user').waitFor();
    assert.equal(await button(page, 'Edit').count(), 0);
    await context.close();
    const upkeep = await openAt('/settings', 'upkeep', USER_PASSWORD);
    await upkeep.page.keyboard.press('Control+K');
    await upkeep.page.getByLabel('Search pages, users, settings and guides').fill('create');
    await upkeep.page.locator('[data-action]', { hasText: 'Create a service key' }).waitFor();
    assert.equal(await upkeep.page.locator('[data-action]', { hasText: 'Create a role' }).count(), 0);
    await upkeep.context.close();
  });

  // The last: the others are on further pages then.
  it('lets each of more than a hundred roles be chosen', async () => {
    for (let count = 100; count < 202; count += 1) await create(`Shift-${count}`);
    const { context, page } = await openAt('/users/new');
    for (const name of ['Shift-100', 'Shift-201']) {
      await page.getByRole('combobox', { name: 'Roles' }).fill(name);
      await page.getByRole('option', { name, exact: true }).waitFor();
    }
    await context.close();
  });
});
