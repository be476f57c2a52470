// The command palette: what it finds, by keyboard alone, also while it loads.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import { hold, openSignedIn, type Pages, startPages, tabTo } from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

describe('the command palette', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    await pages.test.createUser('thandi', { name: 'Thandi', surname: 'Mokoena' });
  });
  after(() => pages.close());

  async function openAt(path: string, name?: string) {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, `/app${path}`, name, name && USER_PASSWORD);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { context, page };
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const palette = (page: Page) => page.getByLabel('Search pages, users, settings and guides');

  it('finds pages, users, settings and guides by keyboard alone', async () => {
    const { context, page } = await openAt('/roles');
    const find = async (text: string, wanted: string, keys: readonly string[]) => {
      await page.keyboard.press('Control+K');
      await palette(page).waitFor();
      await palette(page).fill(text);
      await page.locator('[data-action]').first().getByText(wanted).first().waitFor();
      for (const key of keys) await page.keyboard.press(key);
      await palette(page).waitFor({ state: 'hidden' });
    };
    await find('outb', 'Outbox', ['Enter']);
    await heading(page, 'Outbox').waitFor();
    await find('mokoena', 'Thandi Mokoena', ['ArrowDown', 'Enter']);
    await heading(page, 'Thandi Mokoena').waitFor();
    await find('max failed', 'Max failed login attempts before lockout', ['Enter']);
    await page.locator('[data-setting]:focus', { hasText: 'Max failed login attempts before lockout' }).waitFor();
    await find('deploy with systemd', 'Deploy with systemd', ['Enter']);
    await heading(page, 'Deploy with systemd').waitFor();
    assert.equal(await page.locator('*:focus').textContent(), 'Deploy with systemd');
    await context.close();
  });

  itAtLength('finds every word in any order, also other words of settings, and sections of guides', async () => {
    const { context, page } = await openAt('/roles');
    const find = async (text: string, wanted: string) => {
      await page.keyboard.press('Control+K');
      await palette(page).fill(text);
      await page.locator('[data-action]', { hasText: wanted }).first().click();
      await palette(page).waitFor({ state: 'hidden' });
    };
    await find('KEY service create', 'Create a service key');
    await page.getByRole('dialog', { name: 'Create a service key' }).getByRole('button', { name: 'Cancel' }).click();
    await find('length password', 'Require length');
    await page.locator('[data-setting]:focus', { hasText: 'Require length' }).waitFor();
    await find('lockout time', 'User lockout (sec)');
    await page.locator('[data-setting]:focus', { hasText: 'User lockout (sec)' }).waitFor();
    await find('migrations role', 'A role for migrations');
    await page.locator('#a-role-for-migrations:focus').waitFor();
    await context.close();
  });

  itAtLength('leads to lists by what is to be done, of those that the user may see', async () => {
    const { context, page } = await openAt('/roles');
    const found = (text: string) => page.locator('[data-action]', { hasText: text });
    for (const [text, wanted, path] of [
      ['unlock', 'Users: Locked', '/users?locked=1'],
      ['users signed in', 'Users: With an open session', '/users?signedIn=1'],
      ['users who never signed in', 'Users: Never signed in', '/users?never=1'],
      ['refused sign-ins', 'Audit trail: Refusals', '/audit?outcome=refused'],
    ] as const) {
      await page.keyboard.press('Control+K');
      await palette(page).fill(text);
      await found(wanted).click();
      await palette(page).waitFor({ state: 'hidden' });
      await page.waitForURL(`**/app${path}`);
    }
    await context.close();
    await pages.test.createUser('manager', { roleNames: ['UserManager'] });
    const other = await openAt('/users', 'manager');
    await other.page.keyboard.press('Control+K');
    const actions = other.page.locator('[data-action]', { hasText: /^(Users|Audit trail): / });
    await actions.first().waitFor();
    assert.equal((await actions.allInnerTexts()).filter((text) => text.startsWith('Audit')).length, 0);
    await other.context.close();
  });

  it('shows the first users of a name, and leads to all of them', async () => {
    for (const letter of 'gfedcba') await pages.test.createUser(`carla-${letter}`);
    const { context, page } = await openAt('/roles');
    await page.keyboard.press('Control+K');
    await palette(page).fill('carla');
    const all = page.locator('[data-action]', { hasText: 'All 7 users with “carla”' });
    await all.waitFor();
    const names = await page.locator('[data-action]', { hasText: /^carla-/ }).allInnerTexts();
    assert.deepEqual(
      names.map((name) => name.slice(0, 7)),
      [...'abcdef'].map((letter) => `carla-${letter}`),
    );
    await all.click();
    await page.waitForURL('**/app/users?keyword=carla');
    await page.getByRole('link', { name: 'carla-g' }).waitFor();
    await context.close();
  });

  it('gives the focus back when the palette closes, and says when nothing is found', async () => {
    const { context, page } = await openAt('/roles');
    await tabTo(page, page.getByRole('button', { name: 'Find Ctrl K', exact: true }));
    await page.keyboard.press('Enter');
    await palette(page).fill('zebra crossing');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'hidden' });
    await page.locator('button:focus', { hasText: 'Find' }).waitFor();
    await page.keyboard.press('/');
    await page.locator('input[type=search]:focus').waitFor();
    await context.close();
  });

  it('finds nobody by a text that is longer than any that the service searches for', async () => {
    const { context, page } = await openAt('/roles');
    await page.keyboard.press('Control+K');
    const answer = page.waitForResponse(/User\/GetAll/);
    await palette(page).fill('x'.repeat(101));
    assert.equal((await answer).status(), 200);
    await page.getByText('Nothing found.').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await context.close();
  });

  it('opens nothing by the Enter that ends a composition', async () => {
    const { context, page } = await openAt('/account');
    await page.keyboard.press('Control+K');
    // What comes later than the query is not selected by the list itself.
    await palette(page).fill('mokoena');
    await page.locator('[data-action]').first().getByText('Thandi Mokoena').waitFor();
    const enter = { key: 'Enter', code: 'Enter', isComposing: true };
    await palette(page).dispatchEvent('compositionstart');
    await palette(page).dispatchEvent('keydown', enter);
    await palette(page).dispatchEvent('compositionend');
    await palette(page).fill('outbox');
    await page.locator('[data-action]').first().getByText('Outbox').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Outbox').waitFor();
    await page.goBack();
    await heading(page, 'My account').waitFor();
    await context.close();
  });

  it('creates and signs out, and what is typed into a dialog is dropped only after a question', async () => {
    const { context, page } = await openAt('/account');
    const run = async (text: string) => {
      await page.keyboard.press('Control+K');
      await palette(page).fill(text);
      await page.locator('[data-action]').first().getByText(text).waitFor();
      await page.keyboard.press('Enter');
    };
    await run('Create a role');
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
    await name.fill('Clerk');
    await page.keyboard.press('Control+K');
    assert.equal(await palette(page).count(), 0, 'it would lead away from what is typed');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Keep editing' }).press('Enter');
    await question.waitFor({ state: 'hidden' });
    assert.equal(await name.inputValue(), 'Clerk');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'UserManager', exact: true }).click();
    await page.getByRole('dialog', { name: 'Edit UserManager' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await run('Sign out');
    await page.waitForURL('**/login?*');
    await context.close();
  });

  it('keeps what is typed while the palette loads, and finds nobody of a former search', async () => {
    const { context, page } = await openAt('/account');
    const file = await hold(page, '**/assets/command-palette-*.js');
    await page.keyboard.press('Control+K');
    await page.keyboard.type('mok');
    await file.arrive();
    await page.keyboard.type('oen');
    file.release();
    await palette(page).waitFor();
    await page.keyboard.type('a');
    assert.equal(await palette(page).inputValue(), 'mokoena');
    await page.locator('[data-action]', { hasText: 'Thandi Mokoena' }).waitFor();
    // The user may be shown by the answer for "mokoen": the request for the whole word then still goes out.
    const answer = await hold(page, /\/User\/GetAll\?.*keyword=adm/);
    await palette(page).fill('adm');
    await answer.arrive();
    assert.equal(await page.locator('[data-action]', { hasText: 'Thandi Mokoena' }).count(), 0);
    answer.release();
    await page.locator('[data-action]', { hasText: 'admin' }).first().waitFor();
    await context.close();
  });

  itAtLength(
    'keeps the caret while the palette loads, and opens what Enter was pressed for when its results are there',
    async () => {
      const { context, page } = await openAt('/account');
      const file = await hold(page, '**/assets/command-palette-*.js');
      await page.keyboard.press('Control+K');
      await page.keyboard.type('rles');
      for (const key of ['Home', 'ArrowRight']) await page.keyboard.press(key);
      await file.arrive();
      file.release();
      await palette(page).waitFor();
      await page.keyboard.type('o');
      assert.equal(await palette(page).inputValue(), 'roles');

      await page.reload();
      await heading(page, 'My account').waitFor();
      const answer = await hold(page, '**/User/GetAll?*');
      await page.keyboard.press('Control+K');
      await page.keyboard.type('mokoena');
      await page.keyboard.press('Enter');
      await file.arrive();
      file.release();
      await answer.arrive();
      await palette(page).waitFor();
      answer.release();
      await heading(page, 'Thandi Mokoena').waitFor();
      await palette(page).waitFor({ state: 'hidden' });

      await page.reload();
      await heading(page, 'Thandi Mokoena').waitFor();
      await page.unroute('**/User/GetAll?*');
      await page.keyboard.press('Control+K');
      await page.keyboard.type('zebra');
      await page.keyboard.press('Enter');
      await page.keyboard.type(' crossing');
      await file.arrive();
      file.release();
      await page.getByText('Nothing found.').waitFor();
      await palette(page).fill('roles');
      await page.locator('[data-action]', { hasText: 'Roles' }).first().waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Roles').waitFor();
      await context.close();
    },
  );
});
