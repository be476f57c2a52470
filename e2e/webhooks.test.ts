// The pages of webhooks, in a real browser, with a real receiver.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Webhook as Verifier } from 'standardwebhooks';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../server/test/support/webhook-receiver.ts';
import {
  assertAccessibleEverywhere,
  type OpenOptions,
  openSignedIn,
  type Pages,
  startPages,
  untilAttentive,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const API = '/api/services/app/Webhook';

type Hook = { id: string; secret: string };

describe('the pages of webhooks', () => {
  let pages: Pages;
  let receiver: WebhookReceiver;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await receiver.stop();
    const token = await pages.test.admin();
    for (const { id } of await pages.test.service.webhooks.list())
      await pages.test.send('DELETE', `${API}/Delete`, { token, query: { id } });
  });

  async function open(path = '/app/webhooks', options: OpenOptions = {}) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await openSignedIn(page, path);
    return { context, page };
  }

  async function post<Result>(call: string, body: unknown): Promise<Result> {
    const { status, text, result } = await pages.test.post(`${API}/${call}`, {
      token: await pages.test.admin(),
      body,
    });
    assert.equal(status, 200, text);
    return result as Result;
  }
  const create = (more: Record<string, unknown> = {}) =>
    post<Hook>('Create', { url: receiver.url, actions: ['account.created'], description: 'Shop', ...more });
  const deliver = ({ id }: Pick<Hook, 'id'>) => pages.test.service.deliveries.deliverDue(id);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const pill = (page: Page, text: string) => dialog(page).locator('.mantine-Pill-root').filter({ hasText: text });

  it('make a webhook by keyboard alone, show its secret once, and show what came of a test', async () => {
    const { context, page } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('There are no webhooks yet.').waitFor();
    await button(page, 'Create a webhook').press('Enter');
    await page.getByLabel('Address').waitFor();
    await untilAttentive(page);
    await page.keyboard.press('Enter');
    await page.locator('input[name=url][aria-invalid=true]').waitFor();
    await page.getByText('Choose at least one event.').waitFor();
    await page.keyboard.type(receiver.url);
    await page.keyboard.press('Tab');
    // A group is found by its name, a pattern is typed, and an event is chosen.
    await page.keyboard.type('sign-in with a passw');
    await page.getByRole('option', { name: 'Sign-in with a password' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await pill(page, 'signIn.password').waitFor();
    // The list does not cover the fields below, and lists no event twice.
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    await page.keyboard.type('sign-in with a');
    await page.getByRole('option', { name: 'Sign-in with a passkey' }).waitFor();
    assert.equal(await page.getByRole('option', { name: 'Sign-in with a password' }).count(), 0);
    for (const _ of 'sign-in with a') await page.keyboard.press('Backspace');
    await page.keyboard.type('account.*,');
    await pill(page, 'account.*').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Shop');
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Secret', { exact: true });
    const secret = await field.inputValue();
    assert.match(secret, /^whsec_/);
    await page.keyboard.press('Escape');
    await button(page, 'Copy').press('Enter');
    await page.getByText('The secret was copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
    await button(page, 'Done').press('Enter');
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    assert.ok(!(await page.content()).includes(secret));

    await page.getByText('Nothing was sent to this webhook yet.').waitFor();
    await page.getByText('Never tried').waitFor();
    await button(page, 'Send a test').press('Enter');
    await page.getByText('The test is on its way.').waitFor();
    const [hook] = await pages.test.service.webhooks.list();
    assert.ok(hook);
    assert.deepEqual(hook.actions, ['signIn.password', 'account.*']);
    await deliver(hook);
    await page.getByText('Accepted (204)').waitFor();
    assert.equal(await page.getByText('Never tried').count(), 0);
    const [event] = receiver.take();
    assert.ok(event);
    new Verifier(secret).verify(event.body, event.headers);
    await context.close();
  });

  it('show why a delivery failed, and deliver it again', async () => {
    receiver.answer((response) => response.writeHead(500).end());
    const hook = await create();
    await post('SendTest', { id: hook.id });
    await deliver(hook);
    const { context, page } = await open();
    await page.getByText(/^Failing since /).waitFor();
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByText('The receiver answered 500.').waitFor();
    await page.getByText('Failed, will be tried again').waitFor();
    receiver.answer((response) => response.writeHead(204).end());
    await button(page, 'Deliver again: Test').click();
    await page.getByText('The event is on its way again').waitFor();
    await deliver(hook);
    await page.getByText('Accepted (204)').waitFor();
    await page.getByText('Enabled', { exact: true }).waitFor();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(ids, [ids[0], ids[0]]);
    await context.close();
  });

  it('change, disable, enable and delete a webhook, and keep what another administrator changes meanwhile', async () => {
    const { id } = await create();
    const { context, page } = await open(`/app/webhooks/${id}`);
    await button(page, 'Edit').click();
    await page.getByLabel('Description').waitFor();
    await untilAttentive(page);
    await page.getByLabel('Description').focus();
    const body = { id, actions: ['account.deleted'], description: 'Market' };
    const other = await pages.test.send('PUT', `${API}/Update`, { token: await pages.test.admin(), body });
    assert.equal(other.status, 200, other.text);
    await page.locator('main').getByText('account.deleted').waitFor();
    await page.locator('h1').getByText('Market').waitFor();
    await untilAttentive(page);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Stock');
    await button(page, 'Save').click();
    await page.getByText('Stock was saved.').waitFor();
    await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor();
    await button(page, 'Disable').click();
    await page.getByText('Stock is disabled, and gets no new events.').waitFor();
    await button(page, 'Send a test').waitFor({ state: 'hidden' });
    await button(page, 'Enable').click();
    await page.getByText('Stock is enabled.').waitFor();
    const [hook] = await pages.test.service.webhooks.list();
    assert.deepEqual([hook?.description, hook?.isEnabled, hook?.actions], ['Stock', true, ['account.deleted']]);
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Stock was deleted.').waitFor();
    await page.getByText('There are no webhooks yet.').waitFor();
    await context.close();
  });

  it('replace a secret: both sign for a day, and the page says so', async () => {
    const hook = await create();
    const { context, page } = await open(`/app/webhooks/${hook.id}`);
    await button(page, 'Replace the secret').click();
    await page.getByText('For 24 hours the present one also signs').waitFor();
    await dialog(page).getByRole('button', { name: 'Replace', exact: true }).click();
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    await page.getByText('the former one also signs for 24 hours').waitFor();
    await button(page, 'Done').click();
    await post('SendTest', { id: hook.id });
    await deliver(hook);
    const [event] = receiver.take();
    assert.ok(event && secret !== hook.secret);
    for (const one of [hook.secret, secret]) new Verifier(one).verify(event.body, event.headers);
    await context.close();
  });

  itAtLength('say why the service has disabled a webhook', async () => {
    receiver.answer((response) => response.writeHead(410).end());
    const gone = await create();
    await post('SendTest', { id: gone.id });
    await deliver(gone);
    const { context, page } = await open('/app');
    await page.getByText('The service has disabled a webhook').waitFor();
    await page.getByRole('link', { name: 'Open the webhooks' }).click();
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByText('Disabled: the receiver wants no more events').first().waitFor();
    await page.getByText('The receiver answered 410. Enable the webhook').waitFor();
    await button(page, 'Enable').click();
    await page.getByText('Shop is enabled.').waitFor();
    assert.equal(await page.getByText('Disabled: the receiver').count(), 0);
    await context.close();
  });

  itAtLength('say that a webhook gets no new events while too many wait', async () => {
    const { id } = await create();
    const { database, webhooks } = pages.test.service;
    const fullSince = pages.test.clock.now();
    await database.transaction(async (tx) => {
      await tx.announce('webhooks');
      await tx.sql.updateTable('webhook').set({ full_since: fullSince }).where('id', '=', id).execute();
    });
    const { context, page } = await open();
    await page.getByText(/^Gets no new events since /).waitFor();
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByText('More than 100,000 events wait for this webhook').waitFor();
    await webhooks.measureBacklogs();
    await page.getByText('Never tried').waitFor();
    await context.close();
  });

  it('say beside the field which address or event is not accepted', async () => {
    const { context, page } = await open();
    await button(page, 'Create a webhook').click();
    await page.getByLabel('Address').fill('https://10.0.0.1/events');
    await page.getByRole('combobox', { name: 'Events' }).fill('signIn.nothing');
    await button(page, 'Create').click();
    await page.getByText('This host is not on the public internet.').waitFor();
    await page.locator('input[name=url][aria-invalid=true]').waitFor();
    await page.getByLabel('Address').fill(receiver.url);
    await button(page, 'Create').click();
    await page.getByText('No event is named "signIn.nothing".').waitFor();
    await context.close();
  });

  itAtLength('speak German', async () => {
    const hook = await create({ url: 'http://127.0.0.1:9/events', actions: ['signIn.*'] });
    await post('SendTest', { id: hook.id });
    await deliver(hook);
    const { context, page } = await open('/app', { locale: 'de-DE' });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('Alle aus: Anmeldung').waitFor();
    await page.getByText(/^Fehler seit /).waitFor();
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByText('Der Empfänger ist nicht erreichbar. (ECONNREFUSED)').first().waitFor();
    assert.equal(await page.getByRole('cell', { name: /^\d+ ms$/ }).count(), 0);
    await context.close();
  });

  it('are closed to people without the permission', async () => {
    await pages.test.createUser('plain');
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app', 'plain', USER_PASSWORD);
    assert.equal(await page.getByRole('link', { name: 'Webhooks' }).count(), 0);
    await page.goto('/app/webhooks');
    await page.getByText('You do not have permission to open this page.').waitFor();
    await context.close();
  });

  itAtLength('are accessible: the list, the form with its events, and one webhook', async () => {
    receiver.answer((response) => response.writeHead(500).end());
    const hook = await create();
    await post('SendTest', { id: hook.id });
    await deliver(hook);
    await assertAccessibleEverywhere(
      pages,
      async (page) => {
        await openSignedIn(page, '/app/webhooks');
        await page.getByText(/^Failing since /).waitFor();
      },
      async (page) => {
        await openSignedIn(page, '/app/webhooks');
        await button(page, 'Create a webhook').click();
        await button(page, 'Create').click();
        await page.getByText('Choose at least one event.').waitFor();
        await page.getByRole('combobox', { name: 'Events' }).fill('sign');
        await page.getByRole('option', { name: 'All of: Sign-in signIn.*' }).waitFor();
      },
      async (page) => {
        await openSignedIn(page, `/app/webhooks/${hook.id}`);
        await page.getByText('The receiver answered 500.').waitFor();
      },
    );
  });
});
