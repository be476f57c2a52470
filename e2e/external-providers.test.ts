// The pages of external providers, in a real browser, with a real OpenID provider.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { cleanSvg } from '../server/src/brands/index.ts';
import { markOf } from '../server/src/providers/marks.ts';
import { createRunningClock } from '../server/test/support/clock.ts';
import { clients, type OpenidProvider, startOpenidProvider } from '../server/test/support/openid-provider.ts';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessibleEverywhere,
  type OpenOptions,
  openSignedIn,
  type Pages,
  startPages,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';
import { passThrough } from './support/providers.ts';

const API = '/api/services/app/ExternalProvider';

const { clientId, clientSecret } = clients.pages;

describe('the pages of external providers', () => {
  let pages: Pages;
  let company: OpenidProvider;
  before(async () => {
    company = await startOpenidProvider();
    company.people.set('kim', {
      email: 'kim@example.com',
      email_verified: true,
      given_name: 'Kim',
      family_name: 'Lee',
    });
    company.people.set('lee', {
      email: 'lee@example.com',
      email_verified: true,
      given_name: 'Lee',
      family_name: 'Kim',
    });
    // The test of a provider compares its clock with that of the service.
    pages = await startPages('sqlite', { clock: createRunningClock() });
    await liftLimits(pages);
  });
  after(async () => {
    await pages?.close();
    await company?.stop();
  });
  afterEach(async () => {
    const token = await pages.test.admin();
    for (const { id } of await readAll()) await pages.test.send('DELETE', `${API}/Delete`, { token, query: { id } });
  });

  const readAll = () => pages.test.service.externalProviders.readAll();
  const first = async () => (await readAll())[0] ?? assert.fail('there is no provider');
  async function open(path = '/app/external-providers', options: OpenOptions = {}) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await openSignedIn(page, path);
    return { context, page };
  }
  async function create(more: Record<string, unknown> = {}) {
    const body = { type: 'oidc', name: 'Company', clientId, clientSecret, issuer: company.issuer, ...more };
    const { status, text, result } = await pages.test.post(`${API}/Create`, { token: await pages.test.admin(), body });
    assert.equal(status, 200, text);
    return result;
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const undo = (page: Page) => button(page, 'Undo').last().click();

  it('add an OpenID provider and test it: then a person signs in with it in another browser', async () => {
    const { context, page } = await open();
    await page.getByText('There are no external providers yet.').waitFor();
    await page.getByRole('link', { name: 'Create a provider' }).click();
    await page.getByLabel('Type').selectOption('Google');
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Google');
    await page.getByLabel('Client id').fill(clientId);
    await page.getByLabel('Type').selectOption('Any OpenID provider');
    await page.getByText('It stands here as soon as you have typed the name.').waitFor();
    assert.equal(await page.getByLabel('Client id').inputValue(), clientId, 'what both types have stays');
    await page.getByLabel('Name', { exact: true }).fill('Head office');
    await page.getByText('http://localhost:8080/login/external/Head%20office', { exact: true }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Company');
    await page.getByLabel('Text on the button').fill('Company account');
    const secret = page.getByLabel('Client secret');
    await secret.fill(clientSecret);
    assert.equal(await secret.getAttribute('autocomplete'), 'new-password', 'no browser fills in a stored password');
    await button(page, 'Create').click();
    await page.getByText('Please fill this in.').waitFor();
    await page.getByLabel('Issuer').fill('https://10.0.0.1');
    await button(page, 'Create').click();
    await page.getByText('This host is not on the public internet.').waitFor();
    assert.equal(await page.getByLabel('Issuer').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Issuer').fill(`${company.issuer}/elsewhere`);
    await button(page, 'Create').click();
    await page.getByText('Company account was created.').waitFor();
    await button(page, 'Test').click();
    await page.getByText('The metadata cannot be read: the provider answers with the status 404.').waitFor();
    await button(page, 'Edit').click();
    assert.equal(await dialog(page).getByLabel('Client secret').count(), 0);
    await dialog(page).getByLabel('Issuer').fill(company.issuer);
    await dialog(page).getByText('The stored secret is not sent to another address.').waitFor();
    await button(page, 'Save').click();
    await dialog(page).getByText('Please fill this in.').waitFor();
    await dialog(page).getByLabel('Client secret').fill(clientSecret);
    await button(page, 'Save').click();
    await page.getByText('Company account was saved.').waitFor();
    assert.equal(await button(page, 'Undo').count(), 0, 'the former secret is not kept');
    await button(page, 'Test').click();
    await page.getByText('The provider answers as it should.').waitFor();
    assert.equal(await page.getByRole('img', { name: 'In order', exact: true }).count(), 6);
    assert.ok(!(await page.content()).includes(clientSecret));

    const visitor = await pages.open();
    const there = await visitor.newPage();
    await there.goto('/login');
    await passThrough(there, 'Continue with Company account', 'kim');
    await there.getByRole('heading', { name: 'My account' }).waitFor();
    await there.getByText('Company account', { exact: true }).waitFor();
    await visitor.close();

    await button(page, 'Delete').click();
    await dialog(page).getByText('1 external login goes with it').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There are no external providers yet.').waitFor();
    await context.close();
  });

  itAtLength('show on the page of a user what the removal of an external login has ended', async () => {
    await create();
    const visitor = await pages.open();
    const there = await visitor.newPage();
    await there.goto('/login');
    await passThrough(there, 'Continue with Company', 'lee');
    await there.getByRole('heading', { name: 'My account' }).waitFor();
    await visitor.close();
    const token = await pages.test.admin();
    const query = { keyword: 'lee@example.com' };
    const { result } = await pages.test.get('/api/services/app/User/GetAll', { token, query });
    const { context, page } = await open(`/app/users/${result.items[0]?.id}`);
    const activity = page.getByRole('region', { name: 'Activity' });
    const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
    await activity.getByRole('button').first().waitFor();
    await sessions.getByText(/^Default UI · /).waitFor();
    await button(page, 'Remove Company').click();
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await sessions.getByText('There is no open session.').waitFor();
    await activity.getByText('External login removed').waitFor();
    await context.close();
  });

  it('ask before a new provider is dropped', async () => {
    const { context, page } = await open('/app/external-providers/add');
    await page.getByLabel('Type').selectOption('Google');
    await page.getByLabel('Client id').fill(clientId);
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('link', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Client id').inputValue(), clientId);
    await page.getByLabel('Client secret').fill(clientSecret);
    await button(page, 'More settings').click();
    await page.getByLabel('Domains').fill('example.com');
    await page.getByLabel('Scopes').fill('profile');
    await page.getByLabel('Addresses', { exact: true }).selectOption({ index: 1 });
    const type = page.getByLabel('Type');
    assert.equal(await type.getByRole('option').first().isDisabled(), true, 'no type would drop all');
    await type.selectOption('Apple');
    await page.getByLabel('Team id').fill('TEAM');
    assert.equal(await page.getByLabel('Client id').inputValue(), clientId);
    await type.selectOption('Google');
    assert.equal(await page.getByLabel('Client secret').inputValue(), '', 'Apple has none');
    await page.getByLabel('Client secret').fill(clientSecret);
    await button(page, 'Create').click();
    await page.getByText('Google was created.').waitFor();
    await page.getByRole('heading', { name: 'Google', level: 1 }).waitFor();
    assert.equal(await question.count(), 0);
    const { allowedDomains, teamId, emailTrust, scopes } = await first();
    assert.deepEqual([allowedDomains, teamId, emailTrust], [['example.com'], null, 'verified']);
    assert.deepEqual(scopes, [], 'Google is asked for its usual scopes');
    await context.close();
  });

  it('ask before changes are dropped, and not where fields were only shown', async () => {
    const { id } = await create();
    const { context, page } = await open(`/app/external-providers/${id}`);
    await button(page, 'Edit').click();
    await button(page, 'More settings').click();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await button(page, 'Edit').click();
    await button(page, 'More settings').click();
    await dialog(page).getByLabel('Scopes').fill('profile');
    await page.keyboard.press('Escape');
    await button(page, 'Keep editing').click();
    assert.equal(await dialog(page).getByLabel('Scopes').inputValue(), 'profile');
    await context.close();
  });

  it('change a provider, undo that, turn it off, and replace its secret', async () => {
    const { id } = await create({ secretExpiresAt: '2020-01-31T12:00:00Z' });
    const { context, page } = await open(`/app/external-providers/${id}`);
    await page.getByText('Secret expired on 31 Jan 2020').waitFor();
    await page.getByText('Stored. It is never shown.').waitFor();
    await button(page, 'Edit').click();
    await button(page, 'More settings').click();
    await dialog(page).getByLabel('Scopes').fill('profile');
    await dialog(page).getByLabel('Domains of addresses').fill('Example.com, example.org');
    await dialog(page).getByLabel('More parameters').fill('prompt=select_account\nhd=');
    await button(page, 'Save').click();
    await page.getByText('Add the scope "openid"').waitFor();
    await dialog(page).getByLabel('Scopes').fill('openid email');
    await dialog(page)
      .getByLabel('More parameters')
      .fill(`prompt=${'x'.repeat(501)}`);
    await button(page, 'Save').click();
    await page.getByText('Use at most 500 characters.').waitFor();
    const parameters = dialog(page).getByLabel('More parameters');
    assert.equal(await parameters.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.getByTestId('problem').count(), 0);
    await parameters.fill('prompt=select_account\nhd=');
    await button(page, 'Save').click();
    await page.getByText('Company was saved.').waitFor();
    const { scopes, allowedDomains, authorizationParameters, secretExpiresAt } = await first();
    assert.deepEqual(
      { scopes, allowedDomains, authorizationParameters, at: new Date(secretExpiresAt ?? 0).toISOString() },
      {
        scopes: ['openid', 'email'],
        allowedDomains: ['example.com', 'example.org'],
        authorizationParameters: { prompt: 'select_account', hd: '' },
        at: '2020-01-31T12:00:00.000Z',
      },
    );
    await undo(page);
    await page.getByText('The change was undone.').waitFor();
    const undone = await first();
    assert.deepEqual([undone.scopes, undone.allowedDomains, undone.authorizationParameters], [[], [], {}]);

    await button(page, 'Disable').click();
    await page.getByText('Company is disabled.').waitFor();
    await undo(page);
    await button(page, 'Disable').waitFor();
    assert.equal((await first()).isEnabled, true);

    await button(page, 'Replace the secret').click();
    await button(page, 'Replace').click();
    await page.getByText('Please fill this in.').waitFor();
    await dialog(page).getByLabel('Client secret').fill('another secret');
    await button(page, 'Replace').click();
    await page.getByText('The secret of Company was replaced.').waitFor();
    const replaced = await pages.test.service.externalProviders.open(id);
    assert.deepEqual([replaced.clientSecret, replaced.secretExpiresAt], ['another secret', null]);
    await button(page, 'History').click();
    const entries = dialog(page).getByRole('listitem');
    await entries.first().getByText('Replaced. Secrets are not kept').waitFor();
    // Edited, undone, disabled, undone, and the secret.
    assert.equal(await entries.count(), 5);
    const restoring = dialog(page).getByRole('button', { name: /^(Undo|Restore the value before this): / });
    assert.equal(
      await entries.first().getByRole('button').count(),
      0,
      'nothing of it is of use without the former secret',
    );
    assert.ok((await restoring.count()) > 0);
    await dialog(page)
      .getByRole('button', { name: /^Restore the value before this: / })
      .last()
      .click();
    await page.getByText('Company was saved.').waitFor();
    assert.deepEqual((await first()).scopes, ['openid', 'email']);
    await button(page, 'History').click();
    await entries.first().getByText('openid email').waitFor();
    await dialog(page)
      .getByRole('button', { name: /^Undo: / })
      .click();
    await page.getByText('Company was saved.').first().waitFor();
    await dialog(page).waitFor({ state: 'hidden' });
    assert.deepEqual((await first()).scopes, []);
    await context.close();
  });

  it('keep a secret until the end of its last day, whichever form names the day', async () => {
    const { id } = await create();
    const { context, page } = await open(`/app/external-providers/${id}`);
    const lastDay = dialog(page).getByLabel('Last day of the secret');
    const expiry = async () => new Date((await first()).secretExpiresAt ?? 0).toISOString();
    await button(page, 'Edit').click();
    await button(page, 'More settings').click();
    await lastDay.fill('2030-01-31');
    await button(page, 'Save').click();
    await page.getByText('31 Jan 2030', { exact: true }).waitFor();
    assert.equal(await expiry(), '2030-01-31T23:59:59.000Z');
    await button(page, 'Edit').click();
    await button(page, 'More settings').click();
    assert.equal(await lastDay.inputValue(), '2030-01-31');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await button(page, 'Replace the secret').click();
    await dialog(page).getByLabel('Client secret').fill('another secret');
    await lastDay.fill('2031-12-31');
    await button(page, 'Replace').click();
    await page.getByText('31 Dec 2031', { exact: true }).waitFor();
    assert.equal(await expiry(), '2031-12-31T23:59:59.000Z');
    await context.close();
  });

  it('take the secret from a provider, which is a public client then', async () => {
    const { id } = await create();
    const { context, page } = await open(`/app/external-providers/${id}`);
    await button(page, 'Replace the secret').click();
    await dialog(page).getByLabel('This is a public client').check();
    await button(page, 'Replace').click();
    await page.getByText('None', { exact: true }).waitFor();
    assert.equal((await pages.test.service.externalProviders.open(id)).clientSecret, '');
    await context.close();
  });

  it('ask for exactly what a type needs', async () => {
    const { context, page } = await open('/app/external-providers/add');
    const labels = async (type: string) => {
      await page.getByLabel('Type').selectOption(type);
      await page.getByText('What to do at the provider').first().waitFor();
      return page.getByRole('form').locator('label').allInnerTexts();
    };
    const head = ['Name', 'Text on the button'];
    assert.deepEqual(await labels('google'), [...head, 'Client id', 'Client secret']);
    assert.deepEqual(await labels('microsoft'), [...head, 'Directory (tenant) id', 'Client id', 'Client secret']);
    assert.deepEqual(await labels('apple'), [...head, 'Team id', 'Key id', 'Client id', 'Private key']);
    assert.equal((await labels('oauth2')).filter((label) => /endpoint/i.test(label)).length, 4);
    await context.close();
  });

  it('warn of a key that can go to another person', async () => {
    const { id } = await create({ claims: { providerKey: 'email' } });
    const { context, page } = await open(`/app/external-providers/${id}`);
    await page.getByText('The key "email" can change and go to another person').waitFor();
    await context.close();
  });

  itAtLength(
    'say that a person cancelled in the words of each maker, and repeat no request by another flow',
    async () => {
      await create();
      const context = await pages.open();
      const page = await context.newPage();
      async function answerWith(error: string) {
        await page.goto('/login');
        const asked = page.waitForRequest((one) => one.url().startsWith(`${company.issuer}/auth?`));
        await button(page, 'Continue with Company').click();
        const { searchParams } = new URL((await asked).url());
        await page.getByLabel('Login').waitFor();
        await page.goto(`/login/external/Company?error=${error}&state=${searchParams.get('state')}`);
      }
      for (const error of ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login']) {
        await answerWith(error);
        await page.getByText('Company refused the sign-in, or you cancelled it.').waitFor();
      }
      await answerWith('unauthorized_client');
      await page.getByText('Company reports the error unauthorized_client.').waitFor();
      await context.close();
    },
  );

  itAtLength('speak German', async () => {
    const { id } = await create({ issuer: 'http://127.0.0.1:9', claims: { providerKey: 'email' } });
    const { context, page } = await open('/app', { locale: 'de-DE' });
    await page.getByRole('link', { name: 'Externe Anbieter' }).click();
    await page.getByText('Beliebiger OpenID-Anbieter').waitFor();
    await page.goto(`/app/external-providers/${id}`);
    await button(page, 'Testen').click();
    await page.getByText('Unter dieser Adresse antwortet nichts.').waitFor();
    await page.getByText('Der Schlüssel "email" kann sich ändern').waitFor();
    await context.close();
  });

  it('are closed to people without the permission', async () => {
    await pages.test.createUser('plain');
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app', 'plain', USER_PASSWORD);
    assert.equal(await page.getByRole('link', { name: 'External providers' }).count(), 0);
    await page.goto('/app/external-providers/add');
    await page.getByText('You do not have permission to open this page.').waitFor();
    await context.close();
  });

  it('are accessible: the list, the form with its guide, and one provider', async () => {
    const { id } = await create();
    await create({ type: 'github', name: 'GitHub', issuer: undefined, isEnabled: false });
    await assertAccessibleEverywhere(
      pages,
      async (page) => {
        await openSignedIn(page, '/app/external-providers');
        await page.getByRole('link', { name: 'GitHub' }).waitFor();
      },
      async (page) => {
        await openSignedIn(page, '/app/external-providers/add');
        await page.getByLabel('Type').selectOption('oidc');
        await button(page, 'More settings').click();
        await button(page, 'Create').click();
        await page.getByText('Please fill this in.').first().waitFor();
      },
      async (page) => {
        await openSignedIn(page, `/app/external-providers/${id}`);
        await button(page, 'Test').click();
        await page.getByText('The provider answers as it should.').waitFor();
      },
    );
  });

  it('show marks that the cleaning of pictures leaves as they are', () => {
    const mark = markOf('github') ?? assert.fail('GitHub has a mark');
    assert.equal(cleanSvg(Buffer.from(mark)).toString(), mark);
  });
});
