// Passkeys on the pages, with an authenticator of the browser: registered, signed in with, renamed and removed.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import { assertAccessible, openSignedIn, type Pages, signIn, until } from './support/browser.ts';
import {
  addAuthenticator,
  createApp,
  giveFirstFactor,
  letEnrollmentExpire,
  openRequirement,
  readSecret,
  setFactors,
  startPagesAtPublicUrl,
  storeRecoveryCodes,
  type VirtualAuthenticator,
} from './support/factors.ts';

describe('passkeys', () => {
  let pages: Pages;
  let page: Page;
  let authenticator: VirtualAuthenticator;
  let setRequirement: Awaited<ReturnType<typeof openRequirement>>;
  let userName: string;
  let count = 0;
  before(async () => {
    pages = await startPagesAtPublicUrl();
    setRequirement = await openRequirement(pages);
  });
  after(() => pages.close());
  beforeEach(async () => {
    await setRequirement('optional');
    await setFactors(pages, { passkeys: true, authenticator: true });
    count += 1;
    userName = `person${count}`;
    await pages.test.createUser(userName, { name: 'Ann', surname: 'Other' });
    page = await (await pages.open()).newPage();
    authenticator = await addAuthenticator(page);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
  const password = () => page.getByLabel('Current password', { exact: true });
  const signOut = async () => {
    await button('Sign out').click();
    await page.waitForURL('**/login?*');
    await button('Sign in with a passkey').waitFor();
  };
  /** Adds the first passkey on the account page. @returns the recovery codes. */
  async function add(name?: string): Promise<string[]> {
    await openSignedIn(page, '/app', userName, USER_PASSWORD);
    await button('Add a passkey').click();
    await password().fill(USER_PASSWORD);
    await button('Continue').click();
    const field = page.getByRole('dialog').getByLabel('Name', { exact: true });
    await field.waitFor();
    await page.locator('p:focus', { hasText: 'Your browser asks where to keep it' }).waitFor();
    assert.equal(await field.inputValue(), 'Chrome on Linux');
    if (name !== undefined) await field.fill(name);
    await assertAccessible(page);
    await button('Create the passkey').click();
    await page.locator('p:focus', { hasText: 'With a recovery code you can sign in' }).waitFor();
    const codes = await storeRecoveryCodes(page);
    assert.equal(codes.length, 10);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    return codes;
  }

  it('sign in without a name, by the button', async () => {
    await add();
    assert.equal(await authenticator.count(), 1);
    await signOut();
    await assertAccessible(page);
    await page.goto('/login?to=/app/account');
    await button('Sign in with a passkey').waitFor();
    await button('Sign in with a passkey').click();
    await page.waitForURL(`${pages.url}/app/account`);
    await page.getByText('with a passkey').waitFor();
    await page.context().close();
  });

  itAtLength('sign in when their button has loaded after all, without a reload', async () => {
    await add();
    await signOut();
    await page.route('**/assets/passkey-sign-in-*.js', (route) => route.abort());
    await page.goto('/login');
    await page.getByText('A part of this page could not be loaded.').waitFor();
    await assertAccessible(page);
    await page.getByLabel('User name or e-mail address').fill('typed');
    await page.unrouteAll();
    await button('Try again').click();
    await page.locator('button:enabled', { hasText: 'Sign in with a passkey' }).waitFor();
    assert.equal(await page.getByLabel('User name or e-mail address').inputValue(), 'typed');
    await page.route(/passkey-sign-in|health/, (route) => route.abort());
    await page.goto('/login');
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unrouteAll();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await button('Sign in with a passkey').click();
    await page.waitForURL('**/app');
    await page.context().close();
  });

  it('sign in by the autofill of the name field', async () => {
    await add();
    await signOut();
    const name = page.getByLabel('User name or e-mail address');
    assert.equal(await name.getAttribute('autocomplete'), 'username webauthn');
    await authenticator.startAutofill();
    await page.goto('/login');
    await page.waitForURL('**/app');
    await page.context().close();
  });

  it('are offered in the autofill anew every four minutes, while the page is visible', async () => {
    await page.goto('/health/live');
    await authenticator.startAutofill();
    await page.addInitScript('navigator.credentials.get = () => new Promise(() => {})');
    await page.clock.install();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('GetPasskeyOptions')) asked += 1;
    });
    const askedBy = (act: () => Promise<unknown>) => Promise.all([page.waitForRequest(/GetPasskeyOptions/), act()]);
    const setHidden = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await askedBy(() => page.goto('/login'));
    await askedBy(() => page.clock.runFor(240_000));
    await setHidden(true);
    for (let round = 0; round < 3; round += 1) await page.clock.runFor(240_000);
    assert.equal(asked, 2);
    await askedBy(() => setHidden(false));
    await setHidden(true);
    await setHidden(false);
    await askedBy(() => page.clock.runFor(240_000));
    assert.equal(asked, 4);
    await page.context().close();
  });

  it('are a second factor after the password, and the user may switch to another one', async () => {
    await add();
    await button('Set up an authenticator app').click();
    await inDialog('Confirm with a passkey instead').click();
    const app = createApp(pages, await readSecret(page));
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await storeRecoveryCodes(page);
    await signOut();
    await giveFirstFactor(page, userName);
    await button('Continue with a passkey').waitFor();
    await assertAccessible(page);
    await button('Use the authenticator app').click();
    await page.getByLabel('Code', { exact: true }).waitFor();
    await button('Use a passkey').click();
    await button('Continue with a passkey').click();
    await page.waitForURL('**/app');
    await page.context().close();
  });

  itAtLength('leave the other second factors to a user who does not answer the browser', async () => {
    const [recoveryCode = ''] = await add();
    await signOut();
    await giveFirstFactor(page, userName);
    await button('Continue with a passkey').waitFor();
    await page.evaluate(`navigator.credentials.get = ({ signal }) => new Promise((_, reject) => {
      globalThis.isAsking = true;
      signal.addEventListener('abort', () => {
        globalThis.isAsking = false;
        reject(signal.reason);
      });
    })`);
    const isAsking = () => page.evaluate<boolean>('globalThis.isAsking === true');
    await button('Continue with a passkey').click();
    await until(page, isAsking, 'the browser does not ask');
    await button('Use a recovery code').click();
    await until(page, async () => !(await isAsking()), 'the browser still asks');
    assert.equal(await page.getByText('The passkey was not used').count(), 0);
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await button('Continue').click();
    await page.waitForURL('**/app');
    await page.context().close();
  });

  itAtLength('are renamed, and confirm in place of the password', async () => {
    await add('Old key');
    await button('Rename Old key').click();
    const field = page.getByRole('dialog').getByLabel('Name', { exact: true });
    await field.fill(' ');
    await inDialog('Save').click();
    await page.locator('input[name=name][aria-invalid=true]').waitFor();
    await field.fill('<b>New</b> key');
    await inDialog('Save').click();
    await page.getByText('The passkey is now called <b>New</b> key.').waitFor();
    await button('Create new codes').click();
    await inDialog('Confirm with a passkey instead').click();
    await storeRecoveryCodes(page);
    await button('Remove <b>New</b> key').click();
    await page.getByText('This is your last second factor.').waitFor();
    await password().fill(USER_PASSWORD);
    await inDialog('Remove').click();
    await page.getByText('<b>New</b> key was removed.').waitFor();
    await page.getByText('With a passkey you sign in by fingerprint').waitFor();
    await signOut();
    await signIn(page, userName, USER_PASSWORD);
    await page.context().close();
  });

  it('are refused when they were removed, and when the user cancels', async () => {
    await add();
    await button('Remove Chrome on Linux').click();
    await password().fill(USER_PASSWORD);
    await inDialog('Remove').click();
    await page.getByText('Confirm it with your second factor too.').waitFor();
    await assertAccessible(page);
    await inDialog('Continue with a passkey').click();
    await page.getByText('Chrome on Linux was removed.').waitFor();
    await signOut();
    await button('Sign in with a passkey').click();
    await page.getByText('This passkey does not open an account here.').waitFor();
    await authenticator.clear();
    await button('Sign in with a passkey').click();
    await page.getByText('The passkey was not used: you cancelled').waitFor();
    await page.context().close();
  });

  it('fulfil a required second factor', async () => {
    await setRequirement('required');
    await giveFirstFactor(page, userName);
    await button('Add a passkey').click();
    await button('Create the passkey').click();
    await storeRecoveryCodes(page);
    await page.waitForURL('**/app');
    await page.getByText('10 codes are left.').waitFor();
    await page.context().close();
  });

  it('are not created when the service no longer accepts them', async () => {
    await openSignedIn(page, '/app', userName, USER_PASSWORD);
    await button('Add a passkey').click();
    await password().fill(USER_PASSWORD);
    await button('Continue').click();
    await button('Create the passkey').waitFor();
    await letEnrollmentExpire(page);
    await button('Create the passkey').click();
    await page.getByText('This took too long. Please begin again.').waitFor();
    assert.equal(await authenticator.count(), 0);
    await password().fill(USER_PASSWORD);
    await button('Continue').click();
    await button('Create the passkey').click();
    assert.equal((await storeRecoveryCodes(page)).length, 10);
    await page.context().close();
  });

  it('are not offered where the settings or the browser have none', async () => {
    await setFactors(pages, { authenticator: true });
    await page.goto('/login');
    await page.getByRole('link', { name: 'Sign in with a code' }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await button('Sign in with a passkey').count(), 0);
    await page.context().close();
  });
});
