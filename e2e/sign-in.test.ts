// Signing in with a password, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADMIN_PASSWORD } from '../server/test/support/service.ts';
import { assertAccessibleEverywhere, type Pages, signIn, startPages } from './support/browser.ts';

describe('signing in', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
  });
  after(() => pages.close());

  it('leads to the account, and out again', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await signIn(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login?*');
    await page.getByText('You are signed out.').waitFor();
    await page.goto('/app');
    await page.waitForURL('**/login?*');
    await context.close();
  });

  it('works by keyboard alone', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('admin');
    await page.keyboard.press('Tab');
    await page.keyboard.type(ADMIN_PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app');
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
    await context.close();
  });

  it('asks for nothing that is not accessible', () =>
    assertAccessibleEverywhere(pages, async (page) => {
      await page.goto('/login');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
    }));
});
