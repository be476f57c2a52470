// Signing in to applications, in a real browser, with a real client.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type ClientApplication, startClientApplication } from '../server/test/support/client-application.ts';
import { type OpenidProvider, registrationOf, startOpenidProvider } from '../server/test/support/openid-provider.ts';
import { findFreePort } from '../server/test/support/ports.ts';
import { createRegistering, pinIn, wrongPin } from '../server/test/support/registration.ts';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import { startWebhookReceiver } from '../server/test/support/webhook-receiver.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  hold,
  openSignedIn,
  type Pages,
  readToken,
  startPages,
} from './support/browser.ts';
import {
  addAuthenticator,
  createApp,
  enrollApp,
  readSecret,
  setFactors,
  storeRecoveryCodes,
} from './support/factors.ts';
import { liftLimits, receive } from './support/messages.ts';
import { passThrough } from './support/providers.ts';

const MARKUP = '<img src=x onerror=document.title=1>';

describe('signing in to applications', () => {
  let company: OpenidProvider;
  let pages: Pages;
  let grafana: ClientApplication;
  let wiki: ClientApplication;
  const applications: ClientApplication[] = [];

  async function start(input: Parameters<typeof startClientApplication>[1]) {
    const application = await startClientApplication(pages, input);
    applications.push(application);
    return application;
  }

  before(async () => {
    company = await startOpenidProvider();
    company.people.set('kim', {
      email: 'kim@example.com',
      email_verified: true,
      given_name: 'Kim',
      family_name: 'Lee',
    });
    const publicUrl = `http://localhost:${await findFreePort()}`;
    const providers = [{ ...registrationOf(company.issuer, 'web'), name: 'Office' }];
    pages = await startPages('sqlite', { publicUrl, additions: { providers } });
    company.redirectWebClientsTo(`${pages.url}/login/external/Office`);
    await liftLimits(pages);
    await setFactors(pages, { passkeys: true, authenticator: true });
    await pages.test.createUser('ann', {
      mobileNumber: '+27821234567',
      isMobileConfirmed: true,
      emailAddress: 'ann@example.com',
      isEmailConfirmed: true,
    });
    grafana = await start({ name: 'Grafana' });
    wiki = await start({ name: 'Wiki' });
  });
  after(async () => {
    for (const application of applications) await application.close();
    await pages?.close();
    await company?.stop();
  });

  async function open(path: string, options: Parameters<Pages['open']>[0] = {}) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await page.goto(path);
    return { page, close: () => context.close() };
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  async function typePassword(page: Page, name: string | undefined, password = USER_PASSWORD) {
    if (name !== undefined) await page.getByLabel('User name or e-mail address').fill(name);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await click(page, 'Sign in');
  }

  it('works with the password, and asks no second time: not for another application, and not in this service', async () => {
    const { page, close } = await open(grafana.signInWith({ login_hint: 'ann' }));
    await heading(page, 'Sign in to Grafana');
    const name = page.getByLabel('User name or e-mail address');
    assert.equal(await name.inputValue(), 'ann');
    await name.fill('anna');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await heading(page, 'Sign in to Grafana');
    assert.equal(await name.inputValue(), 'anna', 'what was typed stays');
    await typePassword(page, 'ann');
    await heading(page, 'Welcome ann');
    const claims = grafana.tokens?.claims();
    assert.deepEqual([claims?.email, claims?.acr], ['ann@example.com', 'aal1']);
    const seen: string[] = [];
    page.on('framenavigated', (frame) => seen.push(frame.url()));
    await page.goto(wiki.signInWith());
    await heading(page, 'Welcome ann');
    assert.ok(!seen.some((address) => address.includes('/login')), seen.join());
    await page.goto(`${pages.url}/app`);
    await heading(page, 'My account');
    await page.goBack();
    await heading(page, 'Welcome ann');
    await close();
  });

  it('goes on without a question when this service has a token, in a new tab too, and shows no form meanwhile', async () => {
    const { page, close } = await open('/login');
    await openSignedIn(page, '/app', 'ann', USER_PASSWORD);
    await heading(page, 'My account');
    const tab = await page.context().newPage();
    await tab.addInitScript(`new MutationObserver(() => {
      if (document.querySelector('input[type=password]')) sessionStorage.flash = 'yes';
    }).observe(document, { childList: true, subtree: true })`);
    await tab.goto(grafana.signInWith());
    await heading(tab, 'Welcome ann');
    const cookies = await page.context().cookies(pages.url);
    const session = cookies.find(({ name }) => name.endsWith('latchkey-session'));
    assert.ok(session && session.expires > 0, 'a person who stays signed in has a cookie that outlives the browser');
    await tab.goto(`${pages.url}/signed-out`);
    assert.equal(await tab.evaluate('sessionStorage.flash ?? null'), null);
    await close();
  });

  it('works with a one-time pin, and the cookie goes with the browser', async () => {
    const { page, close } = await open(grafana.signInWith());
    await page.getByRole('link', { name: 'Sign in with a code' }).click();
    await page.getByLabel('User name, e-mail address or mobile number').fill('ann');
    await click(page, 'Send the code');
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(pages) }));
    await heading(page, 'Welcome ann');
    const cookies = await page.context().cookies(pages.url);
    assert.equal(cookies.find(({ name }) => name.endsWith('latchkey-session'))?.expires, -1);
    await close();
  });

  it('works with a provider, whose answer leads back to the request', async () => {
    const { page, close } = await open(grafana.signInWith());
    await passThrough(page, 'Continue with Office', 'kim');
    await page.waitForURL(`${grafana.url}/callback?**`);
    await page.getByRole('heading', { name: /^Welcome / }).waitFor();
    await close();
  });

  it('works with a passkey, also when the application asks to sign in again', async () => {
    await pages.test.createUser('pat');
    const { page, close } = await open('/login');
    await addAuthenticator(page);
    await openSignedIn(page, '/app', 'pat', USER_PASSWORD);
    await click(page, 'Add a passkey');
    await page.getByLabel('Current password', { exact: true }).fill(USER_PASSWORD);
    await click(page, 'Continue');
    await click(page, 'Create the passkey');
    await storeRecoveryCodes(page);
    await click(page, 'Sign out');
    await page.waitForURL('**/login?*');
    await page.goto(grafana.signInWith());
    await click(page, 'Sign in with a passkey');
    await heading(page, 'Welcome pat');
    pages.test.clock.advance(5);
    await page.goto(grafana.signInWith({ prompt: 'login' }));
    await page.getByText('Grafana asks you to sign in again.').waitFor();
    await click(page, 'Sign in with a passkey');
    await heading(page, 'Welcome pat');
    await close();
  });

  it('keeps the request while a password must be changed, and over a forgotten one', async () => {
    await pages.test.createUser('lee', {
      requireChangePassword: true,
      emailAddress: 'lee@example.com',
      isEmailConfirmed: true,
    });
    const { page, close } = await open(grafana.signInWith());
    await typePassword(page, 'lee');
    await heading(page, 'Choose a new password');
    await page.getByLabel('New password', { exact: true }).fill('a walk by the river');
    await page.getByLabel('Repeat the new password').fill('a walk by the river');
    await click(page, 'Change the password');
    await heading(page, 'Welcome lee');
    await page.context().clearCookies();
    await page.evaluate('sessionStorage.clear()');
    await page.goto(`${pages.url}/signed-out`);
    await page.evaluate('sessionStorage.clear(), localStorage.clear()');
    await page.goto(grafana.signInWith());
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgotten password');
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await heading(page, 'Sign in to Grafana');
    await close();
  });

  it('asks again where the application wants it, with a later time in the token, and lets another person in', async () => {
    const { page, close } = await open(grafana.signInWith());
    await typePassword(page, 'ann');
    await heading(page, 'Welcome ann');
    const first = grafana.tokens?.claims();
    pages.test.clock.advance(5);
    await page.goto(grafana.signInWith({ prompt: 'login' }));
    await page.getByText('Grafana asks you to sign in again.').waitFor();
    await page.getByText('You are signed in as ann.').waitFor();
    await typePassword(page, undefined, 'not it');
    await page.getByText('The current password is wrong.').waitFor();
    await typePassword(page, undefined);
    await heading(page, 'Welcome ann');
    const again = grafana.tokens?.claims();
    assert.ok(Number(again?.auth_time) > Number(first?.auth_time));
    await pages.test.createUser('bob');
    pages.test.clock.advance(5);
    await page.goto(grafana.signInWith({ prompt: 'select_account' }));
    await click(page, 'Sign in another way, or with another account');
    await heading(page, 'Sign in to Grafana');
    await typePassword(page, 'bob');
    await heading(page, 'Welcome bob');
    await close();
  });

  itAtLength('asks again an account without a password, by the ways that it has, in the same session', async () => {
    company.people.set('lin', { email: 'lin@example.com', email_verified: true, given_name: 'Lin', family_name: 'Wu' });
    const { page, close } = await open(grafana.signInWith());
    await passThrough(page, 'Continue with Office', 'lin');
    await heading(page, 'Welcome lin@example.com');
    const first = grafana.tokens?.claims();
    const askAgain = async () => {
      pages.test.clock.advance(5);
      await page.goto(grafana.signInWith({ prompt: 'login' }));
      await page.getByText('Grafana asks you to sign in again.').waitFor();
      await page.getByRole('button', { name: 'Sign in with a code' }).waitFor();
      assert.equal(await page.getByLabel('Password', { exact: true }).count(), 0);
    };
    await askAgain();
    await assertAccessible(page);
    company.people.set('max', { email: 'max@other.example', email_verified: true });
    await passThrough(page, 'Continue with Office', 'max');
    await page.getByText('The provider did not confirm this sign-in.').waitFor();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByText('You are signed in as lin@example.com.').waitFor();
    const asked = page.waitForRequest((one) => one.url().startsWith(`${company.issuer}/auth?`));
    await click(page, 'Continue with Office');
    const state = new URL((await asked).url()).searchParams.get('state');
    await page.getByLabel('Login').waitFor();
    await page.goto(`${pages.url}/login/external/Office?error=access_denied&state=${state}`);
    await page.getByText('or you cancelled it. Please sign in again.').waitFor();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByText('You are signed in as lin@example.com.').waitFor();
    await passThrough(page, 'Continue with Office', 'lin');
    await heading(page, 'Welcome lin@example.com');
    const byProvider = grafana.tokens?.claims();
    await askAgain();
    await pages.test.deliver();
    await click(page, 'Sign in with a code');
    await page.getByLabel('Code', { exact: true }).waitFor();
    const pin = pinIn({ text: await receive(pages) });
    await page.getByLabel('Code', { exact: true }).fill(wrongPin(pin));
    await page.getByText('This code is wrong').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(pin);
    await heading(page, 'Welcome lin@example.com');
    const byPin = grafana.tokens?.claims();
    const times = [first, byProvider, byPin].map((claims) => Number(claims?.auth_time));
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    );
    assert.equal(new Set(times).size, 3);
    await page.goto(`${pages.url}/signed-out`);
    const token = (await readToken(page)) ?? assert.fail();
    const { result } = await pages.test.get('/api/services/app/Session/GetAll', { token });
    assert.equal(result.items.length, 1, 'there is one session all along');
    await close();
  });

  it('asks for a second factor: the one of the account, or a new one', async () => {
    await pages.test.createUser('max');
    const { page, close } = await open(grafana.signInWith({ acr_values: 'aal2' }));
    await typePassword(page, 'max');
    await heading(page, 'Set up a second factor');
    await click(page, 'Set up an authenticator app');
    const app = createApp(pages, await readSecret(page));
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await storeRecoveryCodes(page);
    await page
      .getByText('Grafana asks you to confirm your sign-in with a second factor.')
      .or(page.getByText('Welcome max'))
      .waitFor();
    if ((await page.getByText('Welcome max').count()) === 0)
      await page.getByLabel('Code', { exact: true }).fill(app.next());
    await heading(page, 'Welcome max');
    assert.equal(grafana.tokens?.claims()?.acr, 'aal2');

    await pages.test.createUser('zoe');
    const enrolled = await enrollApp(pages, 'zoe');
    await page.context().clearCookies();
    await page.goto(`${pages.url}/signed-out`);
    await page.evaluate('sessionStorage.clear(), localStorage.clear()');
    await page.goto(grafana.signInWith({ acr_values: 'aal2' }));
    await typePassword(page, 'zoe');
    await heading(page, 'Confirm that it is you');
    await page.getByLabel('Code', { exact: true }).fill(enrolled.app.next());
    await heading(page, 'Welcome zoe');
    await close();
  });

  it('asks for a new second factor of an account that has recovery codes alone', async () => {
    await pages.test.createUser('noor');
    await enrollApp(pages, 'noor');
    await setFactors(pages, { passkeys: true });
    const { page, close } = await open('/health/live');
    await addAuthenticator(page);
    await page.goto(grafana.signInWith({ acr_values: 'aal2' }));
    await typePassword(page, 'noor');
    await heading(page, 'Set up a second factor');
    await click(page, 'Add a passkey');
    await click(page, 'Create the passkey');
    await click(page, 'Continue with a passkey');
    await heading(page, 'Welcome noor');
    assert.equal(grafana.tokens?.claims()?.acr, 'aal2');
    await setFactors(pages, { passkeys: true, authenticator: true });
    await close();
  });

  it('leads back to the application from the second factor that it asks for', async () => {
    await pages.test.createUser('otto');
    const { page, close } = await open(grafana.signInWith({ acr_values: 'aal2' }));
    await typePassword(page, 'otto');
    await heading(page, 'Set up a second factor');
    await click(page, 'Back to Grafana');
    await heading(page, 'Refused: access_denied');
    await close();
  });

  it('asks once what is shared, refuses, and asks again after it was withdrawn', async () => {
    const forum = await start({ name: MARKUP, consent: 'ask', scopes: ['openid', 'profile', 'email', 'forum.read'] });
    await pages.test.createUser('sam');
    const { page, close } = await open(forum.signInWith({ scope: 'openid profile email forum.read' }));
    await heading(page, `Sign in to ${MARKUP}`);
    await typePassword(page, 'sam');
    await heading(page, `Share data with ${MARKUP}?`);
    const shared = await page.getByRole('main').getByRole('listitem').allTextContents();
    assert.deepEqual(shared, [
      'Your account number at this service',
      'Your name and user name',
      'Your e-mail address',
      'forum.read',
    ]);
    await page.getByText('The access ends when you sign out here').waitFor();
    await click(page, 'Refuse');
    await heading(page, 'Refused: access_denied');
    await page.goto(forum.signInWith());
    await heading(page, `Share data with ${MARKUP}?`);
    await click(page, 'Allow');
    await heading(page, 'Welcome sam');
    await page.goto(forum.signInWith());
    await heading(page, 'Welcome sam');
    await page.goto(`${pages.url}/app/account`);
    const section = page.getByRole('region', { name: 'Applications' });
    await section.getByText(MARKUP).waitFor();
    await assertAccessible(page);
    await section.getByRole('button', { name: `Withdraw ${MARKUP}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await section.waitFor({ state: 'detached' });
    await page.goto(forum.signInWith());
    await heading(page, `Share data with ${MARKUP}?`);
    await close();
  });

  it('asks the person who has signed in in another tab since, and shares nothing of theirs before', async () => {
    const forum = await start({ name: 'Forum', consent: 'ask' });
    for (const name of ['una', 'vic']) await pages.test.createUser(name);
    const { page, close } = await open('/login');
    await openSignedIn(page, '/app', 'una', USER_PASSWORD);
    await page.goto(forum.signInWith());
    await page.getByText('You are signed in as una.').waitFor();
    const tab = await page.context().newPage();
    await openSignedIn(tab, '/health/live', 'vic', USER_PASSWORD);
    await click(page, 'Allow');
    await page.getByText('You are signed in as vic.').waitFor();
    const token = await pages.test.signIn('vic');
    assert.deepEqual((await pages.test.get('/api/services/app/Consent/GetAll', { token })).result, { items: [] });
    await click(page, 'Allow');
    await heading(page, 'Welcome vic');
    await close();
  });

  it('ends at the application after a registration, also without a user name', async () => {
    const registering = createRegistering(pages.test);
    await registering.open('email', { goToUrlAfterRegistration: '/app/welcome' });
    await pages.test.deliver();
    for (const userName of ['newcomer', '']) {
      const address = `new${userName}@example.org`;
      const { page, close } = await open(grafana.signInWith());
      await page.getByRole('link', { name: 'Create an account' }).click();
      await page.getByLabel('E-mail address').fill(address);
      await click(page, 'Send the code');
      await page.getByLabel('Code', { exact: true }).waitFor();
      await page.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(pages) }));
      await page.getByLabel('User name', { exact: true }).fill(userName);
      await page.getByLabel('First name').fill('New');
      await page.getByLabel('Last name').fill('Comer');
      await page.getByLabel('Password', { exact: true }).fill('seven green bottles');
      await page.getByLabel('Repeat the password').fill('seven green bottles');
      await click(page, 'Create the account');
      await heading(page, `Welcome ${userName || address}`);
      await close();
    }
    await registering.open('none');
  });

  itAtLength('keeps the request over a mailed link to reset the password, which opens in another tab', async () => {
    await pages.test.createUser('ruth', { emailAddress: 'ruth@example.org', isEmailConfirmed: true });
    const { page, close } = await open(grafana.signInWith());
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('User name or e-mail address').fill('ruth');
    await click(page, 'Continue');
    await page.getByText('on its way').waitFor();
    await receive(pages);
    const readKept = () => page.evaluate("localStorage['latchkey::mailed-request']");
    const kept = await readKept();
    await page.getByRole('link', { name: 'Begin again' }).click();
    await click(page, 'Continue');
    await page.getByText('on its way').waitFor();
    assert.equal(await readKept(), kept, 'another mail does not make the request younger');
    const tab = await page.context().newPage();
    const [link = ''] = (await receive(pages)).match(/https?:\S+/) ?? [];
    await tab.goto(link);
    await click(tab, 'Continue');
    await tab.getByLabel('New password', { exact: true }).fill('seven green bottles');
    await tab.getByLabel('Repeat the new password').fill('seven green bottles');
    await click(tab, 'Set the password');
    await heading(tab, 'Sign in to Grafana');
    await typePassword(tab, 'ruth', 'seven green bottles');
    await heading(tab, 'Welcome ruth');
    await close();
  });

  it('says who may not use an application, and leads back', async () => {
    await pages.test.createUser('keeper', { roleNames: ['keeper'] });
    const safe = await start({ name: 'Safe', allowedRoles: ['keeper'] });
    const { page, close } = await open(safe.signInWith());
    await typePassword(page, 'ann');
    await heading(page, 'No access to Safe');
    await page.getByText('Ask an administrator').waitFor();
    await page.getByText('You are signed in as ann.').waitFor();
    await assertAccessible(page);
    await click(page, 'Back to Safe');
    await heading(page, 'Refused: access_denied');
    await close();
  });

  it('says that a request has ended: answered, unknown, or of another browser', async () => {
    const { page, close } = await open(grafana.signInWith());
    await heading(page, 'Sign in to Grafana');
    const request = page.url();
    const elsewhere = await open(request);
    await heading(elsewhere.page, 'This sign-in has ended');
    await elsewhere.page.goto('/login?authorization=none');
    await heading(elsewhere.page, 'This sign-in has ended');
    await assertAccessible(elsewhere.page);
    await elsewhere.page.goto('/login?authorization=none&end=reset');
    await elsewhere.page.getByText('Your password was set.').waitFor();
    await elsewhere.page.getByRole('link', { name: 'Back to sign-in' }).click();
    await heading(elsewhere.page, 'Sign in');
    await elsewhere.close();
    pages.test.clock.advance(601);
    await typePassword(page, 'ann');
    await heading(page, 'This sign-in has ended');
    await close();
  });

  it('connects a device after an explicit question, and never by a link alone', async () => {
    const client = await start({ name: 'Television', kind: 'native' });
    const begun = await client.beginDevice('openid profile');
    const { page, close } = await open(begun.address);
    await heading(page, 'Connect a device');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    assert.equal(await page.getByLabel('Code', { exact: true }).inputValue(), begun.code);
    await page.getByLabel('Code', { exact: true }).fill('BBBBBBBB');
    await click(page, 'Continue');
    await page.getByText('No device waits with this code.').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(begun.code.toLowerCase().replace('-', ' '));
    await click(page, 'Continue');
    await page.getByText('A device wants to sign in to Television as you.').waitFor();
    await page.getByText('The device has the address 127.0.0.1.').waitFor();
    await page.getByText('Only continue if you started this on your own device.').waitFor();
    await assertAccessible(page);
    await click(page, 'Continue');
    await heading(page, 'Sign in to Television');
    await typePassword(page, 'ann');
    await heading(page, 'Share data with Television?');
    assert.ok(!calls.some((address) => address.includes('consent')));
    await click(page, 'Allow');
    await heading(page, 'The device is connected');
    await assertAccessible(page);
    assert.ok((await begun.poll()).access_token);

    const refused = await client.beginDevice('openid');
    await page.goto('/device');
    await page.getByLabel('Code', { exact: true }).fill(refused.code);
    await click(page, 'Continue');
    await page.getByText('A device wants').waitFor();
    await click(page, 'Continue');
    await heading(page, 'Share data with Television?');
    await click(page, 'Refuse');
    await heading(page, 'The device was refused');
    await assert.rejects(refused.poll(), { error: 'access_denied' });
    await close();
  });

  it('signs out: with the hint at once, else after a question, and drops the token of this service', async () => {
    const { page, close } = await open(grafana.signInWith());
    await typePassword(page, 'ann');
    await heading(page, 'Welcome ann');
    await page.goto(grafana.signOutWith(true));
    await heading(page, 'Good bye left');
    await page.goto(grafana.signInWith());
    await heading(page, 'Sign in to Grafana');
    await typePassword(page, 'ann');
    await heading(page, 'Welcome ann');
    await page.goto(grafana.signOutWith(false));
    await heading(page, 'Sign out?');
    await assertAccessible(page);
    await click(page, 'Sign out');
    await heading(page, 'Good bye left');
    await page.goto(`${pages.url}/signed-out`);
    await heading(page, 'You are signed out');
    assert.equal(await readToken(page), null);
    await page.goto(grafana.signInWith());
    await heading(page, 'Sign in to Grafana');
    await close();
  });

  itAtLength('names among the own sessions the application whose access goes on without the browser', async () => {
    const scopes = ['openid', 'profile', 'offline_access'];
    const diary = await start({ name: 'Diary', scopes });
    await pages.test.createUser('ida');
    const { page, close } = await open(diary.signInWith({ scope: scopes.join(' ') }));
    await typePassword(page, 'ida');
    await heading(page, 'Welcome ida');
    await page.goto(`${pages.url}/app/account`);
    await page.getByRole('button', { name: /^End Diary · / }).waitFor();
    await close();
  });

  itAtLength('names after a sign-out the application whose offline access has ended with it', async () => {
    const scopes = ['openid', 'profile', 'offline_access'];
    const notes = await start({ name: 'Notes', scopes, postLogoutRedirectUris: [] });
    await pages.test.createUser('nia');
    const { page, close } = await open(notes.signInWith({ scope: scopes.join(' ') }));
    await typePassword(page, 'nia');
    await heading(page, 'Welcome nia');
    await page.goto(wiki.signInWith(), { waitUntil: 'commit' });
    await heading(page, 'Welcome nia');
    await page.goto(notes.signOutWith(true));
    await heading(page, 'You are signed out');
    const told = page.getByRole('list', { name: 'Applications' }).getByRole('listitem');
    await told.filter({ hasText: 'Notes' }).getByText('Cannot be told', { exact: true }).waitFor();
    await told.filter({ hasText: 'Wiki' }).getByText('Cannot be told', { exact: true }).waitFor();
    await assertAccessible(page);
    await close();
  });

  itAtLength(
    'shows what each application answered, to the person after signing out, and to an administrator',
    async () => {
      const receiver = await startWebhookReceiver();
      const told = await start({ name: 'Forge', backchannelLogoutUri: receiver.url });
      const deaf = await start({ name: 'Chat', backchannelLogoutUri: receiver.url.replace('events', 'deaf') });
      const userId = await pages.test.createUser('mia');
      const { page, close } = await open(told.signInWith());
      await typePassword(page, 'mia');
      // Another address would abort the way to the application.
      await heading(page, 'Welcome mia');
      for (const application of [told, deaf, wiki]) {
        // The page goes on by itself, perhaps before it has loaded.
        await page.goto(application.signInWith(), { waitUntil: 'commit' });
        await heading(page, 'Welcome mia');
      }
      await page.goto(`${pages.url}/app`);
      await click(page, 'Sign out');
      await heading(page, 'You are signed out');
      assert.equal(await readToken(page), null);
      const states = (region: Page | Locator = page) => region.getByRole('list', { name: 'Applications' });
      const stateOf = (name: string, state: string) =>
        states().getByRole('listitem').filter({ hasText: name }).getByText(state, { exact: true }).waitFor();
      await stateOf('Wiki', 'Cannot be told');
      await stateOf('Forge', 'No answer yet');
      receiver.answer((response) => response.writeHead(response.req.url === '/deaf' ? 400 : 204).end());
      for (const { id } of [told, deaf]) await pages.test.service.signOutDeliveries.deliverDue(id);
      await stateOf('Forge', 'Signed out');
      await stateOf('Chat', 'Refused');
      await page.getByText('Please sign out there as well.').waitFor();
      await assertAccessible(page);
      await page.reload();
      await stateOf('Forge', 'Signed out');

      const administrator = await pages.open();
      const users = await administrator.newPage();
      await openSignedIn(users, `/app/users/${userId}`);
      const section = users.getByRole('region', { name: 'Sign-outs' });
      await states(section).getByText('Forge').waitFor();
      await assertAccessible(users);
      await users.goto('/app/users/1');
      await users.getByRole('region', { name: 'User' }).first().waitFor();
      await users.waitForLoadState('networkidle');
      assert.equal(await section.count(), 0);
      await administrator.close();
      await openSignedIn(page, '/app/account', 'mia', USER_PASSWORD);
      await states(page.getByRole('region', { name: 'Sign-outs' }))
        .getByText('Chat')
        .waitFor();
      await assertAccessible(page);
      await close();
      await receiver.stop();
    },
  );

  itAtLength(
    'does not say “signed out” to a person who is signed in at this service, and asks nothing of a false question',
    async () => {
      const { page, close } = await open('/login');
      await openSignedIn(page, '/signed-out', 'ann', USER_PASSWORD);
      await page.getByText('you are still signed in as ann').waitFor();
      await assertAccessible(page);
      await click(page, 'Sign out');
      await heading(page, 'You are signed out');
      assert.equal(await readToken(page), null);
      await page.goto('/sign-out?question=forged&application=Call%200800%20123%20123');
      await click(page, 'Sign out');
      await page.getByText('This question has expired').waitFor();
      assert.equal(await page.getByText('0800').count(), 0);
      await close();
    },
  );

  itAtLength('does not say that the session has ended where the service has not confirmed it', async () => {
    const { page, close } = await open('/login');
    await openSignedIn(page, '/app', 'ann', USER_PASSWORD);
    await heading(page, 'My account');
    const error = { reason: 'service.unavailable', message: 'Later.', details: 'Later.' };
    await page.route('**/api/TokenAuth/SignOff', (route) => route.fulfill({ status: 503, json: { error } }));
    await click(page, 'Sign out');
    await heading(page, 'This browser is signed out');
    await page.getByText('Your session may still be open there').waitFor();
    assert.equal(await readToken(page), null);
    await assertAccessible(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('User name or e-mail address').waitFor();
    await openSignedIn(page, '/app', 'ann', USER_PASSWORD);
    pages.test.clock.advance(5);
    await page.goto(grafana.signInWith({ prompt: 'login' }));
    await click(page, 'Sign in another way, or with another account');
    await heading(page, 'This browser is signed out');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await heading(page, 'Sign in to Grafana');
    await close();
  });

  it('asks a person again who was idle for longer than automatic log-off allows, also if the page learns of it only now', async () => {
    const { page, close } = await open(grafana.signInWith());
    await page.clock.install();
    await typePassword(page, 'ann');
    await heading(page, 'Welcome ann');
    await pages.test.set('Shesha.Security', { useAutoLogoff: true, autoLogoffTimeout: 600 });
    pages.test.clock.advance(601);
    await page.clock.fastForward(601_000);
    await page.goto(wiki.signInWith());
    await heading(page, 'Sign in to Wiki');
    await typePassword(page, 'ann');
    await heading(page, 'Welcome ann');
    await pages.test.set('Shesha.Security', { useAutoLogoff: false });
    await close();
  });

  it('sends one sign-off, also for a second click, and does not wait long for its answer', async () => {
    const { page, close } = await open('/login');
    await openSignedIn(page, '/app', 'ann', USER_PASSWORD);
    await heading(page, 'My account');
    pages.test.clock.advance(5);
    await page.clock.install();
    await page.goto(grafana.signInWith({ prompt: 'login' }));
    const sending = await hold(page, '**/api/TokenAuth/SignOff');
    const signOut = page.getByRole('button', { name: 'Sign in another way, or with another account' });
    await signOut.click();
    await sending.arrive();
    await signOut.and(page.locator('[aria-busy=true]')).click();
    await page.clock.fastForward(5000);
    await heading(page, 'This browser is signed out');
    sending.release();
    await close();
  });

  itAtLength('keeps the language that the application has asked for, also after the sign-out', async () => {
    const { page, close } = await open('/signed-out?ui_locales=de', { locale: 'en-US' });
    await heading(page, 'Sie sind abgemeldet');
    await page.getByRole('link', { name: 'Anmelden' }).click();
    await heading(page, 'Anmelden');
    await close();
  });

  it('posts the answer as a form where the application wants it', async () => {
    const { page, close } = await open(grafana.signInWith({ response_mode: 'form_post' }));
    await typePassword(page, 'ann');
    await heading(page, 'Posted. Welcome ann');
    // Let through by a click. Who goes back does not come to the form: posted again, its code would end what it gave.
    await page.goto(`${grafana.url}/bye`);
    const address = grafana.signInWith({ response_mode: 'form_post' });
    await page.evaluate(`document.body.innerHTML = '<a href="${address}">Sign in</a>'`);
    await page.getByRole('link').click();
    await heading(page, 'Posted. Welcome ann');
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await page.goBack();
    await heading(page, 'Good bye null');
    assert.deepEqual(posts, []);
    await close();
  });

  it('shows the brand of the front end, and speaks German', async () => {
    const body = { appKey: 'portal', name: 'Portal', description: '' };
    const token = await pages.test.admin();
    assert.equal((await pages.test.post('/api/services/app/FrontEndApp/Create', { token, body })).status, 200);
    await pages.test.set('Latchkey.Brand', { name: 'City Portal' }, 'portal');
    const branded = await start({ name: 'Tax', frontEnd: 'portal' });
    const { page, close } = await open(branded.signInWith(), { locale: 'de-DE' });
    await heading(page, 'Bei Tax anmelden');
    await page.getByText('City Portal').waitFor();
    await page.getByRole('link', { name: 'Passwort vergessen?' }).click();
    await page.getByText('City Portal').waitFor();
    await close();
  });

  it('speaks the first language that the application asks for and the pages have, unless the reader has chosen one', async () => {
    const survey = await start({ name: 'Survey', consent: 'ask' });
    await pages.test.createUser('uma');
    const asking = survey.signInWith({ ui_locales: 'tlh de-CH en' });
    const { page, close } = await open(asking, { locale: 'en-US' });
    await heading(page, 'Bei Survey anmelden');
    await page.getByRole('link', { name: 'Passwort vergessen?' }).click();
    await page.getByRole('link', { name: 'Zurück zur Anmeldung' }).click();
    await page.getByLabel('Benutzername oder E-Mail-Adresse').fill('uma');
    await page.getByLabel('Passwort', { exact: true }).fill(USER_PASSWORD);
    await click(page, 'Anmelden');
    await heading(page, 'Daten mit Survey teilen?');
    await page.goto(`${pages.url}/app/account?ui_locales=de`);
    // The member has no meaning here: the page is in the browser's language. What is shown already cannot be chosen.
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: /^Menü von/ }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('button', { name: /^Menu of/ }).waitFor();
    await page.goto(asking);
    await heading(page, 'Share data with Survey?');
    await close();
  });

  itAtLength('shows accessible pages only', async () => {
    const shop = await start({
      name: 'A shop with a name that is as long as administrators like to make them',
      consent: 'ask',
    });
    await pages.test.createUser('looker');
    await assertAccessibleEverywhere(pages, async (page) => {
      await page.goto(shop.signInWith());
      await page.getByLabel('Password', { exact: true }).waitFor();
      await assertAccessible(page);
      await typePassword(page, 'looker');
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      await assertAccessible(page);
      pages.test.clock.advance(5);
      await page.goto(shop.signInWith({ prompt: 'login' }));
      await page.getByText('asks you to sign in again').waitFor();
    });
  });
});
