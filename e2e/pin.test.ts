// Signing in with a one-time pin, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { pinIn, wrongPin } from '../server/test/support/registration.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import { inArabic } from '../server/test/support/typing.ts';
import { assertAccessible, assertAccessibleEverywhere, type Pages, startPages } from './support/browser.ts';
import { liftLimits, receive } from './support/messages.ts';

const nameField = 'User name, e-mail address or mobile number';

describe('signing in with a one-time pin', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    await pages.test.createUser('thandi', { mobileNumber: '+27821234567', isMobileConfirmed: true });
  });
  after(() => pages.close());

  async function ask(page: Page, name: string): Promise<void> {
    await page.getByLabel(nameField).fill(name);
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByLabel('Code', { exact: true }).waitFor();
  }
  const receivePin = async () => pinIn({ text: await receive(pages) });

  it('leads from the sign-in page, by name or number, to the requested page', async () => {
    for (const name of ['thandi', '+27 82 123 4567']) {
      const context = await pages.open();
      const page = await context.newPage();
      await page.goto('/login?to=/app/elsewhere&end=idle');
      await page.getByRole('link', { name: 'Sign in with a code' }).click();
      await ask(page, name);
      await page.getByLabel('Code', { exact: true }).fill(await receivePin());
      await page.waitForURL(`${pages.url}/app/elsewhere`);
      await page.goto('/login/pin');
      await page.waitForURL('**/app');
      await context.close();
    }
  });

  it('works by keyboard alone: the pin field has the focus at once, and a complete pin is checked at once', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login/pin');
    await page.locator('input[name=userNameOrMobileNo]:focus').waitFor();
    await page.keyboard.type('thandi');
    await page.keyboard.press('Enter');
    const pin = page.getByLabel('Code', { exact: true });
    await pin.waitFor();
    assert.equal(await pin.getAttribute('autocomplete'), 'one-time-code');
    // Pasted from a message, with blanks.
    await page.keyboard.insertText(` ${(await receivePin()).replace(/(...)/, '$1 ')}`);
    await page.waitForURL('**/app');
    await context.close();
  });

  it('says beside the field that a pin is wrong, and accepts the right one', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login/pin');
    await ask(page, 'thandi');
    const right = await receivePin();
    const pin = page.getByLabel('Code', { exact: true });
    await pin.press('Enter');
    await page.getByText('Please fill this in.').waitFor();
    await pin.fill(wrongPin(right));
    await page.getByText('This code is wrong, or can no longer be used.').waitFor();
    assert.equal(await pin.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.evaluate('document.activeElement?.name'), 'code');
    await assertAccessible(page);
    await pin.fill(`\u200f${inArabic(right)}`);
    await page.waitForURL('**/app');
    await context.close();
  });

  it('sends another pin once that is allowed, and says how long to wait', async () => {
    const cooldown = 90;
    await pages.test.set('Shesha.Otp', { resendCooldown: cooldown });
    await pages.test.createUser('lerato', { mobileNumber: '+27821234568', isMobileConfirmed: true });
    const context = await pages.open();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto('/login/pin');
    await ask(page, 'lerato');
    const first = await receivePin();
    const waiting = page.getByRole('button', { name: /Send a new code in \d/ });
    const resend = page.getByRole('button', { name: 'Send a new code', exact: true });
    const pass = async (seconds: number) => {
      pages.test.clock.advance(seconds);
      await page.clock.fastForward(seconds * 1000);
    };
    await waiting.waitFor();
    // Time passes for the page by itself as well: the rest is longer than what a slow machine takes.
    await pass(cooldown - 60);
    assert.equal(await waiting.isDisabled(), true);
    // The settings have changed since the page was loaded.
    await pages.test.set('Shesha.Otp', { resendCooldown: 2 * cooldown });
    await pass(60);
    await resend.click();
    await page.getByText('A message was requested a moment ago.').waitFor();
    assert.equal(await waiting.isDisabled(), true);
    await pass(cooldown);
    await resend.click();
    await page.getByText('A new message is on its way.').waitFor();
    const second = await receivePin();
    const pin = page.getByLabel('Code', { exact: true });
    await pin.fill(first);
    await page.getByText('This code is wrong, or can no longer be used.').waitFor();
    await pin.fill(second);
    await page.waitForURL('**/app');
    await pages.test.set('Shesha.Otp', { resendCooldown: 0 });
    await context.close();
  });

  it('still takes the pin after a reload, and where the service says to wait before the next one', async () => {
    await pages.test.createUser('naledi', { mobileNumber: '+27821234570', isMobileConfirmed: true });
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login/pin');
    await page.getByLabel('Stay signed in').check();
    await ask(page, 'naledi');
    await receivePin();
    await page.reload();
    const pin = page.getByLabel('Code', { exact: true });
    await pin.waitFor();
    await page.getByRole('button', { name: 'Use another name' }).click();
    assert.ok(await page.getByLabel('Stay signed in').isChecked());
    await pages.test.set('Shesha.Otp', { resendCooldown: 60 });
    pages.test.clock.advance(61);
    // Another visit begins again: the person may want another name.
    await page.goto('/login/pin');
    await ask(page, 'naledi');
    const latest = await receivePin();
    await page.goto('/login/pin');
    await ask(page, 'naledi');
    await page.getByRole('button', { name: /Send a new code in \d/ }).waitFor();
    await pin.fill(latest);
    await page.waitForURL('**/app**');
    assert.equal(await page.evaluate("sessionStorage['latchkey::sent-pin']"), undefined);
    await pages.test.set('Shesha.Otp', { resendCooldown: 0 });
    await context.close();
  });

  it('asks for a new password where one must be changed, or for recovery', async () => {
    await pages.test.createUser('sipho', {
      mobileNumber: '+27821234569',
      isMobileConfirmed: true,
      requireChangePassword: true,
    });
    const context = await pages.open();
    const page = await context.newPage();
    await page.goto('/login/pin');
    await ask(page, 'sipho');
    await page.getByLabel('Code', { exact: true }).fill(await receivePin());
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
    await page.getByLabel('Current password').fill(USER_PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('a walk by the river');
    await page.getByLabel('Repeat the new password').fill('a walk by the river');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.waitForURL('**/app');
    await context.close();
  });

  it('asks for pins as the settings define them: number of digits, or also letters', async () => {
    const page = await (await pages.open()).newPage();
    const pin = page.getByLabel('Code', { exact: true });
    const show = async () => {
      await page.goto('/login/pin');
      await ask(page, 'thandi');
    };
    await show();
    await page.getByText('The code is checked as soon as you have typed all 6 digits.').waitFor();
    assert.equal(await pin.getAttribute('inputmode'), 'numeric');
    await receive(pages);
    await pages.test.set('Shesha.Otp', { passwordLength: 8, alphabet: '0123456789abcdef' });
    await show();
    await page.getByText('The code is checked as soon as you have typed all 8 letters and digits.').waitFor();
    assert.equal(await pin.getAttribute('inputmode'), 'text');
    await pin.fill((await receive(pages)).slice(0, 8));
    await page.waitForURL('**/app');
    await pages.test.set('Shesha.Otp', { passwordLength: 6, alphabet: '0123456789' });
    await page.context().close();
  });

  it('shows accessible pages only', async () => {
    const show = async (page: Page) => {
      await page.goto('/login/pin');
      await page.getByLabel(nameField).waitFor();
    };
    await assertAccessibleEverywhere(pages, show, async (page) => {
      await show(page);
      await ask(page, 'nobody');
    });
  });
});
