// The users' pages, in a real browser.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createTestAccounts } from '../server/test/support/accounts.ts';
import { itAtLength } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  comeBackLater,
  hold,
  letFail,
  openSignedIn,
  type Pages,
  startPages,
  untilAttentive,
  waitForValue,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const CANARY = '<img src=x onerror="document.title=\'taken\'">';
const NEW_PASSWORD = 'lantern gravel staple';

describe('the pages of users', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  async function openAt(path: string, name = 'admin', password = ADMIN_PASSWORD) {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, `/app${path}`, name, password);
    return { context, page };
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
  const authenticate = (userName: string, password = USER_PASSWORD) =>
    pages.test.post('/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress: userName, password } });
  const rows = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody').getByRole('row');

  it('find accounts, and keep the search in the address', async () => {
    const accounts = await createTestAccounts(pages.test);
    for (let count = 0; count < 30; count += 1) await accounts.add();
    await pages.test.createUser('sleeper', { isActive: false });
    // A page beyond the last one, such as after a deletion.
    const { context, page } = await openAt('/users?keyword=sleeper&page=2');
    await button(page, 'Page 1').click();
    await page.getByRole('link', { name: 'sleeper' }).waitFor();
    await page.goto('/app/users');
    await rows(page).nth(24).waitFor();
    assert.equal(await rows(page).count(), 25);
    await button(page, 'Next page').click();
    await page.waitForURL('**/users?page=2');
    await page.getByLabel('Search').fill('No Such Name');
    await page.getByText('No users match.').waitFor();
    await page.getByLabel('Search').fill('person1');
    await page.getByText('11 users').waitFor();
    assert.match(page.url(), /\/users\?keyword=person1$/);
    await button(page, 'User name').click();
    await page.locator('tbody tr:first-child', { hasText: 'person19' }).waitFor();
    await page.reload();
    await page.getByText('11 users').waitFor();
    assert.equal(await page.getByLabel('Search').inputValue(), 'person1');
    await page.getByRole('link', { name: 'person19' }).click();
    await page.getByRole('heading', { name: 'Sign-in', exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Users' }).click();
    await page.waitForURL('**/users?keyword=person1&sort=*');
    await page.getByLabel('Search').fill('');
    await button(page, 'Filter').click();
    await page.getByLabel('State', { exact: true }).selectOption('Deactivated');
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'sleeper' }).waitFor();
    await page.getByLabel('Never signed in').check();
    await page.getByLabel('Created to').fill('2001-01-01');
    await page.getByText('0 users').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/users?*filter=inactive&never=1&to=2001-01-01*');
    const chips = page.getByRole('group', { name: 'Filters' });
    await chips.getByRole('button', { name: /^Remove the filter "Created to/ }).click();
    await page.getByRole('link', { name: 'sleeper' }).waitFor();
    await button(page, 'Remove all').click();
    await page.getByText('32 users').waitFor();
    assert.equal(await chips.count(), 0);
    await button(page, 'Filter').click();
    await page.getByLabel('State', { exact: true }).waitFor();
    // Before the first choice is drawn, as a typed text that settles meanwhile.
    const boxes = page.getByLabel('Filter', { exact: true }).locator('input[type=checkbox]');
    await boxes.evaluateAll((all) => {
      for (const box of all) (box as unknown as { click(): void }).click();
    });
    await page.waitForURL('**/users?signedIn=1&locked=1&mustChange=1&never=1&unverified=1&sort=*');
    await context.close();
  });

  it('find the accounts that have not signed in since a day', async () => {
    for (const name of ['dormant-1', 'dormant-2']) await pages.test.createUser(name);
    await pages.test.signIn('dormant-2');
    const { context, page } = await openAt('/users?keyword=dormant-');
    await page.getByText('2 users', { exact: true }).waitFor();
    await button(page, 'Filter').click();
    const calls: string[] = [];
    page.on('request', (request) => void (request.url().includes('notSignedInSince') && calls.push(request.url())));
    const before = Number(await page.evaluate('history.length'));
    await page.getByLabel('Not signed in since').focus();
    await page.keyboard.type('01012001');
    await page.waitForURL('**/users?*since=2001-01-01*');
    assert.equal(await page.evaluate('history.length'), before + 1, 'the digits of the year are no days');
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'dormant-1' }).waitFor();
    assert.equal(calls.length, 1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Remove the filter "Not signed in since/ }).click();
    await page.getByText('2 users', { exact: true }).waitFor();
    await context.close();
  });

  it('filter by a day when it is typed, not by its digits', async () => {
    const { context, page } = await openAt('/users?since=2001-01-01');
    await button(page, 'Filter').click();
    const day = page.getByLabel('Not signed in since', { exact: true });
    await day.waitFor();
    await untilAttentive(page);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const before = Number(await page.evaluate('history.length'));
    await day.focus();
    await page.keyboard.type('0303');
    await page.keyboard.press('Escape');
    await page.waitForURL('**/users?since=2001-03-03');
    assert.equal(await page.evaluate('history.length'), before + 1);
    await page.clock.resume();
    await day.waitFor({ state: 'hidden' });

    await button(page, 'Filter').click();
    await day.waitFor();
    await untilAttentive(page);
    await page.clock.pauseAt(Date.now() + 300_000);
    const from = page.getByLabel('Created from', { exact: true });
    for (const typed of ['04042', '040420250']) {
      await day.focus();
      await page.keyboard.type(typed);
      await from.focus();
      await waitForValue(day, '2001-03-03');
    }
    await day.focus();
    await page.keyboard.press('Backspace');
    await page.clock.runFor(1000);
    await from.focus();
    await waitForValue(day, '2001-03-03');
    assert.equal(await page.evaluate('history.length'), before + 1);
    await page.clock.resume();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Remove the filter "Not signed in since/ }).click();
    await page.waitForURL('**/users');
    await context.close();
  });

  it('create an account without a password, which can be set later', async () => {
    const { context, page } = await openAt('/users/new');
    await page.getByLabel('User name').fill('passwordless');
    await page.getByLabel('E-mail address', { exact: true }).fill('passwordless@example.org');
    const isVerified = page.getByLabel('The e-mail address is verified');
    assert.equal(await isVerified.count(), 0, 'the link verifies it');
    await page.getByRole('radio', { name: 'Set a password now' }).check();
    await isVerified.check();
    await page.getByLabel('Mobile number', { exact: true }).fill('0821234567');
    await button(page, 'Create').click();
    await page.locator('input[name=password][aria-invalid=true]').waitFor();
    await page.getByRole('radio', { name: 'Create the user without a password' }).check();
    await button(page, 'Create').click();
    await page.getByText('Or set the default region in the setting “Phone numbers”').waitFor();
    await page.getByLabel('Mobile number', { exact: true }).fill('+27 82 123 4567');
    await page.getByText('A verified number can reset the password.').waitFor();
    await button(page, 'Create').click();
    await page.getByText('The user has no password. Send an invitation, or set a password.').waitFor();
    assert.equal(await page.getByText('The user must change the password').count(), 0);
    await context.close();
  });

  itAtLength('create an account by keyboard alone, with names and roles that stay text', async () => {
    const { context, page } = await openAt('/users/new');
    await page.getByRole('radio', { name: 'Set a password now' }).check();
    await page.getByLabel('User name').focus();
    const type = async (text: string) => {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    };
    await page.keyboard.press('Enter');
    await page.locator('input[name=userName][aria-invalid=true]').waitFor();
    await type('newcomer');
    await type(CANARY);
    await type('Newcomer');
    await type('newcomer@example.org');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(CANARY);
    await page.keyboard.press('Enter');
    await page.keyboard.type('Administrator');
    await page.getByRole('option', { name: 'Administrator' }).waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('This makes the user an administrator').waitFor();
    // The list would cover the fields below.
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    await page.keyboard.press('Backspace');
    await page.getByText('This makes the user an administrator').waitFor({ state: 'hidden' });
    await page.getByLabel('Password', { exact: true }).focus();
    await page.keyboard.type(USER_PASSWORD);
    await page.getByLabel('Repeat the password', { exact: true }).focus();
    await page.keyboard.type(USER_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `${CANARY} Newcomer` }).waitFor();
    await page.getByText(`${CANARY} Newcomer was created.`).waitFor();
    await page.getByText('verified', { exact: true }).waitFor();
    await page.getByText('The user must change the password at the next sign-in').waitFor();
    await page.goto('/app/users?keyword=newcomer');
    await page.getByRole('cell', { name: CANARY, exact: true }).waitFor();
    assert.doesNotMatch(await page.title(), /taken/);
    assert.equal((await authenticate('newcomer')).result.requiredChangePassword, true);
    await context.close();
  });

  it('change an account, and leave a new address unverified', async () => {
    const addresses = { emailAddress: 'old@example.org', isEmailConfirmed: true };
    const id = await pages.test.createUser('changed', { name: 'Old', ...addresses });
    const { context, page } = await openAt(`/users/${id}`);
    await button(page, 'Edit').click();
    await page.getByLabel('First name').fill('New');
    const isVerified = page.getByLabel('The e-mail address is verified');
    await page.getByLabel('E-mail address', { exact: true }).fill('old@example.or');
    assert.equal(await isVerified.isChecked(), false);
    await page.getByLabel('E-mail address', { exact: true }).fill('old@example.org ');
    assert.equal(await isVerified.isChecked(), true, 'it is the former address again');
    await page.getByLabel('E-mail address', { exact: true }).fill('not an address');
    await button(page, 'Save').click();
    await page.locator('input[name=emailAddress][aria-invalid=true]').waitFor();
    await page.getByLabel('E-mail address', { exact: true }).fill('new@example.org');
    await page.getByRole('combobox', { name: 'Roles' }).fill('UserManager');
    await page.keyboard.press('Enter');
    const token = await pages.test.admin();
    await pages.test.post('/api/services/app/Role/Create', { token, body: { name: 'Reader', grantedPermissions: [] } });
    await pages.test.send('PUT', '/api/services/app/User/Update', { token, body: { id, roleNames: ['Reader'] } });
    await button(page, 'Save').click();
    await page.getByText('New was saved.').waitFor();
    const { result } = await pages.test.get('/api/services/app/User/Get', { token, query: { id } });
    assert.deepEqual(result.roleNames.toSorted(), ['Reader', 'UserManager']);
    await page.getByText('not verified', { exact: true }).waitFor();
    await page.getByText('The e-mail address is not verified').waitFor();
    await context.close();
  });

  it('keep an open dialog when an account cannot be read again', async () => {
    const { context, page } = await openAt(
      `/users/${await pages.test.createUser('kept', { emailAddress: 'kept@example.org', isEmailConfirmed: true })}`,
    );
    await button(page, 'Edit').click();
    await page.getByLabel('First name').fill('Typed');
    await letFail(page, '**/User/Get?*');
    await comeBackLater(page);
    await page.getByRole('alert', { includeHidden: true }).getByText('This failed.').waitFor();
    assert.equal(await page.getByLabel('First name').inputValue(), 'Typed');
    await context.close();
  });

  /** Moves the service's clock to that of the browser, which runs on while the tests do. */
  const catchUp = () => pages.test.clock.advance(Math.max(0, Date.now() - pages.test.clock.now()) / 1000);

  it('show the time left of a long lock without its seconds', async () => {
    catchUp();
    const lockSeconds = 'Abp.Zero.UserManagement.UserLockOut.DefaultAccountLockoutSeconds';
    await pages.test.set(lockSeconds, 86_400);
    const id = await pages.test.createUser('locked-for-long');
    for (let count = 0; count < 5; count += 1) await authenticate('locked-for-long', 'not it at all');
    await pages.test.set(lockSeconds, 300);
    const { context, page } = await openAt(`/users/${id}`);
    await page.getByText(/Locked after too many failed attempts, until .* \(23 hours,? \d+ minutes left\)/).waitFor();
    await context.close();
  });

  it('show why a person cannot sign in, and fix it', async () => {
    catchUp();
    const id = await pages.test.createUser('stuck', { mobileNumber: '+49 151 23456780' });
    for (let count = 0; count < 5; count += 1) await authenticate('stuck', 'not it at all');
    const { context, page } = await openAt(`/users/${id}`);
    await page.getByText(/Locked after too many failed attempts, until .* \(\d+\smin\s\d+\ss left\)/).waitFor();
    await page.getByText('Locked', { exact: true }).waitFor();
    assert.equal(await button(page, 'Unlock').count(), 1);
    await page.getByText('The mobile number is not verified. It receives no codes.').waitFor();
    await page.getByText('The user has never signed in.').waitFor();
    await page.getByText('user locked').waitFor();
    assert.equal(await page.getByText('wrong password').count(), 4);
    assert.equal(await page.getByText('user locked').count(), 1);
    await button(page, 'Unlock').press('Enter');
    await page.getByText('stuck is no longer locked.').waitFor();
    await page.getByText('Nothing prevents this user from signing in.').waitFor();
    assert.equal((await authenticate('stuck')).status, 200);

    const token = await pages.test.signIn('stuck');
    await button(page, 'Deactivate').click();
    await inDialog(page, 'Deactivate').click();
    await page.getByText('The user is deactivated.').waitFor();
    assert.equal((await pages.test.get('/api/services/app/Session/GetAll', { token })).status, 401);
    await button(page, 'Activate').click();
    await page.getByText('stuck is active again.').waitFor();
    assert.equal((await authenticate('stuck')).status, 200);
    await context.close();
  });

  it('show that a lock has ended although the clock of the browser is ahead', async () => {
    catchUp();
    const id = await pages.test.createUser('waiting');
    for (let count = 0; count < 5; count += 1) await authenticate('waiting', 'not it at all');
    const context = await pages.open();
    const page = await context.newPage();
    await page.clock.install({ time: Date.now() + 3_600_000 });
    let reads = 0;
    const readAgain = page.waitForResponse((answer) => answer.url().includes('/User/Get?') && ++reads === 2);
    await openSignedIn(page, `/app/users/${id}`);
    await (await readAgain).finished();
    await page.getByText(/until .* \(0\ss left\)/).waitFor();
    pages.test.clock.advance(300);
    await page.clock.runFor(3000);
    await page.getByText('Nothing prevents this user from signing in.').waitFor();
    await context.close();
  });

  it('reset a password, sign out everywhere, and delete', async () => {
    const id = await pages.test.createUser('leaver');
    const token = await pages.test.signIn('leaver');
    const isOpen = async () => (await pages.test.get('/api/services/app/Session/GetAll', { token })).status === 200;
    const { context, page } = await openAt(`/users/${id}`);
    await button(page, 'Sign out everywhere').click();
    await inDialog(page, 'Cancel').click();
    assert.equal(await isOpen(), true);
    await button(page, 'Sign out everywhere').click();
    await inDialog(page, 'Sign out everywhere').click();
    await page.getByText('All sessions of leaver have ended.').waitFor();
    assert.equal(await isOpen(), false);

    await button(page, 'Set a password').last().click();
    await inDialog(page, 'Generate').click();
    await page
      .getByRole('dialog')
      .getByText(/^([a-z2-9]{4}-){5}K2$/)
      .waitFor();
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.getByLabel('Repeat the new password', { exact: true }).fill('short');
    await inDialog(page, 'Set the password').click();
    await page.locator('input[name=newPassword][aria-invalid=true]').waitFor();
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Repeat the new password', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('leaver has a new password, and must change it at the next sign-in.').waitFor();
    await page.getByRole('region', { name: 'Activity' }).getByText('Password set for the user').waitFor();
    await page.getByText('Must change password').waitFor();
    assert.equal((await authenticate('leaver', NEW_PASSWORD)).result.requiredChangePassword, true);

    await button(page, 'Delete').click();
    await inDialog(page, 'Delete').click();
    await page.getByText('leaver was deleted.').waitFor();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    assert.equal((await authenticate('leaver', NEW_PASSWORD)).status, 401);
    await context.close();
  });

  it('show in the activity that a session was ended', async () => {
    const id = await pages.test.createUser('visitor');
    await pages.test.signIn('visitor');
    const { context, page } = await openAt(`/users/${id}`);
    const activity = page.getByRole('region', { name: 'Activity' });
    await activity.getByText('Signed in with a password').waitFor();
    await page.getByRole('button', { name: /^End the session/ }).click();
    await inDialog(page, 'End').click();
    await activity.getByText('Session ended by an administrator').waitFor();
    await context.close();
  });

  itAtLength('offer no button that copies where the browser gives no clipboard', async () => {
    const { context, page } = await openAt('/users/1');
    await page.getByRole('button', { name: 'Copy: User name' }).waitFor();
    await page.addInitScript("Object.defineProperty(globalThis, 'isSecureContext', { value: false })");
    await page.reload();
    await page.getByText('User name', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Copy/ }).count(), 0);
    await context.close();
  });

  it('ask before the fields of a new account are dropped', async () => {
    const { context, page } = await openAt('/users');
    await page.getByRole('link', { name: 'Create a user' }).click();
    await page.getByLabel('User name').fill('unfinished');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await button(page, 'Cancel')
      .or(page.getByRole('link', { name: 'Cancel' }))
      .click();
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('User name').inputValue(), 'unfinished');
    await page.getByRole('radio', { name: 'Create the user without a password' }).check();
    await button(page, 'Create').click();
    await page.getByText('unfinished was created.').waitFor();
    await page.getByRole('heading', { name: 'unfinished', level: 1 }).waitFor();
    assert.equal(await question.count(), 0);
    await context.close();
  });

  itAtLength('stay where the reader has gone while an account is created', async () => {
    const { context, page } = await openAt('/users/new');
    await page.getByLabel('User name').fill('unhurried');
    await page.getByRole('radio', { name: 'Create the user without a password' }).check();
    const creating = await hold(page, '**/api/services/app/User/Create');
    await button(page, 'Create').click();
    await creating.arrive();
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
    creating.release();
    await page.getByText('unhurried was created.').waitFor();
    assert.ok(page.url().endsWith('/roles'), page.url());
    await context.close();
  });

  it('stay where the reader has gone while an account is deleted', async () => {
    await pages.test.createUser('forgotten');
    const { context, page } = await openAt('/roles');
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('link', { name: 'forgotten', exact: true }).click();
    await button(page, 'Delete').click();
    const deleting = await hold(page, '**/api/services/app/User/Delete?*');
    await inDialog(page, 'Delete').click();
    await deleting.arrive();
    await page.evaluate('history.go(-2)');
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
    deleting.release();
    await page.getByText('forgotten was deleted.').waitFor();
    assert.ok(page.url().endsWith('/roles'), page.url());
    await context.close();
  });

  itAtLength('end one session, and send a link to reset the password to a verified address alone', async () => {
    const id = await pages.test.createUser('guest', { emailAddress: 'guest@example.org' });
    const token = await pages.test.signIn('guest');
    const { context, page } = await openAt(`/users/${id}`);
    const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
    await sessions.getByText(/^Default UI · /).waitFor();
    await sessions.getByRole('button', { name: /^End the session/ }).click();
    await inDialog(page, 'End').click();
    await sessions.getByText('There is no open session.').waitFor();
    assert.equal(await button(page, 'Sign out everywhere').count(), 0);
    assert.equal((await pages.test.get('/api/services/app/Session/GetAll', { token })).status, 401);
    await button(page, 'Send a reset link').click();
    await page.getByText('guest@example.org is not verified, so that no link can go to it.').waitFor();
    await inDialog(page, 'Set a password').click();
    await page.getByRole('dialog', { name: 'Set a password for guest' }).waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Send a reset link').click();
    await inDialog(page, 'Edit').click();
    await page.getByRole('dialog', { name: 'Edit guest' }).waitFor();
    await page.keyboard.press('Escape');
    const admin = await pages.test.admin();
    await pages.test.send('PUT', '/api/services/app/User/Update', {
      token: admin,
      body: { id, isEmailConfirmed: true },
    });
    await page.reload();
    await button(page, 'Send a reset link').click();
    await inDialog(page, 'Send the link').click();
    await page.getByText('No mail server is configured. The e-mail to guest is in the outbox.').waitFor();
    const mails = (await pages.test.deliver()).filter(({ to }) => to === 'guest@example.org');
    assert.match(mails.at(-1)?.subject ?? '', /^Reset your password/);
    const activity = page.getByRole('region', { name: 'Activity' });
    await activity.getByRole('button', { name: 'Session ended by an administrator' }).click();
    await page.getByRole('dialog', { name: 'Session ended by an administrator' }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto('/app/outbox');
    const mail = page.getByRole('article', { name: 'guest@example.org' });
    const link = mail.getByRole('link', { name: /\/reset-password#/ });
    assert.equal(await link.getAttribute('href'), mails.at(-1)?.text.match(/http\S+/)?.[0]);
    await mail.getByRole('button', { name: /^Copy: Code \d{4,}$/ }).waitFor();
    await context.close();
  });

  it('show the service’s refusals, and offer neither to shut out the own account nor to change its addresses', async () => {
    const token = await pages.test.admin();
    const role = { name: 'Root', grantedPermissions: ['pages:maintenance', 'Pages.Users', 'users:resetPassword'] };
    await pages.test.post('/api/services/app/Role/Create', { token, body: role });
    await pages.test.createUser('root', { roleNames: ['Root'], emailAddress: 'root@example.org' });
    const { context, page } = await openAt('/users?keyword=admin', 'root', USER_PASSWORD);
    await page.getByRole('link', { name: 'admin', exact: true }).click();
    await button(page, 'Edit').first().click();
    await page.getByLabel('First name').waitFor();
    assert.equal(await page.getByText('This makes the user an administrator').count(), 0);
    await page.keyboard.press('Escape');
    await button(page, 'Deactivate').click();
    await inDialog(page, 'Deactivate').click();
    await page
      .getByText('This is the last active administrator who can sign in. Make another account an administrator first.')
      .waitFor();
    await page.keyboard.press('Escape');

    await page.goto('/app/users?keyword=root');
    await page.getByRole('link', { name: 'root', exact: true }).click();
    await button(page, 'Sign out everywhere').waitFor();
    const own = page.getByRole('region', { name: 'Sessions', exact: true });
    await own.getByText('This session').waitFor();
    assert.equal(await own.getByRole('button', { name: /^End the session/ }).count(), 0);
    await page.getByRole('region', { name: 'Sign-in' }).getByRole('link', { name: 'My account' }).waitFor();
    for (const name of ['Deactivate', 'Delete', 'Set a password']) {
      assert.equal(await button(page, name).count(), 0, name);
    }
    await button(page, 'Edit').click();
    await page.getByText('Change your own addresses on the page “My account”').first().waitFor();
    for (const label of ['E-mail address', 'Mobile number', 'The e-mail address is verified']) {
      assert.equal(await page.getByLabel(label, { exact: true }).isDisabled(), true, label);
    }
    await context.close();
  });

  it('offer a user manager the permitted actions, and other people nothing', async () => {
    await pages.test.createUser('manager', { roleNames: ['UserManager'] });
    const id = await pages.test.createUser('plain');
    const { context, page } = await openAt(`/users/${id}`, 'manager', USER_PASSWORD);
    await button(page, 'Set a password').last().waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Activity' }).count(), 0);
    await page.goto('/app/users?keyword=admin');
    await page.getByRole('link', { name: 'admin', exact: true }).click();
    await page.getByText('Only an administrator can change this user').waitFor();
    for (const name of ['Edit', 'Set a password', 'Deactivate', 'Delete', 'Unlock']) {
      assert.equal(await button(page, name).count(), 0, name);
    }
    await context.close();

    const other = await openAt('/users', 'plain', USER_PASSWORD);
    await other.page.getByRole('heading', { name: 'Not permitted' }).waitFor();
    assert.equal(await other.page.getByRole('link', { name: 'Users' }).count(), 0);
    await other.context.close();
  });

  itAtLength('are accessible, with their dialogs', async () => {
    const id = await pages.test.createUser('beheld'.repeat(10), {
      surname: CANARY,
      requireChangePassword: true,
      isActive: false,
    });
    await assertAccessibleEverywhere(pages, async (page) => {
      await openSignedIn(page, '/app/users');
      // A narrow screen has rows with the name of a person instead of a table.
      await page.locator(`a[href$="/users/${id}"]`).waitFor();
      await assertAccessible(page);
      await page.goto('/app/users/new');
      await page.getByRole('radio', { name: 'Set a password now' }).check();
      await page.getByText('at least 12 characters').waitFor();
      await assertAccessible(page);
      await page.goto(`/app/users/${id}`);
      await page.getByText('The user is deactivated.').waitFor();
      for (const name of ['Edit', 'Set a password', 'Delete']) {
        await button(page, name).last().click();
        await page.getByRole('dialog').waitFor();
        await assertAccessible(page);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
    });
  });
});
