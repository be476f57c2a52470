// A long audit trail, in a real browser: the page never counts or searches all of it, and still reaches its end.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fillTrail } from '../../server/test/support/audit.ts';
import { assertAccessible, openSignedIn, type Pages, startPages } from '../support/browser.ts';

const MOST = 10_000;
const MAX_LOOKED_AT = 100_000;

describe('the page of a long audit trail', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    const { service, clock } = pages.test;
    await fillTrail(service.database, 30, { at: clock.now(), action: 'test.old', userId: 77 });
    await fillTrail(service.database, MAX_LOOKED_AT, { at: clock.now(), action: 'test.new', userId: 77 });
  });
  after(() => pages.close());

  async function openAt(path: string) {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, `/app${path}`);
    return { context, page };
  }

  it('says that there are more than 10,000 entries, and shows the ones after them', async () => {
    const { context, page } = await openAt('/audit?action=test.new');
    await page.getByText('More than 10,000 entries').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show older entries' }).count(), 0);
    await page.getByRole('button', { name: `Page ${MOST / 25}` }).click();
    await page.waitForURL(`**/audit?*page=${MOST / 25}`);
    const older = page.getByRole('button', { name: 'Show older entries' });
    await older.waitFor();
    await assertAccessible(page);
    await older.click();
    await page.waitForURL(/beforeId=\d+$/);
    await page.getByRole('button', { name: 'test.new' }).first().waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/page=2&beforeId=\d+$/);
    await context.close();
  });

  it('says where a search stopped, and continues it', async () => {
    const { context, page } = await openAt('/audit?userId=77&action=test.old');
    await page.getByText('older entries have not been searched yet').waitFor();
    await page.getByText('No entries match these filters.').waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Show older entries' }).click();
    await page.getByText('30 entries').waitFor();
    await page.getByRole('button', { name: 'test.old' }).first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show older entries' }).count(), 0);
    await context.close();
  });
});
