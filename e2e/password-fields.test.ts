// The fields for passwords: what is typed is hidden, and pasting and password managers work.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADMIN_PASSWORD } from '../server/test/support/service.ts';
import { type Pages, startPages } from './support/browser.ts';

describe('the password fields', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
  });
  after(() => pages.close());

  it('hide what is typed, take a pasted password, and name themselves to password managers', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login');
    const password = page.getByRole('textbox', { name: 'Password' });
    const name = page.getByLabel('User name');
    await name.fill(ADMIN_PASSWORD);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+C');
    await password.focus();
    await page.keyboard.press('ControlOrMeta+V');
    assert.deepEqual(
      [await password.getAttribute('type'), await password.getAttribute('autocomplete'), await password.inputValue()],
      ['password', 'current-password', ADMIN_PASSWORD],
    );
    assert.match(String(await name.getAttribute('autocomplete')), /^username\b/);
    await name.fill('admin');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app');

    await page.goto('/app/account');
    for (const form of ['Change the password', 'Add a mobile number']) {
      await page.getByRole('button', { name: form, exact: true }).click();
      const account = page.getByRole('dialog', { name: form }).locator('input[autocomplete=username]');
      await account.waitFor({ state: 'attached' });
      assert.equal(await account.inputValue(), 'admin', form);
      await page.keyboard.press('Escape');
    }
    await context.close();
  });
});
