// Many users at once, in a real browser: actions on several accounts, import, export and invitations.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Download, Locator, Page } from 'playwright-core';
import { itAtLength } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  hold,
  letFail,
  openSignedIn,
  type Pages,
  startPages,
  tabTo,
  untilAttentive,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const FIRST_PASSWORD = 'quarry velvet thimble';

const CSV = [
  'Login;Vorname;Nachname;E-Mail;Rollen;accountEnabled;TenantId;Shoe size',
  'csv-1;Ayşe;"Öz; Doğan"; csv-1@example.org ;Clerk, Nurse;yes;;43',
  "csv-2;'=1+1;Zwei;csv-2@example.org;NULL;False;NULL;44",
  'csv-3;Drei;;not an address;;;;',
  'CSV-1;Twin;;;;;;',
  'csv-4;Vier;;;;;3;',
  'csv-5;Fünf;;;UserManager;WAHR;\\N;',
  'csv-6;Sechs;;;Ghost;t;;',
].join('\r\n');

/** Whether the browser asks before it leaves the page. */
const isHeld = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";

describe('many users at once', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  async function openAt(path: string, options: { width?: number; name?: string } = {}) {
    const { name = 'admin', ...look } = options;
    const context = await pages.open(look);
    const page = await context.newPage();
    await openSignedIn(page, `/app${path}`, name, name === 'admin' ? ADMIN_PASSWORD : USER_PASSWORD);
    return { context, page };
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
  const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });

  async function choose(page: Page, action: string) {
    await button(page, 'Choose an action').click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
    await page.getByRole('dialog').waitFor();
  }

  async function find(userName: string) {
    const query = { keyword: userName, sorting: 'userName' };
    const { result } = await pages.test.get('/api/services/app/User/GetAll', {
      token: await pages.test.admin(),
      query,
    });
    return result.items.find((user) => user.userName === userName);
  }

  const upload = (page: Page, name: string, content: string | Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

  async function readDownload(download: Download) {
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  }

  it('are changed together, and who was refused is told and tried again', async () => {
    for (const name of ['bulk-1', 'bulk-2', 'bulk-3'])
      await pages.test.createUser(name, { emailAddress: `${name}@x.org` });
    const { context, page } = await openAt('/users');
    for (const name of ['admin', 'bulk-1', 'bulk-2']) await select(page, name).check();
    await page.getByText('3 users selected').waitFor();
    await choose(page, 'Deactivate');
    await page.getByText('Your own account is selected. It comes last.').waitFor();
    await inDialog(page, 'Cancel').click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal((await find('bulk-1'))?.isActive, true);

    await choose(page, 'Deactivate');
    await inDialog(page, 'Deactivate').click();
    await page.getByText('2 users deactivated.').waitFor();
    await page.getByText('1 user refused.').waitFor();
    await page.getByText('admin: Ask another administrator to deactivate or delete your own account.').waitFor();
    assert.deepEqual([(await find('bulk-1'))?.isActive, (await find('bulk-2'))?.isActive], [false, false]);
    await inDialog(page, 'Try 1 user again').click();
    await page.getByText('admin: Ask another administrator').waitFor();
    await page.getByText('2 users deactivated.').waitFor();
    await inDialog(page, 'Undo').click();
    await page.getByText('Undone for 2 users.').waitFor();
    assert.deepEqual([(await find('bulk-1'))?.isActive, (await find('bulk-2'))?.isActive], [true, true]);
    assert.equal(await page.getByText('users selected').count(), 0);
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
    await context.close();
  });

  itAtLength('are told one by one also when the list cannot be read again', async () => {
    await pages.test.createUser('unread-1');
    const { context, page } = await openAt('/users?keyword=unread-');
    await select(page, 'unread-1').check();
    await choose(page, 'Deactivate');
    await letFail(page, '**/User/GetAll?*');
    await inDialog(page, 'Deactivate').click();
    await page.getByRole('alert', { includeHidden: true }).getByText('This failed.').waitFor();
    await page.getByText('1 user deactivated.').waitFor();
    await inDialog(page, 'Undo').click();
    await page.getByText('Undone for 1 user.').waitFor();
    await context.close();
  });

  itAtLength(
    'are changed as they are now, not as the list has them, and undone only where the action changed something',
    async () => {
      const token = await pages.test.admin();
      const change = (call: string, userId: number) =>
        pages.test.post(`/api/services/app/User/${call}`, { token, body: { userId } });
      const [revived, ended] = [await pages.test.createUser('stale-1'), await pages.test.createUser('stale-2')];
      await change('InactivateUser', revived);
      const { context, page } = await openAt('/users?keyword=stale-');
      // "Back" would leave this filter, and must not take the dialog away while it works.
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByLabel('Never signed in').check();
      await page.getByRole('button', { name: /^Remove the filter/ }).click();
      for (const name of ['stale-1', 'stale-2']) await select(page, name).check();
      await change('ActivateUser', revived);
      await change('InactivateUser', ended);
      await choose(page, 'Deactivate');
      const held = await hold(page, '**/User/InactivateUser');
      await inDialog(page, 'Deactivate').click();
      await held.arrive();
      await page.evaluate('history.back()');
      await inDialog(page, 'Stop').waitFor();
      held.release();
      await page.getByText('1 user deactivated.').waitFor();
      await inDialog(page, 'Undo').click();
      await page.getByText('Undone for 1 user.').waitFor();
      assert.deepEqual([(await find('stale-1'))?.isActive, (await find('stale-2'))?.isActive], [true, false]);
      await context.close();
    },
  );

  itAtLength('are named where an undo is refused, and nothing leaves the page while it goes on', async () => {
    const token = await pages.test.admin();
    await pages.test.createUser('back-1');
    const gone = await pages.test.createUser('back-2');
    const { context, page } = await openAt('/users?keyword=back-');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Never signed in').check();
    await page.getByRole('button', { name: /^Remove the filter/ }).click();
    for (const name of ['back-1', 'back-2']) await select(page, name).check();
    await choose(page, 'Deactivate');
    await inDialog(page, 'Deactivate').click();
    await page.getByText('2 users deactivated.').waitFor();
    await pages.test.send('DELETE', '/api/services/app/User/Delete', { token, query: { id: gone } });
    const held = await hold(page, '**/User/ActivateUser');
    await inDialog(page, 'Undo').click();
    await held.arrive();
    await page.evaluate('history.back()');
    await inDialog(page, 'Stop').waitFor();
    assert.equal(await page.evaluate(isHeld), true, 'the browser asks before it leaves');
    await page.keyboard.press('Escape');
    await page.unroute('**/User/ActivateUser');
    held.release();
    await page.getByText('Undone for 1 user.').waitFor();
    await page.getByText('1 user refused.').waitFor();
    await page.getByText(/^back-2: There is no such account/).waitFor();
    assert.equal(await inDialog(page, 'Undo').count(), 0);
    await inDialog(page, 'Try 1 user again').click();
    await page.getByText(/^back-2: There is no such account/).waitFor();
    await page.getByText('Undone for 1 user.').waitFor();
    await inDialog(page, 'Close').last().click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal((await find('back-1'))?.isActive, true);
    await context.close();
  });

  it('are never changed unseen: a search ends the selection, stale rows cannot be chosen, the question names them', async () => {
    for (let count = 0; count < 7; count += 1) await pages.test.createUser(`seen-${count}`, { name: 'Seen' });
    const { context, page } = await openAt('/users?keyword=seen-');
    await select(page, 'seen-0').waitFor();
    const held = await hold(page, '**/User/GetAll?*');
    const isFree = (row: Locator) => row.evaluate((element) => element.closest('[inert]') === null);
    const selectAll = page.getByRole('checkbox', { name: 'Select all on this page' });
    await selectAll.check();
    await choose(page, 'Deactivate');
    const question = page.getByRole('dialog');
    const named = question.getByText(/^seen-\d Seen$/);
    assert.equal(await named.filter({ visible: true }).count(), 5);
    await question.getByText('and 2 more').click();
    await named.nth(6).waitFor();
    await assertAccessible(page);
    await inDialog(page, 'Cancel').click();
    await question.waitFor({ state: 'hidden' });

    await button(page, 'User name').click();
    await held.arrive();
    assert.equal(await isFree(select(page, 'seen-0')), false);
    assert.equal(await selectAll.isDisabled(), true);
    held.release();
    await page.locator('tbody tr:first-child', { hasText: 'seen-6' }).waitFor();
    await page.getByText('7 users selected').waitFor();

    await page.getByLabel('Search').fill('admin');
    await held.arrive();
    assert.equal(await isFree(select(page, 'seen-0')), false);
    assert.equal(await page.getByText('users selected').count(), 0);
    held.release();
    await select(page, 'admin').check();
    await page.getByText('1 user selected').waitFor();
    await context.close();
  });

  itAtLength('are not selected by an answer to a former search', async () => {
    for (let count = 0; count < 26; count += 1) await pages.test.createUser(`late-${count}`);
    const { context, page } = await openAt('/users?keyword=late-');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const held = await hold(
      page,
      (url) => /GetAll/.test(url.pathname) && url.searchParams.get('maxResultCount') === '100',
    );
    await button(page, 'Select all 26 users found').click();
    await held.arrive();
    await page.getByLabel('Search').fill('admin');
    await select(page, 'admin').check();
    held.release();
    await page.waitForLoadState('networkidle');
    await page.getByText('1 user selected').waitFor();
    await page.getByLabel('Search').fill('late-');
    await button(page, 'Next page').click();
    await select(page, 'late-9').check();
    await button(page, 'Previous page').click();
    await page.getByText('1 user selected (1 on other pages)').waitFor();
    await context.close();
  });

  itAtLength('are selected over several pages, and by keyboard', async () => {
    for (let count = 0; count < 30; count += 1) await pages.test.createUser(`many-${String(count).padStart(2, '0')}`);
    const token = await pages.test.signIn('many-29');
    const { context, page } = await openAt('/users?keyword=many-');
    await tabTo(page, page.getByRole('checkbox', { name: 'Select all on this page' }));
    await page.keyboard.press('Space');
    await page.getByText('25 users selected').waitFor();
    await tabTo(page, button(page, 'Select all 30 users found'));
    await page.keyboard.press('Enter');
    await page.getByText('30 users selected').waitFor();
    await tabTo(page, button(page, 'Choose an action'));
    await page.keyboard.press('Enter');
    await page.locator('[role=menu]:focus-within', { hasText: 'Activate' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('[role=menuitem]:focus', { hasText: 'Send invitation' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('[role=menuitem]:focus', { hasText: 'Require password change' }).waitFor();
    await page.keyboard.press('Enter');
    await tabTo(page, inDialog(page, 'Require password change'));
    await page.keyboard.press('Enter');
    await page.getByText('30 users must change the password.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal((await pages.test.get('/api/services/app/Session/GetAll', { token })).status, 403);
    assert.equal((await find('many-00'))?.requireChangePassword, true);
    assert.equal((await find('many-29'))?.requireChangePassword, true);
    await context.close();
  });

  it('stay selected with another number of rows', async () => {
    for (let count = 10; count < 36; count += 1) await pages.test.createUser(`wide-${count}`);
    const { context, page } = await openAt('/users?keyword=wide-');
    for (const name of ['wide-10', 'wide-11']) await select(page, name).check();
    await page.getByText('2 users selected').waitFor();
    await page.getByLabel('Rows on a page').selectOption('50');
    await page.waitForURL('**/users?*size=50*');
    await select(page, 'wide-35').waitFor();
    await page.getByText('2 users selected').waitFor();
    assert.equal(await select(page, 'wide-11').isChecked(), true);
    await context.close();
  });

  itAtLength('are selected in ranges with the Shift key, by mouse and by keyboard', async () => {
    for (let count = 0; count < 8; count += 1) await pages.test.createUser(`range-${count}`);
    const { context, page } = await openAt('/users?keyword=range-');
    const chosen = async () => {
      const boxes = await page.getByRole('checkbox', { name: /^Select range-/, checked: true }).all();
      return (await Promise.all(boxes.map((box) => box.getAttribute('aria-label'))))
        .map((label) => label?.at(-1))
        .join('');
    };
    await select(page, 'range-5').click();
    await select(page, 'range-2').click({ modifiers: ['Shift'] });
    await page.getByText('4 users selected').waitFor();
    assert.equal(await chosen(), '2345');
    assert.equal(await page.evaluate('getSelection().toString()'), '');
    await select(page, 'range-3').click();
    await select(page, 'range-4').focus();
    await page.keyboard.press('Shift+Space');
    await page.getByText('2 users selected').waitFor();
    assert.equal(await chosen(), '25');
    await select(page, 'range-7').focus();
    await page.keyboard.press('Shift+Space');
    await page.getByText('5 users selected').waitFor();
    assert.equal(await chosen(), '24567');
    await context.close();
  });

  it('of more permissions are refused to a user manager, like one by one', async () => {
    await pages.test.createUser('bulk-manager', { roleNames: ['UserManager'] });
    await pages.test.createUser('bulk-plain');
    const tokens = [await pages.test.admin(), await pages.test.signIn('bulk-plain')];
    const { context, page } = await openAt('/users', { name: 'bulk-manager' });
    for (const name of ['admin', 'bulk-plain']) await select(page, name).check();
    await choose(page, 'Sign out everywhere');
    await inDialog(page, 'Sign out everywhere').click();
    await page.getByText('1 user signed out.').waitFor();
    await page.getByText('admin: You do not have permission to do this.').waitFor();
    assert.equal(await inDialog(page, 'Undo').count(), 0);
    const answers = await Promise.all(
      tokens.map((token) => pages.test.get('/api/services/app/Session/GetAll', { token })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 401],
    );
    await context.close();
  });

  itAtLength('are sorted by the headings, and by a choice on a phone', async () => {
    await pages.test.createUser('sort-a', { surname: 'Zulu' });
    await pages.test.createUser('sort-b', { surname: 'Abel' });
    const { context, page } = await openAt('/users?keyword=sort-', { width: 1300 });
    await page.getByRole('columnheader', { name: 'Name', exact: true }).getByRole('button').click();
    await page.waitForURL('**sort=surname+asc');
    await page.locator('tbody tr:first-child', { hasText: 'sort-b' }).waitFor();
    assert.equal(
      await page.getByRole('columnheader', { name: 'Name', exact: true }).getAttribute('aria-sort'),
      'ascending',
    );
    await context.close();
    const phone = await openAt('/users?keyword=sort-', { width: 390 });
    await button(phone.page, 'Filter and sort').click();
    await phone.page.getByLabel('Sort by').selectOption('User name, descending');
    await phone.page.waitForURL('**sort=userName+desc');
    const names = phone.page.locator('main').getByRole('link', { name: /^(Abel|Zulu)$/ });
    await inDialog(phone.page, 'Close').last().click();
    await names.first().filter({ hasText: 'Abel' }).waitFor();
    assert.equal((await names.allTextContents()).join(), 'Abel,Zulu');
    await phone.context.close();
  });

  it('are imported from CSV: columns are guessed, the file is checked first, and a report tells each row', async () => {
    const { context, page } = await openAt('/users');
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await upload(page, 'staff.csv', Buffer.from('Benutzer;Name\r\nm\xfcller;x', 'latin1'));
    await page.getByText('müller').waitFor();
    await page.goto('/app/users/import');
    await upload(page, 'staff.csv', 'mail;name;mail\r\na@example.org;A;b@example.org');
    await page.getByText('More than one column has the name "mail".').waitFor();
    await upload(page, 'staff.csv', CSV);
    await page.getByText('7 rows found.').waitFor();
    const becomes = (column: string) => page.getByLabel(`What "${column}" becomes`).inputValue();
    assert.deepEqual(await Promise.all(['Login', 'Vorname', 'Nachname', 'E-Mail', 'Rollen'].map(becomes)), [
      'userName',
      'name',
      'surname',
      'emailAddress',
      'roleNames',
    ]);
    assert.deepEqual(await Promise.all(['accountEnabled', 'TenantId', 'Shoe size'].map(becomes)), [
      'isActive',
      'tenantId',
      '',
    ]);
    await page.getByLabel('What "Shoe size" becomes').selectOption('Last name');
    await page.getByText('Two columns are chosen for "Last name". Choose one.').waitFor();
    assert.equal(await button(page, 'Check the file').isDisabled(), true);
    await page.getByLabel('What "Shoe size" becomes').selectOption('Leave out');
    await button(page, 'Check the file').click();
    await page.getByText('4 users can be created.').waitFor();
    await page.getByText('2 rows refused.').waitFor();
    await page.getByText('The row belongs to a tenant.').waitFor();
    await page.getByText('E-mail address: This has characters or a form that is not accepted.').waitFor();
    await page.getByText('Row 2 has the same user name, e-mail address or mobile number.').waitFor();
    assert.equal(await find('csv-1'), undefined);
    // Without consent, only the user without a role is left.
    await button(page, 'Create 1 user').waitFor();
    await page.getByRole('checkbox', { name: 'Create 1 administrator: csv-5' }).waitFor();
    await assertAccessible(page);
    await page.getByRole('checkbox', { name: 'Add new roles: Clerk, Nurse, Ghost' }).check();
    await button(page, 'Create 3 users').click();
    await page.getByText('3 users created.').waitFor();
    await page.getByText('The account would be an administrator.').waitFor();
    assert.equal(await find('csv-5'), undefined);
    const first = await find('csv-1');
    assert.deepEqual([first?.name, first?.surname, first?.roleNames], ['Ayşe', 'Öz; Doğan', ['Clerk', 'Nurse']]);
    const second = await find('csv-2');
    assert.deepEqual([second?.name, second?.isActive], ['=1+1', false]);
    const downloading = page.waitForEvent('download');
    await button(page, 'Download the report').click();
    const { name, text } = await readDownload(await downloading);
    assert.equal(name, 'import-report.csv');
    const lines = text.replace('\ufeff', '').split('\r\n');
    assert.equal(lines[0], 'row,userName,outcome,userId,reason');
    assert.equal(lines[1], `2,csv-1,created,${first?.id},`);
    assert.match(lines[4] ?? '', /^5,CSV-1,refused,,"Another account has this user name/);
    await page.getByRole('link', { name: 'Show the users' }).click();
    await page.waitForURL('**/users?sort=creationTime+desc');
    await page.getByRole('link', { name: 'csv-2' }).waitFor();
    await context.close();
  });

  it('are imported from one page of several, with a note that there are more', async () => {
    const { context, page } = await openAt('/users/import');
    const note = page.getByText('This file is one page of several');
    const value = [{ id: '1', userPrincipalName: 'paged@example.org', mail: 'paged@example.org' }];
    await upload(page, 'users.json', JSON.stringify({ '@odata.nextLink': 'https://graph.microsoft.com/', value }));
    await page.getByText('1 row found.').waitFor();
    await note.waitFor();
    await button(page, 'Check the file').click();
    await page.getByText('1 user can be created.').waitFor();
    await note.waitFor();
    await button(page, 'Create 1 user').click();
    await page.getByText('1 user created.').waitFor();
    await note.waitFor();
    await context.close();
  });

  itAtLength('are imported until the end, unless the reader confirms to leave', async () => {
    const { context, page } = await openAt('/users');
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await upload(page, 'staff.csv', 'Login\r\nleft-1');
    await button(page, 'Check the file').click();
    await button(page, 'Create 1 user').waitFor();
    const held = await hold(page, '**/User/Import');
    await button(page, 'Create 1 user').click();
    await held.arrive();
    await untilAttentive(page);
    const question = page.getByRole('dialog', { name: 'Leave during the import?' });
    await page.evaluate('history.back()');
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate(isHeld), true, 'the browser asks before it leaves');
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await question.waitFor();
    held.release();
    await question.waitFor({ state: 'hidden' });
    await page.getByText('1 user created.').waitFor();
    await untilAttentive(page);
    assert.equal(await page.evaluate(isHeld), false);
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();

    // The report of a half-done import.
    await page.goto('/app/users/import');
    await upload(page, 'staff.csv', 'Login\r\nleft-2');
    await button(page, 'Check the file').click();
    await held.arrive();
    held.release();
    await button(page, 'Create 1 user').click();
    await held.arrive();
    await button(page, 'Stop').click();
    held.release();
    await page.getByText('1 user created.').waitFor();
    await untilAttentive(page);
    assert.equal(await page.evaluate(isHeld), true);
    assert.equal(await button(page, 'Choose another file').count(), 0, 'it would drop the report without a question');
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await question.getByText('Rows that were sent are still processed').waitFor();
    await question.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
    await context.close();
  });

  itAtLength('are imported from JSON lines in several calls, which can be stopped and continued', async () => {
    const { context, page } = await openAt('/users/import');
    const lines = Array.from({ length: 250 }, (_, index) => ({ userName: `json-${index}`, isDeleted: index === 7 }));
    const text = ['{"userName": broken', ...lines.map((line) => JSON.stringify(line))].join('\n');
    let calls = 0;
    await page.route('**/User/Import', async (route) => {
      calls += 1;
      if (calls === 2) return route.abort();
      return route.continue();
    });
    await upload(page, 'staff.jsonl', text);
    await button(page, 'Check the file').click();
    await page.getByText('The service cannot be reached.').waitFor();
    await button(page, 'Continue').click();
    await page.getByText('249 users can be created.').waitFor();
    await page.getByText('This is not a JSON object.').waitFor();
    await page.getByText('The row is marked as deleted.').waitFor();
    await button(page, 'Create 249 users').click();
    await page.getByText('249 users created.').waitFor();
    assert.ok(await find('json-249'));
    assert.equal(await find('json-7'), undefined);
    await context.close();
  });

  it('are exported as the list finds them', async () => {
    await pages.test.createUser('out-1', { name: '=1+1', roleNames: ['Clerk, Nurse'], mobileNumber: '+27827651111' });
    await pages.test.createUser('out-2', { isActive: false });
    const { context, page } = await openAt('/users?keyword=out-&filter=active');
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.evaluate('delete globalThis.showSaveFilePicker');
    for (const [item, format] of [
      ['As CSV, for spreadsheets', 'csv'],
      ['As JSON lines, for programs', 'jsonl'],
    ] as const) {
      const downloading = page.waitForEvent('download');
      await button(page, 'Export').click();
      await page.getByRole('menuitem', { name: item }).click();
      const { name, text } = await readDownload(await downloading);
      assert.equal(name, `users.${format}`);
      await page.getByText('1 user exported.').first().waitFor();
      assert.equal(text.trim().split('\n').length, format === 'csv' ? 2 : 1);
      assert.ok(text.includes(format === 'csv' ? `,'=1+1,` : '"name":"=1+1"'), text);
      assert.ok(text.includes(format === 'csv' ? '"Clerk, Nurse;"' : '["Clerk, Nurse"]'), text);
      assert.ok(!text.includes('out-2'));
    }
    await context.close();
  });

  it('include a new one who is invited, and sets the first password by the link', async () => {
    const { context, page } = await openAt('/users/new');
    await page.getByLabel('User name').fill('newcomer');
    await page.getByRole('radio', { name: 'Send a link to set a password' }).check();
    await page.getByText('It is valid for 30 minutes, works once, and verifies the address.').waitFor();
    await page.getByText('No mail server is configured.').waitFor();
    await button(page, 'Create and send the link').click();
    await page.locator('input[name=emailAddress][aria-invalid=true]').waitFor();
    await page.getByLabel('E-mail address', { exact: true }).fill('newcomer@example.org');
    const languages = page.getByLabel('Language of the e-mail');
    assert.deepEqual(await languages.getByRole('option').allTextContents(), ['English', 'German', 'French']);
    await languages.selectOption('German');
    await button(page, 'Create and send the link').click();
    await page
      .getByText('newcomer was created. No mail server is configured. The e-mail to newcomer is in the outbox.')
      .waitFor();
    await page.getByText(/^The user has no password yet\. A link to set one is valid until /).waitFor();
    assert.equal(await page.getByText('The e-mail address is not verified.').count(), 0);
    await button(page, 'Send again').click();
    await inDialog(page, 'Send invitation').click();
    await page
      .getByText('No mail server is configured. The e-mail to newcomer is in the outbox.', { exact: true })
      .waitFor();

    const mails = (await pages.test.deliver()).filter(({ to }) => to === 'newcomer@example.org');
    assert.deepEqual(mails.map(({ subject }) => subject).toSorted(), [
      'Ihr Konto bei Latchkey',
      'Your account with Latchkey',
    ]);
    // The second invitation, in the language of the page, has replaced the first.
    const mail = mails.find(({ subject }) => subject?.startsWith('Your'));
    const link = new URL(mail?.text.match(/http\S+/)?.[0] ?? assert.fail('no link'));
    const owner = await pages.open();
    const own = await owner.newPage();
    await own.goto(`/reset-password${link.hash}`);
    await button(own, 'Continue').click();
    await own.getByLabel('New password', { exact: true }).fill(FIRST_PASSWORD);
    await own.getByLabel('Repeat the new password', { exact: true }).fill(FIRST_PASSWORD);
    await own.keyboard.press('Enter');
    await own.waitForURL('**/app');
    await own.getByRole('heading', { name: 'My account' }).waitFor();
    await owner.close();
    await page.reload();
    await page.getByText('verified', { exact: true }).waitFor();
    for (const name of ['Send invitation', 'Send again']) assert.equal(await button(page, name).count(), 0);
    await context.close();
  });

  itAtLength('are invited together, unless they have a password, an open invitation or no address', async () => {
    const token = await pages.test.admin();
    const create = async (body: object) =>
      (await pages.test.post('/api/services/app/User/Create', { token, body })).result.id;
    await pages.test.createUser('guests-with-password', { emailAddress: 'guests-0@example.org' });
    await create({ userName: 'guests-bare' });
    const userId = await create({ userName: 'guests-invited', emailAddress: 'guests-1@example.org' });
    await pages.test.post('/api/services/app/User/SendInvitation', { token, body: { userId } });
    await create({ userName: 'guests-new', emailAddress: 'guests-2@example.org' });
    await pages.test.deliver();
    const { context, page } = await openAt('/users?keyword=guests-');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await choose(page, 'Send invitation');
    await page.getByLabel('Language of the e-mail').selectOption('French');
    await assertAccessible(page);
    await inDialog(page, 'Send invitation').click();
    await page.getByText('1 user invited.').waitFor();
    await page.getByText('1 user refused.').waitFor();
    await page.getByText('guests-bare: The account has no e-mail address. Add one first.').waitFor();
    for (const name of ['guests-with-password', 'guests-invited']) {
      await page.getByText(`${name}: has a password or an open invitation already`).waitFor();
    }
    assert.deepEqual(
      (await pages.test.deliver()).map(({ to, subject }) => [to, subject]),
      [['guests-2@example.org', 'Votre compte Latchkey']],
    );
    await context.close();
  });

  itAtLength('are accessible in each step', async () => {
    await pages.test.createUser('beheld-1');
    await assertAccessibleEverywhere(pages, async (page) => {
      await openSignedIn(page, '/app/users?keyword=beheld');
      await select(page, 'beheld-1').check();
      await button(page, 'Choose an action').click();
      await page.getByRole('menuitem').first().waitFor();
      await assertAccessible(page);
      await page.getByRole('menuitem', { name: 'Unlock' }).click();
      await page.getByRole('dialog').waitFor();
      await assertAccessible(page);
      await inDialog(page, 'Unlock').click();
      await page.getByText('1 user unlocked.').waitFor();
      await assertAccessible(page);
      await inDialog(page, 'Close').first().click();
      await page.goto('/app/users/new');
      await page.getByRole('radio', { name: 'Send a link to set a password' }).check();
      await page.getByText('It is valid for 30 minutes').waitFor();
      await assertAccessible(page);
      await page.goto('/app/users/import');
      await page.getByText('At most 30 MB.').waitFor();
      await assertAccessible(page);
      await upload(page, 'staff.csv', CSV.replaceAll('csv-', 'seen-'));
      await page.getByText('7 rows found.').waitFor();
      await assertAccessible(page);
      await button(page, 'Check the file').click();
      await page.getByText(/rows? refused\./).waitFor();
    });
  });
});
