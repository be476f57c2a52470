// Signing in at an OpenID provider by the code flow, in a real browser: a web client over http on loopback.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { OidcProviderApiBase } from '../../server/src/extensions/index.ts';
import {
  clients,
  type OpenidProvider,
  registrationOf,
  startOpenidProvider,
} from '../../server/test/support/openid-provider.ts';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { assertAccessible, assertAccessibleEverywhere, type Pages, signIn, startPages } from '../support/browser.ts';
import { enrollApp, giveFirstFactor, setFactors } from '../support/factors.ts';
import { liftLimits } from '../support/messages.ts';
import { passThrough } from '../support/providers.ts';

describe('a provider of the code flow', () => {
  let company: OpenidProvider;
  let pages: Pages;
  before(async () => {
    company = await startOpenidProvider();
    const addPerson = (sub: string) =>
      company.people.set(sub, {
        email: `${sub}@example.com`,
        email_verified: true,
        given_name: 'Ann',
        family_name: sub,
      });
    for (const sub of ['ann', 'linked', 'late', 'guarded', 'stolen', 'old', 'asked']) addPerson(sub);
    const { issuer } = company;
    class Hybrid extends OidcProviderApiBase {
      readonly issuer = issuer;
      override readonly responseType = 'code id_token';
    }
    const providers = [
      { ...registrationOf(issuer, 'web'), name: 'Office' },
      // Registered for the hybrid flow alone, by a class that says nothing of it.
      { ...registrationOf(issuer, 'hybrid'), name: 'Company' },
      { name: 'Hybrid', ...clients.pages, providerApiType: Hybrid },
    ];
    pages = await startPages('sqlite', { additions: { providers } });
    company.redirectWebClientsTo(`${pages.url}/login/external/Office`);
    await liftLimits(pages);
  });
  after(async () => {
    await pages?.close();
    await company?.stop();
  });

  async function open(path: string, options: Parameters<Pages['open']>[0] = {}) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await page.goto(path);
    return { page, close: () => context.close() };
  }

  /** The parameters of the requests that the page sends to the provider, from now on. */
  function watchRequests(page: Page): URLSearchParams[] {
    const seen: URLSearchParams[] = [];
    page.on('request', (request) => {
      const { origin, pathname, searchParams } = new URL(request.url());
      if (origin === company.issuer && pathname === '/auth') seen.push(searchParams);
    });
    return seen;
  }

  /** Leaves for the provider. @returns the state of the request. */
  async function leave(page: Page): Promise<string> {
    await page.goto('/login?to=/app/elsewhere');
    const requests = watchRequests(page);
    await page.getByRole('button', { name: 'Continue with Office' }).click();
    await page.getByLabel('Login').waitFor();
    return requests[0]?.get('state') ?? assert.fail('no request');
  }

  it('signs people in, the first time and from then on, and leaves nothing in the browser', async () => {
    for (const _ of ['first', 'second']) {
      const { page, close } = await open('/login?to=/app/elsewhere');
      const requests = watchRequests(page);
      await passThrough(page, 'Continue with Office', 'ann');
      await page.waitForURL(`${pages.url}/app/elsewhere`);
      const [asked] = requests;
      assert.deepEqual(
        ['response_type', 'response_mode', 'code_challenge_method'].map((name) => asked?.get(name)),
        ['code', 'query', 'S256'],
      );
      assert.equal(await page.evaluate("sessionStorage['latchkey:provider-trip']"), undefined);
      await close();
    }
  });

  it('is linked to an account, with the password', async () => {
    await pages.test.createUser('linker');
    const { page, close } = await open('/login');
    await signIn(page, 'linker', USER_PASSWORD);
    await passThrough(page, 'Link Office', 'linked');
    await page.getByText('opens your account linker without its password').waitFor();
    await page.getByLabel('Current password').fill('not it');
    await page.getByRole('button', { name: 'Link it' }).click();
    await page.getByText('The current password is wrong.').first().waitFor();
    await page.getByLabel('Current password').fill(USER_PASSWORD);
    await page.getByRole('button', { name: 'Link it' }).click();
    await page.getByRole('button', { name: 'Unlink Office' }).waitFor();
    await close();
    const elsewhere = await open('/login');
    await passThrough(elsewhere.page, 'Continue with Office', 'linked');
    await elsewhere.page.getByText('linker', { exact: true }).first().waitFor();
    await elsewhere.close();
  });

  it('is linked by another response when the first one has expired meanwhile', async () => {
    await pages.test.createUser('slow');
    const { page, close } = await open('/login');
    await signIn(page, 'slow', USER_PASSWORD);
    await passThrough(page, 'Link Office', 'late');
    const password = page.getByLabel('Current password');
    await password.fill(USER_PASSWORD);
    await pages.test.service.database.sql.deleteFrom('authorization_request').execute();
    await page.getByRole('button', { name: 'Link it' }).click();
    await page.getByText('The provider did not confirm this sign-in.').waitFor();
    assert.equal(await password.count(), 0, 'no password helps');
    await assertAccessible(page);
    // The provider still knows the person.
    await page.getByRole('button', { name: 'Begin again' }).click();
    await password.fill(USER_PASSWORD);
    await page.getByRole('button', { name: 'Link it' }).click();
    await page.getByRole('button', { name: 'Unlink Office' }).waitFor();
    await close();
  });

  it('is linked to an account with a second factor, which confirms it besides the password', async () => {
    await setFactors(pages, { authenticator: true });
    await pages.test.createUser('guarded');
    const { app } = await enrollApp(pages, 'guarded');
    const { page, close } = await open('/login');
    await giveFirstFactor(page, 'guarded');
    const code = page.getByLabel('Code', { exact: true });
    // The next code takes time to pass, and a password check must not take that long.
    await code.waitFor();
    await code.fill(app.next());
    await page.waitForURL('**/app');
    pages.test.clock.advance(300);
    await passThrough(page, 'Link Office', 'guarded');
    await page.getByLabel('Current password').fill(USER_PASSWORD);
    await page.getByRole('button', { name: 'Link it' }).click();
    await page.getByText('Confirm it with your second factor too.').waitFor();
    await code.waitFor();
    await code.fill(app.next());
    await page.getByRole('button', { name: 'Unlink Office' }).waitFor();
    await close();
  });

  it('that gives a client only the hybrid flow gets a second request, and the person signs in once', async () => {
    const { page, close } = await open('/login?to=/app/elsewhere');
    const requests = watchRequests(page);
    await passThrough(page, 'Continue with Company', 'old');
    await page.waitForURL(`${pages.url}/app/elsewhere`);
    assert.deepEqual(
      requests.map((asked) => asked.get('response_type')),
      ['code', 'code id_token'],
    );
    await close();
  });

  it('that refuses both flows is quoted with its first error', async () => {
    const { page, close } = await open('/login');
    const state = await leave(page);
    await page.goto(`/login/external/Office?error=unauthorized_client&state=${state}`);
    await page.getByText('Office reports the error unauthorized_client.').waitFor();
    await close();
  });

  it('is asked by the hybrid flow alone where the class says so', async () => {
    const { page, close } = await open('/login');
    const requests = watchRequests(page);
    await page.getByRole('button', { name: 'Continue with Hybrid' }).click();
    await page.getByText('invalid_redirect_uri').waitFor();
    assert.deepEqual(
      requests.map((asked) => asked.get('response_type')),
      ['code id_token'],
    );
    assert.match(page.url(), /[?&]scope=openid%20profile%20email&/);
    await close();
  });

  it('cannot be answered from another browser, nor twice', async () => {
    const { page, close } = await open('/login');
    const requests = watchRequests(page);
    await page.getByRole('button', { name: 'Continue with Office' }).click();
    await page.getByLabel('Login').waitFor();
    const { href: answered } = await company.browse(`${company.issuer}/auth?${requests[0]}`, 'stolen');
    const thief = await open('/login');
    await thief.page.getByRole('button', { name: 'Continue with Office' }).click();
    await thief.page.getByLabel('Login').waitFor();
    await thief.page.goto(answered);
    await thief.page.getByText('This page was already used').waitFor();
    assert.equal(thief.page.url(), `${pages.url}/login/external/Office`);
    await thief.close();
    await page.goto(answered);
    await page.waitForURL(`${pages.url}/app`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Continue with Office' }).waitFor();
    await page.goto(answered);
    await page.getByText('This page was already used').waitFor();
    await close();
  });

  it('says so when the person cancels, when the provider fails, and when its answer is none', async () => {
    const { page, close } = await open('/login');
    await leave(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Office refused the sign-in, or you cancelled it.').waitFor();
    const answers: [answer: string, text: string][] = [
      ['error=server_error&error_description=canary', 'Office reports the error server_error. Please begin again.'],
      ['error=call%20555-0100%20now', 'The response of Office is not valid.'],
      ['id_token=x.y.z', 'The response of Office is not valid.'],
      ['code=guessed', 'The provider did not confirm this sign-in.'],
    ];
    for (const [answer, text] of answers) {
      const state = await leave(page);
      await page.goto(`/login/external/Office?${answer}&state=${state}`);
      await page.getByText(text).waitFor();
      assert.equal(page.url(), `${pages.url}/login/external/Office?to=/app/elsewhere`);
      assert.equal(await page.getByText('canary').count(), 0);
    }
    await close();
  });

  it('shows accessible pages only, in the reader’s language', async () => {
    await assertAccessibleEverywhere(pages, async (page) => {
      const state = await leave(page);
      await page.goto(`/login/external/Office?error=temporarily_unavailable&state=${state}`);
      await page.getByText('temporarily_unavailable').waitFor();
    });
    const { page, close } = await open('/login', { locale: 'de-DE' });
    const requests = watchRequests(page);
    await page.getByRole('button', { name: 'Weiter mit Office' }).click();
    await page.getByLabel('Login').waitFor();
    await page.goto(`/login/external/Office?error=server_error&state=${requests[0]?.get('state')}`);
    await page.getByText('Office meldet den Fehler server_error.').waitFor();
    await close();
  });
});
