// The pages of a service without e-mail and SMS, in a real browser: nothing that needs a message is offered.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createOffChannel } from '../server/src/delivery/index.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import { assertAccessible, hold, openSignedIn, type Pages, startPages } from './support/browser.ts';

const NO_SMS = 'Has no effect until the service sends SMS (now LATCHKEY_SMS_URL=off).';
const NO_MAIL = 'Has no effect until the service sends e-mail (now LATCHKEY_SMTP_URL=off).';

describe('the pages without e-mail and SMS', () => {
  let pages: Pages;
  before(async () => {
    const channels = { email: createOffChannel('email'), sms: createOffChannel('sms') };
    pages = await startPages('sqlite', { channels });
    const { test } = pages;
    await test.createUser('thandi', { emailAddress: 'thandi@example.org', mobileNumber: '+27821234567' });
    await test.createUser('new', { password: null, emailAddress: 'new@example.org' });
    await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 3 });
  });
  after(() => pages.close());

  it('offer no pin, no registration and no reset', async () => {
    const page = await (await pages.open()).newPage();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    assert.equal(await page.getByText('Sign in with a code').count(), 0);
    assert.equal(await page.getByText('Create an account').count(), 0);
    await page.goto('/register');
    await page.getByText('Registration is turned off.').waitFor();
    await page.goto('/forgot-password');
    await page.getByLabel('User name or e-mail address').fill('thandi');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Password reset is turned off.').waitFor();
    await page.goto('/login/pin');
    await page.getByRole('textbox').first().fill('thandi');
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('This service does not send such messages. Please choose another way.').first().waitFor();
    await page.context().close();
  });

  it('let no owner verify an address', async () => {
    const page = await (await pages.open()).newPage();
    const means = await hold(page, '**/Delivery/GetMeans');
    await openSignedIn(page, '/app/account', 'thandi', USER_PASSWORD);
    await page.getByText('+27821234567').waitFor();
    await means.arrive();
    const offers = page.getByRole('button', { name: /(e-mail address|mobile number)$/ });
    assert.equal(await offers.count(), 0, 'before the service has said what it sends');
    const answered = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/GetMeans'));
    means.release();
    await answered;
    assert.equal(await offers.count(), 0);
    await page.context().close();
  });

  it('tell administrators why settings have no effect, and why nobody can be invited', async () => {
    const page = await (await pages.open()).newPage();
    await openSignedIn(page, '/app/settings?category=Security');
    const security = page.locator('[data-setting="Shesha.Security"]');
    await security.getByText(NO_SMS).waitFor();
    await security.getByText(NO_MAIL).waitFor();
    await security.getByText('Has no effect until the service sends SMS (now LATCHKEY_SMS_URL=off) or').waitFor();
    await security.getByText('Has no effect until “Use reset password via SMS OTP” is “On”.').waitFor();
    await page.getByText('Users cannot reset a forgotten password. An administrator must do so.').waitFor();
    await assertAccessible(page);
    await page.goto('/app/settings?category=Registration');
    await page.locator('[data-setting="Shesha.UserManagement"]').getByText(NO_SMS).waitFor();
    await page.getByText('Users cannot register.').waitFor();
    await page.goto('/app/users');
    await page.getByRole('link', { name: 'new', exact: true }).click();
    await page.getByRole('button', { name: 'Send invitation' }).first().click();
    await page.getByText('Invitations cannot be sent: e-mail is turned off on this service').waitFor();
    await page.context().close();
  });
});
