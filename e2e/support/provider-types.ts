// Each type of external provider in a browser: an administrator adds it by the page, and a person signs in by its button.
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { createRunningClock } from '../../server/test/support/clock.ts';
import { CLIENT_ID, signInPages } from '../../server/test/support/makers.ts';
import { findFreePort } from '../../server/test/support/ports.ts';
import { type Person, startProviderWorld, type World } from '../../server/test/support/provider-world.ts';
import { types } from '../../server/test/support/registered-types.ts';
import { openSignedIn, type Pages, startPages } from './browser.ts';
import { liftLimits } from './messages.ts';

export type WorldPages = { readonly pages: Pages; readonly world: World; close(): Promise<void> };

/** Starts the service among the providers of the world. */
export async function startWorldPages(): Promise<WorldPages> {
  const world = await startProviderWorld();
  const publicUrl = `http://localhost:${await findFreePort()}`;
  // The test of a provider compares its clock with that of the service.
  const pages = await startPages('sqlite', { egress: world.egress, publicUrl, clock: createRunningClock() });
  await liftLimits(pages);
  return {
    pages,
    world,
    async close() {
      await pages.close();
      await world.close();
    },
  };
}

/** What the fields of the form are called, by member. */
const LABELS = {
  tenant: 'Directory (tenant) id',
  issuer: 'Issuer',
  teamId: 'Team id',
  keyId: 'Key id',
  clientSecret: 'Client secret',
  privateKey: 'Private key',
  'endpoints.authorization': 'Authorization endpoint',
  'endpoints.token': 'Token endpoint',
  'endpoints.userinfo': 'Userinfo endpoint',
  'claims.providerKey': 'Claim with the key of the person',
  'claims.name': 'Claim with the given name',
  'claims.surname': 'Claim with the family name',
};

/** Adds a provider with nothing but the page, and tests it. @returns its name and the redirect URI that the page shows. */
async function addByPage(page: Page, type: string): Promise<{ name: string; redirectUri: string }> {
  const { endpoints = {}, claims = {}, emailTrust, ...row } = types[type]?.row ?? assert.fail(type);
  await openSignedIn(page, '/app/external-providers/add');
  await page.getByLabel('Type').selectOption(type);
  const nameField = page.getByLabel('Name', { exact: true });
  if ((await nameField.inputValue()) === '') await nameField.fill(`My ${type}`);
  const name = await nameField.inputValue();
  await page.getByLabel('Client id').fill(CLIENT_ID);
  const more = Object.entries({ endpoints, claims }).flatMap(([member, values]) =>
    Object.entries(values).map(([key, value]) => [`${member}.${key}`, value] as const),
  );
  await page.getByRole('button', { name: 'More settings' }).click();
  for (const [member, value] of [...Object.entries(row), ...more]) {
    // The table has every member that a row of the tests has.
    await page.getByLabel(LABELS[member as keyof typeof LABELS]).fill(value);
  }
  if (emailTrust) await page.getByLabel('Addresses', { exact: true }).selectOption(emailTrust);
  const shown = page.getByText(/^http:\/\/localhost:\d+\/login\/external\//);
  const redirectUri = (await shown.textContent()) ?? '';
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText(`${name} was created.`).waitFor();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('The provider answers as it should.').waitFor();
  return { name, redirectUri };
}

/** Gives a browser the pages on which people sign in at the makers. Each has one button, of this person. */
const visitWorld = (context: BrowserContext, { world }: WorldPages, person: Person, redirectUri: string) =>
  context.route(
    ({ origin, pathname }) => signInPages.has(origin + pathname),
    async (route) => {
      const url = route.request().url();
      const asked = new URL(url).searchParams;
      assert.equal(asked.get('redirect_uri'), redirectUri, 'it is what the page has shown to copy');
      const method = asked.get('response_mode') === 'form_post' ? 'post' : 'get';
      // Facebook adds this fragment.
      const action = redirectUri + (url.startsWith('https://www.facebook.com') ? '#_=_' : '');
      const inputs = Object.entries(world.visit(url, person)).map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`,
      );
      const body = `<!doctype html><form method="${method}" action="${action}">${inputs.join('')}<button>It is me</button></form>`;
      await route.fulfill({ contentType: 'text/html', body });
    },
  );

/** Signs in by the button of this provider. The page ends at the person's account. */
async function signInByButton(page: Page, name: string): Promise<void> {
  await page.goto('/login?to=/app/account');
  await page.getByRole('button', { name: `Continue with ${name}`, exact: true }).click();
  await page.getByRole('button', { name: 'It is me' }).click();
  await page.getByRole('heading', { name: 'My account' }).waitFor();
}

/**
 * Adds this type by the page, and signs a new person in, who is then linked.
 * @param times how often the person signs in, each time in another browser.
 */
export async function walkType(all: WorldPages, type: string, times: number): Promise<void> {
  const { pages } = all;
  const { person, key, names } = types[type] ?? assert.fail(type);
  const administrator = await pages.open();
  const { name, redirectUri } = await addByPage(await administrator.newPage(), type);
  assert.equal(redirectUri, `${pages.url}/login/external/${encodeURIComponent(name)}`);
  await administrator.close();
  for (let time = 0; time < times; time += 1) {
    const context = await pages.open();
    await visitWorld(context, all, person(1), redirectUri);
    const page = await context.newPage();
    await signInByButton(page, name);
    await page.getByText(names.join(' ').trim(), { exact: true }).first().waitFor();
    await page.getByRole('button', { name: `Unlink ${name}` }).waitFor();
    await context.close();
  }
  const { sql } = pages.test.service.database;
  const logins = await sql.selectFrom('external_login').selectAll().where('provider', '=', name).execute();
  assert.deepEqual(
    logins.map(({ provider_key: providerKey }) => providerKey),
    [key(1)],
  );
}
