// Registration, in a real browser: by e-mail address, by mobile number, by a mailed link.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createRegistering, pinIn, type Registering, SEND_BY, wrongPin } from '../server/test/support/registration.ts';
import { itAtLength } from '../server/test/support/scale.ts';
import { assertAccessible, assertAccessibleEverywhere, type Pages, signIn, startPages } from './support/browser.ts';
import { liftLimits, linkIn, receive } from './support/messages.ts';

const PASSWORD = 'seven green bottles';

async function askPin(page: Page, label: string, address: string): Promise<void> {
  await page.getByLabel(label).fill(address);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByText('A code is on its way to').waitFor();
}

async function fillIn(page: Page, names: Record<string, string>): Promise<void> {
  await page.getByLabel('First name').waitFor();
  for (const [label, value] of Object.entries(names)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create the account' }).click();
}

describe('registration', () => {
  let pages: Pages;
  let registering: Registering;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    registering = createRegistering(pages.test);
  });
  after(() => pages.close());

  const givePin = async (page: Page) => {
    await page.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(pages) }));
  };

  it('is not offered where it is off', async () => {
    await registering.open('none');
    const page = await (await pages.open()).newPage();
    await page.goto('/login');
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByRole('link', { name: 'Create an account' }).count(), 0);
    await page.goto('/register');
    await page.getByText('Registration is turned off.').waitFor();
    await assertAccessible(page);
    await page.context().close();
  });

  it('creates an account with an e-mail address, and continues where the setting says', async () => {
    await registering.open('email', { goToUrlAfterRegistration: '/app/welcome?new=1' });
    const page = await (await pages.open()).newPage();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('Please fill this in.').waitFor();
    await page.getByLabel('E-mail address').fill('no address');
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('Give one e-mail address').waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'sendTo');
    await askPin(page, 'E-mail address', 'nomsa@example.org');
    const right = pinIn({ text: await receive(pages) });
    const pin = page.getByLabel('Code', { exact: true });
    await pin.fill(wrongPin(right));
    await page.getByText('This code is wrong, or can no longer be used.').waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'pin');
    await pin.fill(right);
    await page.getByText('nomsa@example.org is verified.').waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Language' }).count(), 0, 'a reload would spend the code');
    await fillIn(page, { 'User name': 'admin', 'First name': 'Nomsa', 'Last name': 'Dlamini' });
    await page.getByText('This user name is taken.').waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'userName');
    await fillIn(page, { 'User name': 'nomsa' });
    await page.getByText('Your account was created. Please sign in.').waitFor();
    await page.getByLabel('User name or e-mail address').fill('nomsa');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${pages.url}/app/welcome?new=1`);
    await page.context().close();
  });

  it('creates an account with a mobile number, by keyboard alone', async () => {
    await registering.open('mobile', { goToUrlAfterRegistration: '/' });
    const page = await (await pages.open()).newPage();
    await page.goto('/register?to=/app/elsewhere');
    await page.locator('input[name=sendTo]:focus').waitFor();
    const next = async (text: string) => {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    };
    await page.keyboard.type('+27 82 123 4599');
    await page.keyboard.press('Enter');
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.keyboard.type(pinIn({ text: await receive(pages) }));
    await page.getByText('+27821234599 is verified.').waitFor();
    await page.locator('input[name=userName]:focus').waitFor();
    await page.keyboard.type('zola');
    await next('Zola');
    await next('Khumalo');
    await next(PASSWORD);
    await page.keyboard.press('Tab');
    await next(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login?end=registered&to=%2Fapp%2Felsewhere');
    await signIn(page, 'zola', PASSWORD);
    await page.context().close();
  });

  itAtLength('uses the address as user name where the setting says so', async () => {
    await registering.open('email', { userEmailAsUsername: true });
    const page = await (await pages.open()).newPage();
    await page.goto('/register');
    await askPin(page, 'E-mail address', 'busi@example.org');
    await givePin(page);
    await page.getByLabel('First name').waitFor();
    assert.equal(await page.getByLabel('User name').count(), 0);
    await fillIn(page, {});
    await page.getByText('Your account was created.').waitFor();
    await signIn(page, 'busi@example.org', PASSWORD);
    await page.context().close();
  });

  it('follows a link that another front end requested, and opening it alone does not use it up', async () => {
    await registering.open('email', { userEmailAsUsername: false });
    await registering.askPin('ayanda@example.org', SEND_BY.link);
    const link = linkIn(await receive(pages), pages);
    const page = await (await pages.open()).newPage();
    for (let time = 0; time < 2; time += 1) {
      await page.goto('/login');
      await page.goto(link);
      await page.getByText('Continue to verify your address.').waitFor();
    }
    assert.equal(page.url(), `${pages.url}/register`);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Verify' }).click();
    await fillIn(page, { 'E-mail address': 'another@example.org', 'User name': 'ayanda' });
    await page.getByText('This address is not verified').waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'emailAddress');
    await fillIn(page, { 'E-mail address': 'ayanda@example.org' });
    await page.getByText('Your account was created.').waitFor();
    await page.goto(link);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('This link is no longer valid.').waitFor();
    await page.context().close();
  });

  it('shows accessible pages only', async () => {
    await registering.open('mobile');
    let number = 27821234600;
    await assertAccessibleEverywhere(pages, async (page) => {
      number += 1;
      await page.goto('/register');
      await page.getByLabel('Mobile number').waitFor();
      await assertAccessible(page);
      await askPin(page, 'Mobile number', `+${number}`);
      await assertAccessible(page);
      await givePin(page);
      await page.getByLabel('First name').waitFor();
      await page.getByText('at least').waitFor();
    });
  });
});
