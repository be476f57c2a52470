// The most important journeys, in a real browser, on PostgreSQL.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { pinIn } from '../../server/test/support/registration.ts';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { openSignedIn, type Pages, readToken, signIn, startPages, waitForRevocation } from '../support/browser.ts';
import { liftLimits, linkIn, receive } from '../support/messages.ts';

const SESSIONS = '/api/services/app/Session/GetAll';
const NEW_PASSWORD = 'lantern gravel staple';

describe('the pages on PostgreSQL', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages('postgres');
    await liftLimits(pages);
    await pages.test.createUser('thandi', {
      emailAddress: 'thandi@example.org',
      isEmailConfirmed: true,
      mobileNumber: '+27821234567',
      isMobileConfirmed: true,
    });
  });
  after(() => pages.close());

  const openPage = async () => (await pages.open()).newPage();
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  it('sign in with a password and off again, and the token is revoked', async () => {
    const page = await openPage();
    await signIn(page, 'thandi', USER_PASSWORD);
    await button(page, 'Sign out').waitFor();
    const token = await readToken(page);
    assert.equal((await pages.test.get(SESSIONS, { token })).status, 200);
    await button(page, 'Sign out').click();
    await page.getByText('You are signed out.').waitFor();
    await waitForRevocation(pages, token);
    await page.context().close();
  });

  it('sign in with a one-time pin', async () => {
    const page = await openPage();
    await page.goto('/login/pin');
    await page.getByLabel('User name, e-mail address or mobile number').fill('thandi');
    await button(page, 'Send the code').click();
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(pages) }));
    await page.waitForURL('**/app');
    await page.context().close();
  });

  it('replace a forgotten password by a mailed link', async () => {
    const page = await openPage();
    await page.goto('/forgot-password');
    await page.getByLabel('User name or e-mail address').fill('thandi');
    await button(page, 'Continue').click();
    await button(page, /link by e-mail/).click();
    await page.getByLabel('Code').waitFor();
    await page.goto(linkIn(await receive(pages), pages));
    await button(page, 'Continue').click();
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Repeat the new password').fill(NEW_PASSWORD);
    await button(page, 'Set the password').click();
    await page.getByRole('heading', { name: 'My account', level: 1 }).waitFor();
    await pages.test.deliver();
    await page.context().close();
  });

  it('change a setting that applies to another browser at once, and reset it', async () => {
    const other = await openPage();
    await signIn(other, 'thandi', NEW_PASSWORD);
    await button(other, 'Change the password').click();
    const change = async (password: string) => {
      await other.getByLabel('Current password', { exact: true }).fill(NEW_PASSWORD);
      await other.getByLabel('New password', { exact: true }).fill(password);
      await other.getByLabel('Repeat the new password').fill(password);
      await other.keyboard.press('Enter');
    };
    const page = await openPage();
    await openSignedIn(page, '/app/settings?frontEnd=default-app&category=Password+complexity');
    await page.getByRole('switch', { name: 'Require digit' }).press('Space');
    await button(page, 'Save').click();
    await page.getByText('Require digit: saved.').waitFor();
    await change('a walk by the sea');
    await other.getByText('Use at least one digit.').waitFor();
    await button(page, 'History of Require digit').click();
    await button(page, /^Undo: /).click();
    await page.getByRole('dialog', { name: 'Undo: Require digit' }).getByRole('button', { name: 'Undo' }).click();
    await button(page, 'Back to default: Require digit').waitFor({ state: 'detached' });
    await change('a walk by the sea');
    await other.getByText('Your password was changed').waitFor();
    await page.context().close();
    await other.context().close();
  });
});
