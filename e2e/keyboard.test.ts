// The application by keyboard alone: the order of the focus, and where it goes when something closes.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { letFail, openSignedIn, type Pages, startPages, tabTo } from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

describe('the application by keyboard', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  async function openAt(path: string, width = 1100): Promise<Page> {
    const page = await (await pages.open({ width })).newPage();
    await openSignedIn(page, `/app${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const focused = (page: Page) => page.locator('*:focus');
  /** Moves to an item of the open menu by arrow keys. */
  async function moveTo(page: Page, item: Locator): Promise<void> {
    await item.waitFor();
    for (let presses = 0; (await item.and(focused(page)).count()) === 0; presses += 1) {
      assert.ok(presses < 10, 'the arrow keys do not reach the item');
      await page.keyboard.press('ArrowDown');
    }
  }
  /** The next stop, by its name. */
  async function next(page: Page): Promise<string> {
    await page.keyboard.press('Tab');
    const stop = focused(page);
    return (await stop.getAttribute('aria-label')) ?? (await stop.innerText());
  }

  it('begins at the heading, and a link leads back there past the navigation', async () => {
    const page = await openAt('/roles');
    assert.equal(await focused(page).textContent(), 'Roles');
    assert.equal(await next(page), 'Guide');
    assert.equal(await next(page), 'Create a role');
    await tabTo(page, button(page, 'Skip to the content'));
    const box = await focused(page).boundingBox();
    assert.ok(box && box.height >= 24 && box.x >= 0, 'the link is visible');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page).textContent(), 'Roles');
    await page.context().close();
  });

  it('stops at the links of the navigation on a phone only while it is open', async () => {
    const page = await openAt('/roles', 390);
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    await tabTo(page, button(page, /^Menu of/));
    await page.keyboard.press('Tab');
    assert.equal(await focused(page).textContent(), 'Guide', 'the navigation is passed by');
    await tabTo(page, button(page, 'Menu'));
    await page.keyboard.press('Enter');
    await tabTo(page, links.first());
    await tabTo(page, links.last());
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('main *:focus').count(), 0, 'the page below is covered');
    await page.keyboard.press('Escape');
    await button(page, 'Menu').and(focused(page)).waitFor();
    assert.equal(await button(page, 'Menu').getAttribute('aria-expanded'), 'false');
    await page.context().close();
  });

  it('gets the focus back from the account menu, the first time and later', async () => {
    const page = await openAt('/outbox');
    const menu = button(page, /^Menu of/);
    await tabTo(page, menu);
    for (let times = 0; times < 2; times += 1) {
      await page.keyboard.press('Enter');
      const item = page.getByRole('menuitem', { name: 'My account' });
      await item.waitFor();
      await moveTo(page, item);
      await page.keyboard.press('Escape');
      await item.waitFor({ state: 'hidden' });
      await menu.and(focused(page)).waitFor();
    }
    await page.context().close();
  });

  it('gets the focus back from a call that has failed, within its dialog', async () => {
    const page = await openAt('/account');
    await letFail(page, '**/User/ChangePassword');
    await tabTo(page, button(page, 'Change the password'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    for (const label of ['Current password', 'New password', 'Repeat the new password'])
      await dialog.getByLabel(label, { exact: true }).fill('seven green bottles');
    const submit = dialog.getByRole('button', { name: 'Change the password' });
    await tabTo(page, submit);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await submit.and(focused(page)).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await dialog.locator('*:focus').count(), 1, 'the dialog keeps it');
    await page.context().close();
  });

  it('gets the focus back from a dialog that fades, also from a button in it that was busy', async () => {
    const page = await openAt(`/users/${await pages.test.createUser('faded')}`);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const edit = button(page, 'Edit').first();
    await edit.press('Enter');
    await page.getByLabel('First name').fill('Typed');
    await page.keyboard.press('Escape');
    await button(page, 'Discard').press('Enter');
    await edit.and(focused(page)).waitFor();
    await button(page, 'Deactivate').press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).press('Enter');
    await page.getByRole('heading', { level: 1 }).and(focused(page)).waitFor();
    await page.context().close();
  });

  it('gets the focus back from an export that is cancelled', async () => {
    const page = await openAt('/users');
    await page.addInitScript('delete globalThis.showSaveFilePicker');
    await page.reload();
    await page.getByRole('table', { name: 'Users' }).waitFor();
    await page.route('**/User/Export?*', () => {});
    await tabTo(page, button(page, 'Export'));
    await page.keyboard.press('Enter');
    await moveTo(page, page.getByRole('menuitem').first());
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Export users' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('The export was cancelled.').waitFor();
    await button(page, 'Export').and(focused(page)).waitFor();
    await page.context().close();
  });
});
