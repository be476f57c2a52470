// Second factors at length: after a pin and a provider, in German on a phone, by keyboard alone, and what administrators do.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { pinIn } from '../../server/test/support/registration.ts';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { assertAccessible, openSignedIn, type Pages, signIn, tabTo } from '../support/browser.ts';
import { createApp, enrollApp, openRequirement, readSecret, setFactors } from '../support/factors.ts';
import { receive } from '../support/messages.ts';
import { type ProviderPages, startProviderPages } from '../support/providers.ts';

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('second factors at length', () => {
  let all: ProviderPages;
  let pages: Pages;
  before(async () => {
    all = await startProviderPages();
    pages = all.pages;
    await setFactors(pages, { authenticator: true });
  });
  after(() => all.close());

  const open = async (options = {}) => (await pages.open(options)).newPage();
  const tokenOf = (page: Page) =>
    page.evaluate("JSON.parse(sessionStorage['latchkey::copy']).text").then((text) => claimsOf(String(text)));

  it('are asked for after a one-time pin', async () => {
    await pages.test.createUser('pia', { mobileNumber: '+27821234567', isMobileConfirmed: true });
    const { app } = await enrollApp(pages, 'pia');
    await pages.test.deliver();
    const page = await open();
    await page.goto('/login/pin?to=/app/elsewhere');
    await page.getByLabel('User name, e-mail address or mobile number').fill('pia');
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(pages) }));
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await page.waitForURL(`${pages.url}/app/elsewhere`);
    const { acr, amr } = await tokenOf(page);
    assert.deepEqual([acr, amr.includes('mfa')], ['aal2', true]);
    await page.context().close();
  });

  it('are asked for after an external provider, and set up there where they are required', async () => {
    const login = all.addAtAcme('extra');
    const page = await open();
    const pass = async () => {
      await page.goto('/login?to=/app/elsewhere');
      await page.getByRole('button', { name: 'Continue with Acme' }).click();
      await page.getByRole('heading', { name: 'Acme' }).waitFor();
      await page.getByRole('textbox').first().fill(login);
      await page.keyboard.press('Enter');
    };
    const setRequirement = await openRequirement(pages);
    await setRequirement('required');
    await pass();
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    // The account has no password of its own: its owner has signed in a moment ago.
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    const app = createApp(pages, await readSecret(page));
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await page.getByLabel('I have stored them').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL(`${pages.url}/app/elsewhere`);
    await setRequirement('optional');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login?*');
    await pass();
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await page.waitForURL(`${pages.url}/app/elsewhere`);
    await page.context().close();
  });

  it('are in German on a phone', async () => {
    await pages.test.createUser('greta');
    const page = await open({ locale: 'de-DE', width: 360, scheme: 'dark' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto('/login');
    await page.getByLabel('Benutzername oder E-Mail-Adresse').fill('greta');
    await page.getByLabel('Passwort', { exact: true }).fill(USER_PASSWORD);
    await button('Anmelden').click();
    await page.getByRole('heading', { name: 'Zweite Faktoren und Passkeys' }).waitFor();
    await assertAccessible(page);
    await button('Authenticator-App einrichten').click();
    await page.getByLabel('Aktuelles Passwort', { exact: true }).fill(USER_PASSWORD);
    await assertAccessible(page);
    await button('Weiter').click();
    const app = createApp(pages, await readSecret(page));
    await assertAccessible(page);
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await page.getByLabel('Ich habe sie aufbewahrt').check();
    await assertAccessible(page);
    await button('Fertig').click();
    await page.getByText('10 Codes sind übrig.').waitFor();
    await page.getByRole('button', { name: /^Menü von/ }).click();
    await page.getByRole('menuitem', { name: 'Abmelden', exact: true }).click();
    await page.waitForURL('**/login?*');
    await page.getByLabel('Benutzername oder E-Mail-Adresse').fill('greta');
    await page.getByLabel('Passwort', { exact: true }).fill(USER_PASSWORD);
    await button('Anmelden').click();
    await page.getByRole('heading', { name: 'Bestätigen Sie, dass Sie es sind' }).waitFor();
    await assertAccessible(page);
    await button('Wiederherstellungscode verwenden').click();
    await page.getByLabel('Wiederherstellungscode').fill('aaaaa-bbbbb');
    await button('Weiter').click();
    await page.getByText('Dieser Code oder Passkey ist falsch.').waitFor();
    await assertAccessible(page);
    await page.context().close();
  });

  it('are enrolled and given by keyboard alone', async () => {
    await pages.test.createUser('kim');
    const page = await open();
    const press = async (name: string) => {
      await tabTo(page, page.getByRole('button', { name, exact: true }));
      await page.keyboard.press('Enter');
    };
    await signIn(page, 'kim', USER_PASSWORD);
    await press('Set up an authenticator app');
    await page.getByLabel('Current password', { exact: true }).waitFor();
    await page.keyboard.type(USER_PASSWORD);
    await page.keyboard.press('Enter');
    const app = createApp(pages, await readSecret(page));
    await page.keyboard.type(app.next());
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await tabTo(page, page.getByLabel('I have stored them'));
    await page.keyboard.press('Space');
    await press('Done');
    await page.locator('button:focus', { hasText: 'Set up another app' }).waitFor();
    await press('Sign out');
    await page.waitForURL('**/login?*');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await tabTo(page, page.getByLabel('User name or e-mail address'));
    await page.keyboard.type('kim');
    await page.keyboard.press('Tab');
    await page.keyboard.type(USER_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code', { exact: true }).waitFor();
    await press('Use a recovery code');
    await page.locator('input[name=code]:focus').waitFor();
    await press('Use the authenticator app');
    await page.locator('input[name=code]:focus').waitFor();
    await page.keyboard.type(app.next());
    await page.waitForURL('**/app');
    await page.context().close();
  });

  it('have recovery codes that are downloaded, copied and printed', async () => {
    await pages.test.createUser('dora');
    const page = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, 'dora', USER_PASSWORD);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await page.getByLabel('Current password', { exact: true }).fill(USER_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code', { exact: true }).fill(createApp(pages, await readSecret(page)).next());
    const list = page.getByRole('list', { name: 'Recovery codes' });
    await list.waitFor();
    const codes = await list.getByRole('listitem').allTextContents();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const file = await downloading;
    assert.equal(file.suggestedFilename(), 'recovery-codes.txt');
    const text = await readFile(await file.path(), 'utf8');
    assert.deepEqual(text.split('\n').slice(0, 12), ['Recovery codes of dora for Latchkey', '', ...codes]);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('The codes were copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), codes.join('\n'));
    await page.evaluate('globalThis.print = () => { globalThis.isPrinted = true }');
    await page.getByRole('button', { name: 'Print' }).click();
    assert.equal(await page.evaluate('globalThis.isPrinted'), true);
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual(
      [await list.isVisible(), await page.getByRole('button', { name: 'Download' }).isVisible()],
      [true, false],
    );
    assert.equal(await page.getByRole('heading', { name: 'My account' }).isVisible(), false);
    await page.context().close();
  });

  it('are seen and reset by administrators, who read why a user cannot sign in', async () => {
    const userId = await pages.test.createUser('lara', { name: 'Lara', surname: 'Lost' });
    const { app } = await enrollApp(pages, 'lara');
    const authenticate = async () => {
      const body = { userNameOrEmailAddress: 'lara', password: USER_PASSWORD };
      return (await pages.test.post('/api/TokenAuth/Authenticate', { body })).result;
    };
    const { challengeToken = '' } = await authenticate();
    const verify = (code: string, token: string) =>
      pages.test.post('/api/TokenAuth/VerifySecondFactor', {
        body: { challengeToken: token, provider: 'Authenticator', code },
      });
    for (let count = 0; count < 5; count += 1) await verify('000000', challengeToken);
    const page = await open();
    await openSignedIn(page, `/app/users/${userId}`);
    await page.getByText('Locked after too many wrong second factors').waitFor();
    await page.getByText('wrong second factor').first().waitFor();
    const region = page.getByRole('region', { name: 'Second factors and passkeys' });
    await region.getByText('10 recovery codes are left.').waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Unlock' }).first().click();
    await page.getByText('Lara Lost is no longer locked.').waitFor();
    assert.equal((await verify(app.next(), challengeToken)).status, 200);

    await region.getByRole('button', { name: 'Reset second factors' }).click();
    await page.getByRole('button', { name: 'Reset them' }).click();
    await page.locator('input[name=reason][aria-invalid=true]').waitFor();
    await page.getByLabel('Reason').fill('Lost the phone, came in person');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Reset them' }).click();
    await page.getByText('Lara Lost has no second factor any more.').waitFor();
    await region.waitFor({ state: 'detached' });
    assert.notEqual((await authenticate()).accessToken, null);
    const { result } = await pages.test.get('/api/services/app/Audit/GetAll', {
      token: await pages.test.admin(),
      query: { userId, maxResultCount: 50 },
    });
    assert.match(JSON.stringify(result.items), /Lost the phone, came in person/);
    await page.context().close();
  });
});
