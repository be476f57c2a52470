// The page of roles is accessible, in a real browser.
import { after, before, describe, it } from 'node:test';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  openSignedIn,
  type Pages,
  startPages,
} from '../support/browser.ts';

describe('the page of roles', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
  });
  after(() => pages.close());

  it('is accessible, with its dialogs', async () => {
    const applications = Array.from({ length: 14 }, (_, index) => `Application.Module${index}.AnythingLong`);
    const body = { name: 'Supervisor', grantedPermissions: ['pages:maintenance', ...applications] };
    await pages.test.post('/api/services/app/Role/Create', { token: await pages.test.admin(), body });
    await assertAccessibleEverywhere(pages, async (page) => {
      await openSignedIn(page, '/app/roles');
      await page.getByRole('main').getByText('UserManager', { exact: true }).first().waitFor();
      await assertAccessible(page);
      await page.getByLabel('Search').fill('Supervisor');
      await page.getByText('1 entry').waitFor();
      for (const name of ['Create a role', 'Edit Supervisor', 'Delete Supervisor']) {
        await page.getByRole('button', { name, exact: true }).click();
        await page.getByRole('dialog').waitFor();
        await assertAccessible(page);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
    });
  });
});
