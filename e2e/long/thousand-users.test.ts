// A thousand users at once, which is the most, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openSignedIn, type Pages, startPages } from '../support/browser.ts';
import { liftLimits } from '../support/messages.ts';

describe('a thousand users', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

  async function choose(page: Page, action: string) {
    await button(page, 'Choose an action').click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
    await page.getByRole('dialog').waitFor();
  }

  it('are changed together, and the next ones can be selected afterwards', async () => {
    const token = await pages.test.admin();
    const lines = Array.from({ length: 1003 }, (_, index) => JSON.stringify({ userName: `crowd-${index}` }));
    for (let start = 0; start < lines.length; start += 100) {
      const body = { lines: lines.slice(start, start + 100) };
      await pages.test.post('/api/services/app/User/Import', { token, body });
    }
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app/users?keyword=crowd-');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await button(page, 'Select the first 1,000 users found').click();
    await page.getByText('1,000 users selected').waitFor();
    await choose(page, 'Unlock');
    await inDialog(page, 'Unlock').click();
    // A thousand calls take as long as the machine is busy.
    await page.getByText('1,000 users unlocked.').waitFor({ timeout: 0 });
    await inDialog(page, 'Select the next 3 users found').click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('3 users selected (3 on other pages)').waitFor();
    await choose(page, 'Deactivate');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('3 users selected').waitFor();
    await choose(page, 'Deactivate');
    await inDialog(page, 'Deactivate').click();
    await page.getByText('3 users deactivated.').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Select the next/ }).count(), 0);
    await context.close();
  });
});
