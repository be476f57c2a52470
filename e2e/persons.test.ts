// Handing out and erasing all data of a person, in a real browser: by the owner, and by an administrator.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../server/test/support/service.ts';
import { assertAccessibleEverywhere, openSignedIn, type Pages, startPages } from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

describe('the pages about all data of a person', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    await pages.test.set('Latchkey.OwnErasure', { isOffered: true });
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
  const authenticate = (userName: string) =>
    pages.test.post('/api/TokenAuth/Authenticate', {
      body: { userNameOrEmailAddress: userName, password: USER_PASSWORD },
    });
  async function downloadBy(page: Page, name: string) {
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
    return { name: file.suggestedFilename(), person: JSON.parse(await readFile(await file.path(), 'utf8')) };
  }

  it('hand a person the own data, and delete the account after the password', async () => {
    await pages.test.createUser('thandi', { emailAddress: 'thandi@example.org' });
    const { context, page } = await openAt('/account', 'thandi', USER_PASSWORD);
    const { name, person } = await downloadBy(page, 'Download my data');
    assert.equal(name, 'thandi.json');
    assert.equal(person.account.emailAddress, 'thandi@example.org');
    assert.ok(person.auditEntries.length > 0);
    await button(page, 'Delete my account').press('Enter');
    await page.getByLabel('Current password').fill('wrong');
    await inDialog(page, 'Delete for good').click();
    await page.locator('[name=currentPassword][aria-invalid=true]').waitFor();
    assert.equal((await authenticate('thandi')).status, 200);
    await page.getByLabel('Current password').fill(USER_PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(/login/);
    assert.equal((await authenticate('thandi')).status, 401);
    await context.close();
  });

  it('offer no deletion of the own account where the setting is off', async () => {
    await pages.test.set('Latchkey.OwnErasure', { isOffered: false });
    await pages.test.createUser('lerato');
    const { context, page } = await openAt('/account', 'lerato', USER_PASSWORD);
    await button(page, 'Download my data').waitFor();
    assert.equal(await button(page, 'Delete my account').count(), 0);
    await context.close();
    await pages.test.set('Latchkey.OwnErasure', { isOffered: true });
  });

  it('let an administrator download the data of a person, and erase the person after the user name', async () => {
    const id = await pages.test.createUser('sipho', { name: 'Sipho', surname: 'Dlamini' });
    const { context, page } = await openAt(`/users/${id}`);
    const { name, person } = await downloadBy(page, 'Download data');
    assert.deepEqual([name, person.account.surname], ['sipho.json', 'Dlamini']);
    await button(page, 'Erase').press('Enter');
    await page.locator('input[name=userName]:focus').waitFor();
    await page.keyboard.type('siphoo');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the user name.').waitFor();
    assert.equal((await authenticate('sipho')).status, 200);
    await page.getByLabel('Type sipho to confirm').fill('sipho');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/users');
    await page.getByText('Sipho Dlamini was erased.').waitFor();
    assert.equal((await authenticate('sipho')).status, 401);
    await context.close();
  });

  it('are accessible in every appearance', async () => {
    const id = await pages.test.createUser('ann');
    await assertAccessibleEverywhere(
      pages,
      async (page) => {
        await openSignedIn(page, `/app/users/${id}`);
        await button(page, 'Erase').click();
        await page.getByLabel('Type ann to confirm').waitFor();
      },
      async (page) => {
        await openSignedIn(page, '/app/account', 'ann', USER_PASSWORD);
        await button(page, 'Delete my account').click();
        await inDialog(page, 'Delete for good').waitFor();
      },
    );
  });
});
