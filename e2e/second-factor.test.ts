// The second factor on the pages: enrolled, asked for, replaced by a recovery code or a trusted device, and removed.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import { inArabic, inFullWidth } from '../server/test/support/typing.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  comeBackLater,
  hold,
  letFail,
  openSignedIn,
  type Pages,
  signIn,
  startPages,
  untilAttentive,
} from './support/browser.ts';
import {
  createApp,
  enrollApp,
  giveFirstFactor,
  letEnrollmentExpire,
  openRequirement,
  readSecret,
  setFactors,
  storeRecoveryCodes,
} from './support/factors.ts';
import { liftLimits } from './support/messages.ts';

const NEW_PASSWORD = 'lantern gravel staple';

describe('the second factor', () => {
  let pages: Pages;
  let page: Page;
  let setRequirement: Awaited<ReturnType<typeof openRequirement>>;
  let userName: string;
  let count = 0;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    setRequirement = await openRequirement(pages);
  });
  after(() => pages.close());
  beforeEach(async () => {
    await setRequirement('optional');
    await setFactors(pages, { authenticator: true, trustedDeviceDays: 30 });
    count += 1;
    userName = `person${count}`;
    await pages.test.createUser(userName, { name: 'Ann', surname: 'Other' });
    page = await (await pages.open()).newPage();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const code = () => page.getByLabel('Code', { exact: true });
  const password = () => page.getByLabel('Current password', { exact: true });
  const signOut = async () => {
    await button('Sign out').click();
    await page.waitForURL('**/login?*');
  };

  it('is an authenticator app that the owner enrolls, is asked for, and removes', async () => {
    await openSignedIn(page, '/app', userName, USER_PASSWORD);
    await button('Set up an authenticator app').click();
    await button('Continue').click();
    await page.locator('input[name=currentPassword][aria-invalid=true]').waitFor();
    await password().fill('not it at all');
    await button('Continue').click();
    await page.getByText('The current password is wrong.').waitFor();
    await password().fill(USER_PASSWORD);
    await button('Continue').click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await assertAccessible(page);
    const secret = await readSecret(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button('Copy the key').click();
    await page.getByText('The key was copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
    const app = createApp(pages, secret);
    await code().fill('000000');
    await page.locator('input[name=code][aria-invalid=true]').waitFor();
    await page.keyboard.type(app.next());
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await assertAccessible(page);
    // The codes are shown once: only the button leaves them.
    await page.keyboard.press('Escape');
    assert.ok(await button('Done').isDisabled());
    assert.equal(new Set(await storeRecoveryCodes(page)).size, 10);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('10 codes are left.').waitFor();

    await signOut();
    await giveFirstFactor(page, userName);
    await code().fill('000000');
    assert.equal(await page.getByRole('combobox', { name: 'Language' }).count(), 0, 'a reload would lose the sign-in');
    await button('Continue').click();
    await page.getByText('This code or passkey is wrong.').waitFor();
    await code().fill(inArabic(app.next()));
    await button('Continue').click();
    await page.waitForURL('**/app');

    await button('Remove the authenticator app').click();
    await page.getByText('This is your last second factor.').waitFor();
    await password().fill(USER_PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('The authenticator app was removed.').waitFor();
    await button('Set up an authenticator app').waitFor();
    await signOut();
    await signIn(page, userName, USER_PASSWORD);
    await page.context().close();
  });

  it('keeps its dialog while another part is read again, and its new recovery codes when it cannot be read', async () => {
    await letFail(page, '**/User/GetMySecurityQuestions*');
    await openSignedIn(page, '/app', userName, USER_PASSWORD);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await button('Set up an authenticator app').click();
    await password().fill(USER_PASSWORD);
    const reading = await hold(page, '**/User/GetMySecurityQuestions*');
    await comeBackLater(page);
    await reading.arrive();
    const another = page.waitForResponse('**/User/GetMySecurityQuestions*');
    reading.release();
    await another;
    await button('Continue').click();
    const app = createApp(pages, await readSecret(page));
    await letFail(page, '**/Factor/GetAll*');
    const confirming = await hold(page, '**/Authenticator/Confirm');
    await code().fill(app.next());
    await confirming.arrive();
    assert.ok(await button('Cancel').isDisabled());
    await page.keyboard.press('Escape');
    confirming.release();
    await page.getByText('The authenticator app is set up.').waitFor();
    await storeRecoveryCodes(page);
    await page.context().close();
  });

  it('keeps its new recovery codes on the page until they are stored, unless the session ends', async () => {
    await openSignedIn(page, '/app', userName, USER_PASSWORD);
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'My account' }).click();
    await page.waitForURL('**/app/account');
    await button('Set up an authenticator app').click();
    await password().fill(USER_PASSWORD);
    await button('Continue').click();
    const confirming = await hold(page, '**/Authenticator/Confirm');
    await code().fill(createApp(pages, await readSecret(page)).next());
    await confirming.arrive();
    await untilAttentive(page);
    await page.goBack();
    await page.waitForURL('**/app/account');
    confirming.release();
    const list = page.getByRole('list', { name: 'Recovery codes' });
    await list.waitFor();
    await untilAttentive(page);
    await page.goBack();
    await page.waitForURL('**/app/account');
    assert.equal(await list.count(), 1);
    const other = await page.context().newPage();
    await other.goto('/app');
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('**/login?*');
    await page.context().close();
  });

  it('is set up anew when the service no longer accepts the first code', async () => {
    await setRequirement('required');
    await giveFirstFactor(page, userName);
    await button('Set up an authenticator app').click();
    const former = await readSecret(page);
    await letEnrollmentExpire(page);
    await code().fill(createApp(pages, former).next());
    await page.getByText('This took longer than 5 minutes.').waitFor();
    await password().fill(USER_PASSWORD);
    await button('Continue').click();
    const secret = await readSecret(page);
    assert.notEqual(secret, former);
    await code().fill(createApp(pages, secret).next());
    await storeRecoveryCodes(page);
    await page.waitForURL('**/app');
    await page.context().close();
  });

  it('is a recovery code in place of the app, and the page tells when few are left', async () => {
    const { recoveryCodes } = await enrollApp(pages, userName);
    const [first = '', ...others] = recoveryCodes;
    for (const used of others.slice(0, 6)) {
      const body = { userNameOrEmailAddress: userName, password: USER_PASSWORD };
      const { challengeToken } = (await pages.test.post('/api/TokenAuth/Authenticate', { body })).result;
      const given = { challengeToken, provider: 'RecoveryCode', code: used };
      assert.equal((await pages.test.post('/api/TokenAuth/VerifySecondFactor', { body: given })).status, 200);
    }
    await giveFirstFactor(page, userName);
    await button('Use a recovery code').click();
    await page.getByLabel('Recovery code').fill(` ${inFullWidth(first.toUpperCase()).replaceAll('-', '–')}`);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app');
    await page.getByText('3 codes are left.').waitFor();
    await page.getByText('Create new ones before you have used them all.').waitFor();
    await button('Create new codes').click();
    await password().fill(USER_PASSWORD);
    await page.keyboard.press('Enter');
    const [fresh = ''] = await storeRecoveryCodes(page);
    await page.getByText('10 codes are left.').waitFor();
    await signOut();
    await giveFirstFactor(page, userName);
    await button('Use a recovery code').click();
    await page.getByLabel('Recovery code').fill(recoveryCodes[8] ?? '');
    await button('Continue').click();
    await page.getByText('This code or passkey is wrong.').waitFor();
    await page.getByLabel('Recovery code').fill(fresh);
    await button('Continue').click();
    await page.waitForURL('**/app');
    await page.context().close();
  });

  itAtLength('confirms a change besides the password, when it was given too long ago', async () => {
    const { app, recoveryCodes } = await enrollApp(pages, userName);
    await giveFirstFactor(page, userName);
    // The next code takes time to pass, and a password check must not take that long.
    await code().waitFor();
    await code().fill(app.next());
    await button('Continue').click();
    await page.waitForURL('**/app');
    pages.test.clock.advance(300);
    await button('Create new codes').click();
    await password().fill(USER_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Confirm it with your second factor too.').waitFor();
    await page.locator('input[name=code]:focus').waitFor();
    await assertAccessible(page);
    await code().fill('000000');
    await page.getByText('This code or passkey is wrong.').waitFor();
    await code().fill(app.next());
    const [fresh = ''] = await storeRecoveryCodes(page);
    assert.ok(!recoveryCodes.includes(fresh));

    await button('Add an e-mail address').click();
    pages.test.clock.advance(300);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address', { exact: true }).fill(`${userName}@example.org`);
    await password().fill(USER_PASSWORD);
    await dialog.getByRole('button', { name: 'Send the code' }).click();
    await page.locator('input[name=code]:focus').waitFor();
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'hidden' });
    await button('Use a recovery code').click();
    await page.getByLabel('Recovery code').fill(fresh);
    await page.keyboard.press('Enter');
    await page.getByText(`A code is on its way to ${userName}@example.org.`).waitFor();
    await page.context().close();
  });

  it('leaves the focus in the dialog of a change that is refused after it was confirmed', async () => {
    const { app } = await enrollApp(pages, userName);
    await giveFirstFactor(page, userName);
    await code().fill(app.next());
    await button('Continue').click();
    await page.waitForURL('**/app');
    pages.test.clock.advance(300);
    await button('Create new codes').click();
    await password().fill(USER_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Confirm it with your second factor too.').waitFor();
    await letFail(page, '**/RecoveryCode/Regenerate');
    await code().fill(app.next());
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This failed.').waitFor();
    await dialog.and(page.locator(':focus')).waitFor();
    await page.context().close();
  });

  itAtLength('is not asked for on a trusted device, until the owner removes the device', async () => {
    const { app } = await enrollApp(pages, userName);
    await giveFirstFactor(page, userName);
    await page.getByLabel('Do not ask on this device for 30 days').check();
    await code().fill(app.next());
    await button('Continue').click();
    await page.waitForURL('**/app');
    await signOut();
    await signIn(page, ` ${userName.toUpperCase()}`, USER_PASSWORD);
    const kept = String(await page.evaluate('JSON.stringify(localStorage)'));
    assert.match(kept, /trusted-device/);
    assert.ok(!kept.includes(userName), 'the name stays out of the storage');

    const elsewhere = await (await pages.open()).newPage();
    await giveFirstFactor(elsewhere, userName);
    await elsewhere.getByLabel('Code', { exact: true }).waitFor();

    await button('Remove Chrome on Linux').click();
    await page.getByText('The sign-in asks for the second factor on Chrome on Linux again.').waitFor();
    await page.locator('h1:focus').waitFor();
    await signOut();
    await giveFirstFactor(page, userName);
    await code().waitFor();
    assert.doesNotMatch(String(await page.evaluate('JSON.stringify(localStorage)')), /trusted-device/);
    for (const one of [page, elsewhere]) await one.context().close();
  });

  itAtLength('is not asked for on a trusted device, also after a sign-in at another front end', async () => {
    const { test } = pages;
    const body = { appKey: 'portal', name: 'Portal' };
    await test.post('/api/services/app/FrontEndApp/Create', { token: await test.admin(), body });
    const { app } = await enrollApp(pages, userName);
    await giveFirstFactor(page, userName);
    await page.getByLabel('Do not ask on this device for 30 days').check();
    await code().fill(app.next());
    await button('Continue').click();
    await page.waitForURL('**/app');
    await signOut();
    await page.goto('/login?frontEnd=portal');
    await page.getByLabel('User name or e-mail address').fill(userName);
    await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD);
    await button('Sign in').click();
    await code().fill(app.next());
    await button('Continue').click();
    await page.waitForURL('**/app');
    await signOut();
    await signIn(page, userName, USER_PASSWORD);
    await page.context().close();
  });

  it('is asked for on a trusted device after a new password, and the page says so at once', async () => {
    const { app } = await enrollApp(pages, userName);
    await giveFirstFactor(page, userName);
    await page.getByLabel('Do not ask on this device for 30 days').check();
    await code().fill(app.next());
    await button('Continue').click();
    await page.waitForURL('**/app');
    const removal = button('Remove Chrome on Linux');
    await removal.waitFor();
    await button('Change the password').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password', { exact: true }).fill(USER_PASSWORD);
    await dialog.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await dialog.getByLabel('Repeat the new password', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Your password was changed').waitFor();
    await removal.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('submits itself when no device can be trusted, and begins again when the sign-in took too long', async () => {
    await setFactors(pages, { authenticator: true });
    const { app } = await enrollApp(pages, userName);
    await giveFirstFactor(page, userName);
    // The next code takes time to pass, and a password check must not take that long.
    await code().waitFor();
    await code().fill(app.next());
    await page.waitForURL('**/app');
    await signOut();
    await page.goto('/login?to=/app/account');
    await page.getByLabel('User name or e-mail address').fill(userName);
    await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD);
    await button('Sign in').click();
    await code().waitFor();
    pages.test.clock.advance(301);
    await code().fill('123456');
    await page.getByText('The sign-in took too long. Please sign in again.').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('to'), '/app/account');
    await page.context().close();
  });

  it('costs no try when a code cannot be one', async () => {
    const { app } = await enrollApp(pages, userName);
    await giveFirstFactor(page, userName);
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().includes('VerifySecondFactor')) sent += 1;
    });
    for (const wrong of ['12345', '1234567', 'abcdef']) {
      await code().fill(wrong);
      await button('Continue').click();
      await page.getByText('Type the 6 digits that the app shows.').waitFor();
      await code().fill('');
    }
    await button('Use a recovery code').click();
    for (const wrong of ['x7k2m', 'x7k2m-9qd4r-1', '<script>!!']) {
      await page.getByLabel('Recovery code').fill(wrong);
      await button('Continue').click();
      await page.getByText('A recovery code has 25 letters and digits').waitFor();
      await page.getByLabel('Recovery code').fill('');
    }
    assert.equal(sent, 0);
    await button('Use the authenticator app').click();
    await code().fill(app.next());
    await button('Continue').click();
    await page.waitForURL('**/app');
    assert.equal(sent, 1);
    await page.context().close();
  });

  itAtLength('is begun again when another tab has begun it meanwhile', async () => {
    await openSignedIn(page, '/app', userName, USER_PASSWORD);
    const other = await page.context().newPage();
    await other.goto('/app');
    const secrets: string[] = [];
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: 'Set up an authenticator app' }).click();
      await tab.getByLabel('Current password', { exact: true }).fill(USER_PASSWORD);
      await tab.getByRole('button', { name: 'Continue', exact: true }).click();
      secrets.push(await readSecret(tab));
    }
    const [former = '', newer = ''] = secrets;
    await code().fill(createApp(pages, former).next());
    await page.getByText('You began this again elsewhere, for example in another tab').waitFor();
    const focused = await page.evaluate('document.activeElement.textContent');
    assert.match(String(focused), /^You began this again/, 'screen readers read it');
    await assertAccessible(page);
    await other.getByLabel('Code', { exact: true }).fill(createApp(pages, newer).next());
    await storeRecoveryCodes(other);
    await other.getByText('10 codes are left.').waitFor();
    await page.context().close();
  });

  it('is set up at the sign-in where it is required, after a required change of the password', async () => {
    await pages.test.createUser(`${userName}b`, { requireChangePassword: true });
    await setRequirement('required');
    await page.goto('/login?to=/app/account');
    await page.getByLabel('User name or e-mail address').fill(`${userName}b`);
    await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD);
    await button('Sign in').click();
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Repeat the new password').fill(NEW_PASSWORD);
    await button('Change the password').click();
    await button('Set up an authenticator app').waitFor();
    await assertAccessible(page);
    // After a reload, the page no longer knows the password.
    await page.reload();
    await button('Set up an authenticator app').click();
    await password().fill(NEW_PASSWORD);
    await button('Continue').click();
    const app = createApp(pages, await readSecret(page));
    await code().fill(app.next());
    await storeRecoveryCodes(page);
    await page.waitForURL(`${pages.url}/app/account`);
    await page.getByText('10 codes are left.').waitFor();
    await page.context().close();
  });

  it('is required of an open session at its next refresh, and the pages lead there', async () => {
    await signIn(page, userName, USER_PASSWORD);
    await setRequirement('required');
    // The application could still use the former token. This address has none, and the same storage.
    await page.goto('/health/live');
    const copy = JSON.parse(await page.evaluate("sessionStorage['latchkey::copy']"));
    const { result } = await pages.test.post('/api/TokenAuth/RefreshTokenAsync', { token: copy.text });
    const refreshed = JSON.stringify({ ...copy, text: result.accessToken });
    await page.evaluate(`sessionStorage['latchkey::copy'] = ${JSON.stringify(refreshed)}`);
    await page.goto('/app');
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await button('Sign out').click();
    await page.getByText('You are signed out.').waitFor();
    await page.context().close();
  });

  itAtLength('has accessible pages', () =>
    enrollApp(pages, userName).then(() =>
      assertAccessibleEverywhere(pages, async (shown) => {
        await giveFirstFactor(shown, userName);
        await shown.getByLabel('Do not ask on this device for 30 days').waitFor();
      }),
    ),
  );
});
