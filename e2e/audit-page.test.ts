// The page "Audit trail" in a real browser: sentences, filters in the address, details, live entries and exports.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { fillTrail } from '../server/test/support/audit.ts';
import { itAtLength } from '../server/test/support/scale.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  hold,
  openSignedIn,
  type Pages,
  startPages,
  tabTo,
  untilAttentive,
  waitForValue,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const UPDATE = '/api/services/app/User/Update';

describe('the audit trail', () => {
  let pages: Pages;
  let thandi: number;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    const { test } = pages;
    thandi = await test.createUser('thandi', { name: 'Thandi', surname: 'Mbeki', emailAddress: 'thandi@example.org' });
    const wrong = { userNameOrEmailAddress: 'thandi', password: 'not it' };
    for (let count = 0; count < 6; count += 1) await test.post(AUTHENTICATE, { body: wrong });
    await test.post(AUTHENTICATE, { body: { ...wrong, userNameOrEmailAddress: 'nobody' } });
    const body = { id: thandi, emailAddress: 'new@example.com', roleNames: ['UserManager'] };
    await test.send('PUT', UPDATE, { token: await test.admin(), body });
    await test.set('Latchkey.Tokens', { accessTokenLifetime: 3600 });
  });
  after(() => pages.close());

  async function openAt(path: string, options: Parameters<Pages['open']>[0] = {}) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await openSignedIn(page, `/app${path}`);
    return { context, page };
  }
  const entries = (page: Page) => page.getByRole('table', { name: 'Audit trail' }).getByRole('row');
  const sentence = (page: Page, text: string) => page.getByRole('button', { name: text });

  it('tells what happened in sentences, and the codes on demand', async () => {
    const { context, page } = await openAt('/audit');
    await sentence(page, 'Signed in with a password').first().waitFor();
    await sentence(page, 'Sign-in with a password Refused: user locked').first().waitFor();
    await sentence(page, 'Sign-in with a password Refused: unknown name').waitFor();
    await sentence(page, 'Setting changed Tokens and sessions').waitFor();
    assert.equal(await page.getByText('signIn.').count(), 0);
    await page.getByText(/^Times: .+/).waitFor();
    await sentence(page, 'user locked').first().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Sign-in with a password' });
    await dialog.getByText('signIn.password', { exact: true }).waitFor();
    await dialog.getByText('signIn.lockedOut', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await sentence(page, 'user locked').first().and(page.locator(':focus')).waitFor();
    await context.close();
  });

  it('says of a message that no gateway sends that it is in the outbox', async () => {
    const { test } = pages;
    await test.createUser('sipho', { emailAddress: 'sipho@example.org', isEmailConfirmed: true });
    await test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: 'sipho' } });
    await test.deliver();
    const { context, page } = await openAt('/audit?action=message.sent');
    await sentence(page, 'Message put in the outbox').first().click();
    const dialog = page.getByRole('dialog', { name: 'Message put in the outbox' });
    await dialog.getByText('Outbox', { exact: true }).waitFor();
    await dialog.getByText('s***@***.org', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await entries(page).filter({ hasText: /sent/i }).count(), 0);
    await context.close();
  });

  it('shows old and new values of accounts and settings, and who changed them', async () => {
    const { context, page } = await openAt('/audit');
    await sentence(page, 'User changed').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Before: t***@***.org').waitFor();
    await dialog.getByText('After: n***@***.com').waitFor();
    await dialog.getByText('After: UserManager').waitFor();
    await assertAccessible(page);
    await dialog.getByRole('link', { name: 'admin' }).waitFor();
    await dialog.getByText('As JSON').click();
    await dialog.getByText('"action": "account.updated"').waitFor();
    await page.keyboard.press('Escape');
    await sentence(page, 'Setting changed Tokens and sessions').click();
    await dialog.getByText('Before: 1 day').waitFor();
    await dialog.getByText('After: 1 hour').waitFor();
    await context.close();
  });

  it('leads to a user, and from the page of a user back to the entries', async () => {
    const { context, page } = await openAt('/audit?action=account.updated');
    await page.getByRole('link', { name: 'thandi' }).click();
    await page.getByRole('heading', { name: 'Thandi Mbeki' }).waitFor();
    await page.getByRole('link', { name: 'Everything in the audit trail' }).click();
    await page.waitForURL(`**/audit?userId=${thandi}`);
    await sentence(page, 'User changed').waitFor();
    await waitForValue(page.getByRole('combobox', { name: 'User', exact: true }), 'Thandi Mbeki (thandi)');
    assert.equal(await sentence(page, 'Setting changed').count(), 0);
    await context.close();
  });

  it('filters by pickers, keeps them in the address, and begins at the first page', async () => {
    const { context, page } = await openAt('/audit?page=9');
    const pick = async (picker: string, option: string) => {
      await page.getByRole('combobox', { name: picker, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
      await page.keyboard.press('Escape');
    };
    await pick('Event', 'Sign-in with a password');
    await page.waitForURL('**/audit?action=signIn.password');
    await page.getByRole('combobox', { name: 'User', exact: true }).fill('mbek');
    // Once the service has searched, she is the only one. Before, her place in the list may change.
    await page.getByRole('option', { name: 'Thandi Mbeki (thandi)' }).and(page.locator(':only-child')).click();
    await page.waitForURL(`**/audit?action=signIn.password&userId=${thandi}`);
    await pick('Outcome', 'Refused');
    await pick('Reason', 'user locked');
    await pick('Front end', 'Default UI');
    await pick('Time', 'Last 24 hours');
    await page.waitForURL(/range=24h/);
    // Until the service has answered, the table has the entries of the filters before.
    await page.locator('table[aria-busy=false]').waitFor();
    await sentence(page, 'Sign-in with a password Refused: user locked').first().waitFor();
    assert.equal(
      await entries(page).count(),
      2 + 1,
      'the fifth failure locks, so that two of six are refused by the lock',
    );
    await page.reload();
    await sentence(page, 'Sign-in with a password Refused: user locked').first().waitFor();
    await page.getByLabel('IP address', { exact: true }).fill('192.0.2.99');
    await page.getByText('No entries match these filters.').waitFor();
    await page.waitForURL(/ipAddress=192\.0\.2\.99/);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL('**/audit');
    await sentence(page, 'Setting changed').first().waitFor();
    await page.goBack();
    await page.waitForURL(/ipAddress=192\.0\.2\.99/);
    await context.close();
  });

  itAtLength('does not apply what was typed before the filters were cleared, or before a step back', async () => {
    const clear = (page: Page) => page.getByRole('button', { name: 'Clear filters' }).click();
    const goBack = (page: Page) => page.evaluate('history.back()');
    for (const [query, leave] of [
      ['?ipAddress=192.0.2.99', clear],
      // The field has no text in force, before and after.
      ['', clear],
      ['', goBack],
    ] as const) {
      const { context, page } = await openAt(`/audit${query}`);
      const field = page.getByLabel('IP address', { exact: true });
      await waitForValue(field, new URLSearchParams(query).get('ipAddress') ?? '');
      await page.getByRole('combobox', { name: 'Outcome', exact: true }).click();
      await page.getByRole('option', { name: 'Refused', exact: true }).click();
      await page.waitForURL(/outcome=refused/);
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await field.fill('192.0.2.9');
      await leave(page);
      await page.waitForURL('**/audit');
      // What draws the page needs timers too. A typed text settles later.
      await page.clock.runFor(200);
      await waitForValue(field, '');
      await page.clock.runFor(1000);
      await page.clock.resume();
      await untilAttentive(page);
      assert.equal(new URL(page.url()).search, '');
      await context.close();
    }
  });

  it('asks the service for no longer part of a name than it searches for', async () => {
    const { context, page } = await openAt('/audit');
    const answer = page.waitForResponse(/User\/GetAll\?.*xxx/);
    await page.getByRole('combobox', { name: 'User', exact: true }).fill('x'.repeat(101));
    assert.equal((await answer).status(), 200);
    await page.getByText('No such user', { exact: true }).waitFor();
    await context.close();
  });

  itAtLength('leaves out the event of an entry, until its filter is removed', async () => {
    const { context, page } = await openAt('/audit');
    await sentence(page, 'User created').first().click();
    await page.getByRole('button', { name: 'Without this event' }).click();
    await page.waitForURL('**/audit?exceptAction=account.created');
    await sentence(page, 'User created').first().waitFor({ state: 'detached' });
    await sentence(page, 'Setting changed').first().click();
    await page.getByRole('button', { name: 'Without this event' }).click();
    await page.waitForURL((url) => url.searchParams.get('exceptAction') === 'account.created,setting.changed');
    await sentence(page, 'Setting changed').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove the filter Without: Creation of a user' }).click();
    await page.waitForURL('**/audit?exceptAction=setting.changed');
    await sentence(page, 'User created').first().waitFor();
    await context.close();
  });

  itAtLength('narrows from an entry, and by days of a calendar, by keyboard', async () => {
    const { context, page } = await openAt('/audit');
    await sentence(page, 'unknown name').press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Only this reason' }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/audit?reason=signIn.invalidCredentials');
    await page.getByRole('combobox', { name: 'Time', exact: true }).press('Enter');
    await page.getByRole('option', { name: 'Choose days' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Choose days' });
    await dialog.getByRole('button', { name: 'Previous month' }).press('Enter');
    const days = dialog.getByRole('table').getByRole('button');
    await days.filter({ hasText: /^10$/ }).press('Enter');
    await days.filter({ hasText: /^12$/ }).press('Enter');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Show these days' }).press('Enter');
    await page.waitForURL(/from=\d{4}-\d\d-10&to=\d{4}-\d\d-12/);
    await page.getByText('No entries match these filters.').waitFor();
    await context.close();
  });

  it('shows new entries while it is live', async () => {
    const { context, page } = await openAt('/audit?action=account.created&to=2020-01-01&live=1');
    const live = page.getByRole('switch', { name: 'Live' });
    await live.waitFor();
    assert.equal(await live.isChecked(), false, 'new entries are no entries until then');
    // New entries are those after the first answer.
    const following = page.waitForResponse(/GetNew/);
    await live.click();
    await page.waitForURL('**/audit?action=account.created&live=1');
    await sentence(page, 'User created').first().waitFor();
    await following;
    await pages.test.createUser('nomsa');
    await page.getByRole('row').filter({ hasText: 'nomsa' }).waitFor();
    await page.getByText('1 new entry').waitFor();
    assert.equal(await entries(page).filter({ hasText: 'nomsa' }).count(), 1);
    const reading = await hold(page, /Audit\/GetAll/);
    await page.getByRole('switch', { name: 'Live' }).click();
    await page.waitForURL('**/audit?action=account.created');
    await reading.arrive();
    const added = entries(page).filter({ hasText: 'nomsa' });
    assert.equal(await added.count(), 1, 'it stays while the list is read');
    const answer = page.waitForResponse(/Audit\/GetAll/);
    reading.release();
    await answer;
    await page.locator('table[aria-busy=false]').waitFor();
    assert.equal(await added.count(), 1, 'the list has it');
    const polls: string[] = [];
    page.on('request', (request) => void (request.url().includes('GetNew') && polls.push(request.url())));
    await page.clock.install();
    await page.clock.runFor(20_000);
    assert.deepEqual(polls, [], 'it polls only while it is live');
    await context.close();
  });

  itAtLength('keeps its new entries after the way back from being live', async () => {
    const { context, page } = await openAt('/audit');
    const following = page.waitForResponse(/GetNew/);
    await page.getByRole('switch', { name: 'Live' }).click();
    await following;
    await pages.test.createUser('palesa');
    await entries(page).filter({ hasText: 'palesa' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/audit');
    await page.getByText('1 new entry').waitFor({ state: 'detached' });
    await entries(page).filter({ hasText: 'palesa' }).waitFor();
    await context.close();
  });

  itAtLength('pauses while its tab is in the background', async () => {
    const { context, page } = await openAt('/audit?live=1');
    await page.getByRole('switch', { name: 'Live' }).waitFor();
    await page.waitForResponse(/GetNew/);
    let polls = 0;
    page.on('request', (request) => {
      if (request.url().includes('GetNew')) polls += 1;
    });
    const setVisibility = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await setVisibility('hidden');
    await page.waitForTimeout(500);
    polls = 0;
    await page.waitForTimeout(7000);
    assert.equal(polls, 0);
    await setVisibility('visible');
    await page.waitForResponse(/GetNew/);
    await context.close();
  });

  it('exports what the filters match, without a token in an address', async () => {
    const { context, page } = await openAt('/audit?action=account.created');
    await page.evaluate('delete globalThis.showSaveFilePicker');
    const addresses: string[] = [];
    page.on('request', (request) => void addresses.push(request.url()));
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'As JSON lines, for programs' }).click();
    const file = await downloading;
    assert.equal(file.suggestedFilename(), 'audit-trail.jsonl');
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    assert.ok(lines.length >= 1);
    assert.ok(lines.every((line) => JSON.parse(line).action === 'account.created'));
    await page.getByText(/^\d+ entr(y was|ies were) exported\.$/).waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).and(page.locator(':focus')).waitFor();
    assert.ok(addresses.some((address) => address.includes('/Audit/Export?format=jsonl&action=account.created')));
    assert.ok(addresses.every((address) => !/token|eyJ/i.test(address.replace('TokenAuth', ''))));
    await page.goto('/app/audit?action=audit.exported');
    await sentence(page, 'Audit trail exported').click();
    await page.getByRole('dialog').getByText('Event: Creation of a user').waitFor();
    await context.close();
  });

  itAtLength(
    'streams an export to a file that the user chooses, and removes what was written when it is cancelled',
    async () => {
      const { database } = pages.test.service;
      await fillTrail(database, 60_000, { at: pages.test.clock.now(), action: 'test.long' });
      const { context, page } = await openAt('/audit?action=test.long');
      await page.getByText('More than 10,000 entries').waitFor();
      // Stands in for the dialog of the browser. The file takes nothing after its first pieces.
      await page.evaluate(`
      globalThis.written = { bytes: 0, end: '' };
      globalThis.showSaveFilePicker = async () => ({ createWritable: async () => ({
        write: async (piece) => { written.bytes += piece.length; if (written.bytes > 100000) await new Promise((go) => { globalThis.go = go; }); },
        close: async () => { written.end = 'closed'; },
        abort: async () => { written.end = 'aborted'; },
      }) });
    `);
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: 'As CSV, for spreadsheets' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export the audit trail' });
      await dialog.getByText(/^[\d,]+ entries so far$/).waitFor();
      await assertAccessible(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByText('The export was cancelled.').waitFor();
      await page.evaluate('globalThis.go?.()');
      for (let polls = 0; (await page.evaluate('written.end')) === '' && polls < 100; polls += 1) {
        await page.waitForTimeout(50);
      }
      assert.equal(await page.evaluate('written.end'), 'aborted');
      await context.close();
    },
  );

  it('says why an export was refused, and that it is not complete', async () => {
    const { context, page } = await openAt('/audit');
    await page.evaluate('delete globalThis.showSaveFilePicker');
    const error = { reason: 'test.refused', message: 'No.', details: 'You may not export.' };
    await page.route('**/Audit/Export?*', (route) => route.fulfill({ status: 403, json: { success: false, error } }));
    const choose = async () => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: 'As CSV, for spreadsheets' }).click();
    };
    await choose();
    await page.getByRole('alert').getByText('You may not export.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.unroute('**/Audit/Export?*');
    await page.route('**/Audit/Export?*', (route) => route.abort('connectionreset'));
    await choose();
    await page.getByRole('alert').getByText('before the file was complete').waitFor();
    await context.close();
  });

  itAtLength('is a list of cards on a phone, with the filters behind a button', async () => {
    const { context, page } = await openAt('/audit', { width: 390 });
    const cards = page.getByRole('list', { name: 'Audit trail' }).getByRole('listitem');
    await cards.filter({ hasText: 'Signed in with a password' }).first().waitFor();
    assert.equal(await page.getByRole('table').count(), 0);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('combobox', { name: 'Outcome', exact: true }).click();
    await page.getByRole('option', { name: 'Refused' }).click();
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    await cards.filter({ hasText: 'Refused: user locked' }).first().waitFor();
    assert.equal(await cards.filter({ hasText: 'Signed in with a password' }).count(), 0);
    await context.close();
  });

  itAtLength('is accessible, with its filters and an entry open', () =>
    assertAccessibleEverywhere(pages, async (page) => {
      await openSignedIn(page, `/app/audit?userId=${thandi}&outcome=refused`);
      await sentence(page, 'Refused: user locked').first().waitFor();
      const filters = page.getByRole('button', { name: 'Filters (2)' });
      if (await filters.isVisible()) await filters.click();
      await assertAccessible(page);
      await sentence(page, 'Refused: user locked').first().click();
      await page.getByRole('dialog').waitFor();
    }),
  );
});
