// The language of the guide, which one file adds to the pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { ADMIN_PASSWORD } from '../../server/test/support/service.ts';
import { type ServedPages, serveWithLanguage } from '../support/added-language.ts';
import { type Pages, startPages } from '../support/browser.ts';

const guide = readFileSync(new URL('../../docs/guide/pages.md', import.meta.url), 'utf8');
const [, example = ''] = guide.match(/## Add a language.*?```ts\n(.*?)```/s) ?? [];

let pages: Pages;
let served: ServedPages;
before(async () => {
  pages = await startPages();
  served = await serveWithLanguage(pages, 'it', example);
});
after(async () => {
  await served.close();
  await pages.close();
});

it('the language of an added file is offered in the account menu, and found by the languages of the browser', async () => {
  const context = await pages.open({ locale: 'it-CH' });
  const page = await context.newPage();
  await page.goto(`${served.url}/login`);
  await page.getByRole('heading', { name: 'Accesso', exact: true }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'it');
  await page.getByLabel('User name or e-mail address').fill('admin');
  await page.getByLabel('Parola d’ordine', { exact: true }).fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/app');
  await page.goto(`${served.url}/app/audit`);
  await page.getByText(/^\d+ voc[ei]$/).waitFor();

  const choose = async (language: string) => {
    await page.getByRole('button', { name: /^Menu of|^Menü von/ }).click();
    await page.locator('[role^=menuitem]', { hasText: language }).click();
  };
  await choose('Deutsch');
  await page.getByRole('heading', { name: 'Protokoll', level: 1 }).waitFor();
  await context.close();
});
