// The page of service keys, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { introspect } from '../server/test/support/introspection.ts';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessibleEverywhere,
  hold,
  type OpenOptions,
  openSignedIn,
  type Pages,
  startPages,
  untilAttentive,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

describe('the page of service keys', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  async function open(options: OpenOptions = {}) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await openSignedIn(page, '/app/service-keys');
    return { context, page };
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  /** A row of the table, or a card of a narrow screen. */
  const row = (page: Page, name: string) =>
    page.getByRole('main').getByRole('row').or(page.getByRole('main').getByRole('listitem')).filter({ hasText: name });
  const cell = (page: Page, name: string, text: string) =>
    row(page, name).getByRole('cell', { name: text, exact: true });
  const isKnown = async (key: string) =>
    introspect(pages.test, 'x', key).then(
      () => true,
      () => false,
    );

  it('makes a key by keyboard alone, and shows it once', async () => {
    const { context, page } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('There are no service keys yet.').waitFor();
    await button(page, 'Create a service key').press('Enter');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await untilAttentive(page);
    await page.keyboard.press('Enter');
    await page.locator('input[name=name][aria-invalid=true]').waitFor();
    await page.getByText('Select what the key allows.').waitFor();
    await page.keyboard.type('shop');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Service key', { exact: true });
    const key = await field.inputValue();
    assert.match(key, /^lks_/);
    // A person who types it off tells l from I.
    const font = await field.evaluate((input) => input.ownerDocument.defaultView?.getComputedStyle(input).fontFamily);
    assert.match(String(font), /monospace/);
    const command = await page.getByRole('dialog').locator('pre').innerText();
    assert.ok(
      command.includes(`Authorization: Bearer ${key}`) && command.endsWith(`${pages.url}/oauth/introspect`),
      command,
    );
    await page.keyboard.press('Escape');
    await button(page, 'Copy').press('Enter');
    await page.getByText('The key was copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    await button(page, 'Done').press('Enter');
    await cell(page, 'shop', 'Introspect tokens').waitFor();
    await cell(page, 'shop', 'Never').waitFor();
    assert.ok(!(await page.content()).includes(key));

    assert.equal(await isKnown(key), true);
    await page.reload();
    await cell(page, 'shop', 'Introspect tokens').waitFor();
    assert.equal(await row(page, 'shop').getByText('Never').count(), 0);
    await context.close();
  });

  it('keeps a new key on the page until “Done”', async () => {
    const { context, page } = await open();
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await page.waitForURL('**/app/roles');
    await page.getByRole('link', { name: 'Service keys', exact: true }).click();
    await button(page, 'Create a service key').click();
    await page.getByLabel('Name', { exact: true }).fill('kept');
    await page.getByRole('checkbox', { name: 'Follow revocations' }).check();
    const creating = await hold(page, '**/ServiceKey/Create');
    await button(page, 'Create').click();
    await creating.arrive();
    await untilAttentive(page);
    await page.goBack();
    await page.waitForURL('**/app/service-keys');
    creating.release();
    const field = page.getByLabel('Service key', { exact: true });
    await field.waitFor();
    await untilAttentive(page);
    await page.goBack();
    await page.waitForURL('**/app/service-keys');
    assert.match(await field.inputValue(), /^lks_/);
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload().catch(() => {});
    const question = await asked;
    assert.equal(question.type(), 'beforeunload');
    await question.dismiss();
    await button(page, 'Done').click();
    await cell(page, 'kept', 'Follow revocations').waitFor();
    await page.goBack();
    await page.waitForURL('**/app/roles');
    await context.close();
    await reloaded;
  });

  it('makes a key that manages, with the permissions that are chosen beside it', async () => {
    const { context, page } = await open();
    await button(page, 'Create a service key').click();
    await page.getByLabel('Name', { exact: true }).fill('crm');
    assert.equal(await page.getByLabel('Manage users').count(), 0);
    await page.getByRole('checkbox', { name: 'Manage', exact: true }).check();
    await button(page, 'Create').click();
    await page.getByText('Select what the key may manage.').first().waitFor();
    await page.getByLabel('Manage users').check();
    await button(page, 'Create').click();
    const token = await page.getByLabel('Service key', { exact: true }).inputValue();
    await page.getByText('/api/services/app/User/GetAll').waitFor();
    await button(page, 'Done').click();
    await cell(page, 'crm', 'Manage users').waitFor();
    const body = { userName: 'from-crm' };
    assert.equal((await pages.test.post('/api/services/app/User/Create', { token, body })).status, 200);
    assert.equal((await pages.test.get('/api/services/app/ServiceKey/GetAll', { token })).status, 403);
    await context.close();
  });

  it('says beside the field which name is in use, or not accepted', async () => {
    await pages.test.createServiceKey('taken', ['introspect']);
    const { context, page } = await open();
    await button(page, 'Create a service key').click();
    await page.getByLabel('Name', { exact: true }).fill('taken');
    await page.getByRole('checkbox', { name: 'Follow revocations' }).check();
    await button(page, 'Create').click();
    await page.getByText('Another service key has this name. Please choose a different one.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('two words');
    await button(page, 'Create').click();
    await page.getByText('This has characters or a form that is not accepted.').waitFor();
    await page.locator('input[name=name][aria-invalid=true]').waitFor();
    await context.close();
  });

  it('asks before it withdraws a key, and leaves the second key of a rotation', async () => {
    const first = await pages.test.createServiceKey('stock-1', ['introspect']);
    const second = await pages.test.createServiceKey('stock-2', ['introspect']);
    const { context, page } = await open();
    await button(page, 'Withdraw stock-1').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await isKnown(first), true);
    await button(page, 'Withdraw stock-1').click();
    await page.getByText('The key stops working at once.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByText('stock-1 was withdrawn.').waitFor();
    await row(page, 'stock-1').waitFor({ state: 'hidden' });
    assert.deepEqual([await isKnown(first), await isKnown(second)], [false, true]);
    await context.close();
  });

  it('stays in a dialog until the service has answered', async () => {
    const { context, page } = await open();
    await button(page, 'Create a service key').click();
    await page.getByLabel('Name', { exact: true }).fill('late');
    await page.getByRole('checkbox', { name: 'Follow revocations' }).check();
    const creating = await hold(page, '**/ServiceKey/Create');
    await button(page, 'Create').click();
    await creating.arrive();
    assert.ok(await button(page, 'Cancel').isDisabled());
    assert.ok(await button(page, 'Close').isDisabled());
    await page.keyboard.press('Escape');
    creating.release();
    assert.match(await page.getByLabel('Service key', { exact: true }).inputValue(), /^lks_/);
    await button(page, 'Done').click();

    const withdrawing = await hold(page, '**/ServiceKey/Withdraw');
    await button(page, 'Withdraw late').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
    await withdrawing.arrive();
    assert.ok(await button(page, 'Cancel').isDisabled());
    await page.keyboard.press('Escape');
    await page.getByText('The key stops working at once.').waitFor();
    withdrawing.release();
    await page.getByText('late was withdrawn.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await context.close();
  });

  itAtLength('speaks German', async () => {
    await pages.test.createServiceKey('kasse', ['introspect', 'revocations']);
    const context = await pages.open({ locale: 'de-DE' });
    const page = await context.newPage();
    await openSignedIn(page, '/app');
    await page.getByRole('link', { name: 'Dienstschlüssel' }).click();
    await cell(page, 'kasse', 'Tokens prüfen, Widerrufe lesen').waitFor();
    await button(page, 'Dienstschlüssel erstellen').click();
    await page.getByLabel('Name', { exact: true }).fill('archiv');
    await page.getByRole('checkbox', { name: 'Protokoll lesen' }).check();
    await button(page, 'Erstellen').click();
    await button(page, 'Fertig').click();
    await cell(page, 'archiv', 'Protokoll lesen').waitFor();
    await button(page, 'kasse widerrufen').waitFor();
    await context.close();
  });

  it('is closed to people without the permission', async () => {
    await pages.test.createUser('plain');
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app', 'plain', USER_PASSWORD);
    assert.equal(await page.getByRole('link', { name: 'Service keys' }).count(), 0);
    await page.goto('/app/service-keys');
    await page.getByText('You do not have permission to open this page.').waitFor();
    await context.close();
  });

  it('is accessible: the list, the form and the new key', async () => {
    await pages.test.createServiceKey('listed', ['introspect', 'revocations']);
    let count = 0;
    const open = async (page: Page) => {
      await openSignedIn(page, '/app/service-keys');
      await row(page, 'listed').waitFor();
    };
    await assertAccessibleEverywhere(
      pages,
      open,
      async (page) => {
        await open(page);
        await button(page, 'Create a service key').click();
        await button(page, 'Create').click();
        await page.getByText('Select what the key allows.').waitFor();
      },
      async (page) => {
        await open(page);
        count += 1;
        await button(page, 'Create a service key').click();
        await page.getByLabel('Name', { exact: true }).fill(`fresh-${count}`);
        await page.getByRole('checkbox', { name: 'Introspect tokens' }).check();
        await button(page, 'Create').click();
        await page.getByLabel('Service key', { exact: true }).waitFor();
      },
    );
  });
});
