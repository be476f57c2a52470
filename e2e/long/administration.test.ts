// Front ends, audit trail and outbox, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  openSignedIn,
  type Pages,
  startPages,
} from '../support/browser.ts';

const CANARY = '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>';

describe('administration', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await pages.test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000 });
  });
  after(() => pages.close());

  const openAsAdministrator = async (path: string) => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, `/app${path}`);
    return { context, page };
  };

  it('adds, changes and deletes a front end, by keyboard as well', async () => {
    const { context, page } = await openAsAdministrator('/front-ends');
    await page.getByRole('button', { name: 'Create a front end' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('Portal');
    await page.keyboard.press('Tab');
    await page.keyboard.type('portal');
    await page.keyboard.press('Enter');
    await page.getByText('Portal was saved.').waitFor();
    await page.getByRole('button', { name: 'Edit Portal' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill(CANARY);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: CANARY }).waitFor();
    assert.doesNotMatch(await page.title(), /taken/);
    await page.getByRole('button', { name: 'Delete Portal' }).click();
    await assertAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Portal was deleted.').waitFor();
    await page.getByRole('cell', { name: 'default-app' }).waitFor();
    await page.getByRole('cell', { name: 'portal', exact: true }).waitFor({ state: 'hidden' });
    await context.close();
  });

  it('says what is wrong with a front end beside the field', async () => {
    const { context, page } = await openAsAdministrator('/front-ends');
    await page.getByRole('button', { name: 'Create a front end' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Second');
    await page.getByRole('textbox', { name: 'Key' }).fill('not a key!');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('input[name=appKey][aria-invalid=true]').waitFor();
    await context.close();
  });

  it('counts down until a failed page can be retried', async () => {
    const { context, page } = await openAsAdministrator('/front-ends');
    await page.getByRole('cell', { name: 'default-app' }).first().waitFor();
    await page.clock.install();
    const error = { code: 429, reason: 'rateLimit.exceeded', message: 'Too many.', details: 'Too many.' };
    const refusal = { status: 429, headers: { 'retry-after': '20' }, json: { success: false, error } };
    await page.route('**/Audit/GetAll?*', (route) => route.fulfill(refusal));
    await page.getByRole('link', { name: 'Audit trail' }).click();
    const retry = page.getByRole('button', { name: 'Try again' });
    await page.getByText('You can try again in 20 seconds.').waitFor();
    assert.equal(await retry.isDisabled(), true);
    for (const left of [15, 10, 5]) {
      await page.clock.runFor(5000);
      await page.getByText(`You can try again in ${left} seconds.`).waitFor();
    }
    await page.clock.runFor(5000);
    await page.unroute('**/Audit/GetAll?*');
    await retry.click();
    await page.getByRole('button', { name: 'Signed in with a password' }).first().waitFor();
    await context.close();
  });

  it('shows messages that were not delivered', async () => {
    await pages.test.createUser('thandi', { emailAddress: 'thandi@example.com', isEmailConfirmed: true });
    await pages.test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: 'thandi' } });
    const { context, page } = await openAsAdministrator('/outbox');
    await page.getByText('There are no messages yet.').waitFor();
    assert.equal(await page.getByText('0 entries').count(), 0);
    await pages.test.deliver();
    await page.getByRole('article', { name: 'thandi@example.com' }).waitFor();
    await context.close();
  });

  for (const [path, heading] of [
    ['/front-ends', 'Front ends'],
    ['/audit', 'Audit trail'],
    ['/outbox', 'Outbox'],
  ] as const) {
    it(`is accessible: ${heading}`, () =>
      assertAccessibleEverywhere(pages, async (page) => {
        await openSignedIn(page, `/app${path}`);
        await page.getByRole('heading', { name: heading }).waitFor();
        await page
          .getByText(/entr(y|ies)|Edit/)
          .first()
          .waitFor();
      }));
  }
});
