// The pages in the reader's language, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { itAtLength } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD } from '../server/test/support/service.ts';
import { openSignedIn, type Pages, startPages } from './support/browser.ts';
import { enrollApp, setFactors } from './support/factors.ts';

describe('the language of the pages', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
  });
  after(() => pages.close());

  it('is German for a reader of German, on the sign-in pages and in the application', async () => {
    const context = await pages.open({ locale: 'de-DE' });
    const page = await context.newPage();
    const language = () => page.locator('html').getAttribute('lang');
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Anmelden', exact: true }).waitFor();
    assert.equal(await language(), 'de');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByText('Bitte füllen Sie dieses Feld aus.').first().waitFor();
    await page.getByLabel('Benutzername oder E-Mail-Adresse').fill('admin');
    await page.getByLabel('Passwort', { exact: true }).fill(ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.waitForURL('**/app');
    await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Mein Konto' }).click();
    await page.getByRole('heading', { name: 'Mein Konto', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Offene Sitzungen' }).waitFor();
    assert.equal(await language(), 'de');
    await page.getByRole('link', { name: 'Einstellungen' }).click();
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByText('Sie sind abgemeldet.').waitFor();
    await context.close();
  });

  itAtLength('leaves no button too narrow for its German text on a small screen', async () => {
    await setFactors(pages, { authenticator: true, passkeys: true });
    const id = await pages.test.createUser('ann');
    const context = await pages.open({ locale: 'de-DE', width: 320 });
    const page = await context.newPage();
    const assertWhole = async (text: string) => {
      await page.getByText(text, { exact: true }).waitFor();
      const cut = await page.evaluate(
        "[...document.querySelectorAll('.mantine-Button-label')].filter((label) => label.scrollWidth > label.clientWidth || label.scrollHeight > label.clientHeight).map((label) => label.textContent)",
      );
      assert.deepEqual(cut, [], page.url());
    };
    await page.goto('/login');
    await assertWhole('Mit Code anmelden');
    await page.getByLabel('Benutzername oder E-Mail-Adresse').fill('admin');
    await page.getByLabel('Passwort', { exact: true }).fill(ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.waitForURL('**/app');
    await page.goto('/app/account');
    await assertWhole('Authenticator-App einrichten');
    await enrollApp(pages, 'ann');
    await page.goto(`/app/users/${id}`);
    await assertWhole('Zweite Faktoren zurücksetzen');
    await context.close();
  });

  it('is French for a reader of French, also in the application', async () => {
    const context = await pages.open({ locale: 'fr-CA' });
    const page = await context.newPage();
    await openSignedIn(page, '/app/settings');
    await page.getByRole('heading', { name: 'Paramètres', level: 1 }).waitFor();
    await page.getByText('Réinitialiser le mot de passe par un lien par e-mail').waitFor();
    await page.getByLabel('Rechercher des paramètres').fill('double authentification');
    await page.getByRole('link', { name: 'Seconds facteurs et clés d’accès' }).waitFor();
    await context.close();
  });

  it('is English for a reader of a language without a translation', async () => {
    const context = await pages.open({ locale: 'el-GR' });
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    await context.close();
  });
});
