// The tools of the settings page, in a real browser: units, search, comparison, origin, presets, and saving several changes.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  descriptionOf,
  openSignedIn,
  type Pages,
  startPages,
  tabTo,
} from '../support/browser.ts';

const LOCKOUT = 'Abp.Zero.UserManagement.UserLockOut.';
const LENGTH = 'Abp.Zero.UserManagement.PasswordComplexity.RequiredLength';

describe('the tools of the settings page', () => {
  let pages: Pages;
  let token: string;
  before(async () => {
    pages = await startPages();
    const { test } = pages;
    await test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000 });
    token = await test.admin();
    for (const [appKey, name] of [
      ['kiosk', 'Kiosk'],
      ['portal', 'Portal'],
    ]) {
      await test.post('/api/services/app/FrontEndApp/Create', { token, body: { appKey, name } });
    }
  });
  after(() => pages.close());

  async function openSettings(query = '', language = 'en'): Promise<Page> {
    const page = await (await pages.open()).newPage();
    await openSignedIn(page, '/health/live');
    await page.evaluate(`localStorage['latchkey::language'] = '${language}'`);
    await page.goto(`/app/settings${query}`);
    await page.getByRole('heading', { level: 2 }).waitFor();
    return page;
  }
  const settingOf = (page: Page, label: string) => page.getByRole('form', { name: label, exact: true });
  const barOf = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });
  const button = (page: Page, name: string) => barOf(page).getByRole('button', { name, exact: true });
  const read = async (name: string, appKey?: string) => {
    const query = { name, ...(appKey !== undefined && { appKey }) };
    return (await pages.test.get('/api/services/app/Settings/GetValue', { token, query })).result;
  };
  const readCompound = async (name: string) => (await read(name)) as Record<string, unknown>;
  const reset = (name: string, appKey?: string) =>
    pages.test.post('/api/services/app/Settings/ResetValue', { token, body: { name, appKey } });
  const focused = (page: Page) => page.evaluate('document.activeElement?.dataset.setting') as Promise<string>;

  it('take a duration in any unit, store seconds, and tell the effect while it is typed', async () => {
    const page = await openSettings('?frontEnd=kiosk');
    const effect = page.locator('[data-effects]').first();
    await effect.getByText('5 wrong passwords or codes in a row lock the user for 5 minutes.').waitFor();
    const lock = settingOf(page, 'User lockout (sec)');
    const number = lock.getByRole('textbox', { name: 'User lockout (sec)' });
    const unit = lock.getByRole('combobox', { name: 'Unit: User lockout (sec)' });
    assert.deepEqual([await number.inputValue(), await unit.inputValue()], ['5', 'minute']);
    await unit.selectOption('hour');
    assert.equal(await number.inputValue(), '5', 'the number stays when the unit changes');
    await number.fill('1.5');
    await effect.getByText('lock the user for 1 hour 30 minutes.').waitFor();
    await lock.getByText('= 5,400 seconds').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('User lockout (sec): saved.').waitFor();
    assert.equal(await read(`${LOCKOUT}DefaultAccountLockoutSeconds`, 'kiosk'), 5400);
    await page.reload();
    await lock.waitFor();
    assert.deepEqual([await number.inputValue(), await unit.inputValue()], ['90', 'minute']);
    assert.equal(await lock.getByText(/^= /).count(), 0, 'of whole minutes');
    await unit.selectOption('day');
    await number.fill('2');
    await button(page, 'Save').click();
    await lock.getByText('From 1 second to 1 day.', { exact: true }).first().waitFor();
    assert.equal(await read(`${LOCKOUT}DefaultAccountLockoutSeconds`, 'kiosk'), 5400);
    await button(page, 'Discard').click();
    await reset(`${LOCKOUT}DefaultAccountLockoutSeconds`, 'kiosk');
    await page.context().close();
  });

  it('dim what has no effect, and keep it', async () => {
    const page = await openSettings('?frontEnd=kiosk');
    const attempts = settingOf(page, 'Max failed login attempts before lockout');
    const hint = attempts.getByText('Has no effect until “Is user lockout enabled” is “On”.');
    assert.equal(await hint.count(), 0);
    await settingOf(page, 'Is user lockout enabled').getByRole('switch').press('Space');
    await hint.waitFor();
    assert.equal(await attempts.locator('[data-idle]').count(), 1);
    await attempts.getByRole('textbox').fill('7');
    await page.getByText('2 changes not saved').waitFor();
    await assertAccessible(page);
    await button(page, 'Discard').click();
    await hint.waitFor({ state: 'detached' });
    await page.goto('/app/settings');
    await settingOf(page, 'Security questions')
      .getByText('Has no effect until “Use reset password via security questions” is “On”.')
      .waitFor();
    await page.context().close();
  });

  it('find a setting by a word of its fields, open its section, and mark it', async () => {
    const page = await openSettings('?category=Registration');
    const search = page.getByRole('searchbox', { name: 'Search settings' });
    await search.fill('lockout ENABLED');
    await page.getByText('1 setting found').waitFor();
    await search.fill('no such words');
    await page.getByText('No setting matches. Try another word.').waitFor();
    await search.fill('mail server');
    await page.getByText('Environment variables set the mail server').waitFor();
    const guide = page.getByRole('main').getByRole('link', { name: 'Read the guide' });
    assert.equal(await guide.getAttribute('href'), '/app/guide/operating#environment');
    await search.fill('duration lockout');
    await page.getByRole('link', { name: 'User lockout (sec)' }).waitFor();
    await search.fill('Latchkey.Brand');
    await page.getByText('No setting matches. Try another word.').waitFor();
    await search.fill('refused request');
    await page.getByText('Rate limiting › Shortest wait when over the limit').waitFor();
    await assertAccessible(page);
    await tabTo(page, page.getByRole('link', { name: 'Rate limits per IP address' }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/settings?category=Rate+limiting&setting=Latchkey.RateLimiting');
    await page.locator('[data-marked][data-setting="Latchkey.RateLimiting"]').waitFor();
    assert.equal(await focused(page), 'Latchkey.RateLimiting');
    assert.equal(await search.inputValue(), '');

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill('require length');
    await page.getByRole('dialog').getByRole('button', { name: 'Require length Password' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/app/settings?category=Password+complexity&setting=${LENGTH}`);
    await page.locator(`[data-marked][data-setting="${LENGTH}"]`).waitFor();
    assert.equal(await page.getByRole('radio', { name: 'Front-end specific' }).isChecked(), true);
    await page.context().close();
  });

  it('save the changes of several sections and front ends at once, and take them back', async () => {
    const page = await openSettings('?category=Rate+limiting');
    await page.getByLabel('Requests for pins and links').fill('7');
    await page.getByRole('link', { name: 'Audit trail', exact: true }).last().click();
    await page.getByLabel('Retention').fill('5000');
    await page.getByText('Front-end specific').click();
    await page.getByLabel('Front end', { exact: true }).selectOption('portal');
    // Until the page shows this front end, its links lead to the sections of the other one.
    const ofPortal = page.locator('[href*="frontEnd=portal"]');
    await page.getByRole('link', { name: 'Password complexity' }).and(ofPortal).click();
    await page.getByRole('textbox', { name: 'Require length' }).fill('20');
    await barOf(page).getByText('3 changes not saved').waitFor();
    await button(page, 'Review').click();
    const review = page.getByRole('dialog', { name: 'Changes that are not saved' });
    await review.getByText('to 20 characters').waitFor();
    await review.getByText('from 5', { exact: true }).waitFor();
    await assertAccessible(page);
    await review.getByRole('button', { name: 'Discard: Require length' }).press('Enter');
    await review.getByText('to 20 characters').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement?.ariaLabel'), 'Discard: Audit trail');
    await page.keyboard.press('Escape');
    await review.waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Require length' }).fill('20');

    await button(page, 'Save').click();
    await barOf(page).getByText('1 change not saved').waitFor();
    const wrong = page.getByLabel('Retention');
    await settingOf(page, 'Audit trail').getByText('From 30 days to 3,650 days.', { exact: true }).waitFor();
    assert.equal(await wrong.inputValue(), '5000', 'the refused value stays typed');
    assert.equal(await page.evaluate('document.activeElement?.name'), 'retentionDays');
    assert.deepEqual(
      [(await readCompound('Latchkey.RateLimiting')).otpPermitLimit, await read(LENGTH, 'portal')],
      [7, 20],
    );
    await page.getByText('2 settings saved.').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('2 changes undone.').waitFor();
    assert.deepEqual(
      [(await readCompound('Latchkey.RateLimiting')).otpPermitLimit, await read(LENGTH, 'portal'), await read(LENGTH)],
      [5, 12, 12],
    );
    await wrong.fill('500');
    await page.keyboard.press('Enter');
    await page.getByText('Audit trail: saved.').waitFor();
    const contents = page.getByRole('navigation', { name: 'Categories' });
    assert.match(await descriptionOf(contents.getByRole('link', { name: 'Audit trail' })), /^1 setting changed$/);
    await reset('Latchkey.Audit');
    await page.context().close();
  });

  it('compare front ends, and tell where a value comes from', async () => {
    await pages.test.set(LENGTH, 16, 'kiosk');
    const page = await openSettings();
    await page.getByText('Compare', { exact: true }).click();
    await page.waitForURL('**/app/settings?view=compare');
    const table = page.getByRole('table', { name: 'Compare front ends' });
    const row = table.getByRole('row', { name: /Require length/ });
    await row.getByRole('link').first().waitFor();
    assert.deepEqual(await row.getByRole('link').allTextContents(), [
      '12 characters',
      '16 characters',
      '12 characters',
    ]);
    await page.getByRole('checkbox', { name: 'Portal' }).uncheck();
    await page.getByRole('switch', { name: 'Only differences' }).press('Space');
    assert.deepEqual(await table.getByRole('row').count(), 2);
    await assertAccessible(page);
    await row.getByRole('link', { name: '16 characters' }).click();
    await page.waitForURL(`**/app/settings?frontEnd=kiosk&category=Password+complexity&setting=${LENGTH}`);
    await page.getByRole('button', { name: 'Where the value comes from: Require length' }).click();
    const origin = page.getByRole('dialog');
    const layers = await origin.getByRole('listitem').allTextContents();
    assert.match(layers[0] ?? '', /^Default of the service12 characters$/);
    assert.match(layers[1] ?? '', /^Whole serviceEach front end has its own value$/);
    assert.match(layers[2] ?? '', /^KioskApplies16 charactersLast changed by admin,/);
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await reset(LENGTH, 'kiosk');

    await page.goto('/app/settings?frontEnd=kiosk&category=Security');
    await page.getByRole('button', { name: 'Where the value comes from: User lockout (sec)' }).click();
    await origin.getByText('Users with permissions get the stricter value of this one and Default UI.').waitFor();
    await page.keyboard.press('Escape');

    const FACTOR = 'Latchkey.Factors.SecondFactor';
    await pages.test.set('Latchkey.Factors', { authenticator: true });
    await pages.test.set(FACTOR, 'required', 'default-app');
    await page.goto(`/app/settings?frontEnd=kiosk&category=Security&setting=${FACTOR}`);
    await page.getByRole('button', { name: 'Where the value comes from: Second factor' }).click();
    const last = origin.getByRole('listitem').last();
    await last.getByText('Applies to all front ends while Default UI has this value').waitFor();
    assert.match((await last.textContent()) ?? '', /^Default UIAppliesRequired/);
    await reset(FACTOR, 'default-app');
    await reset('Latchkey.Factors');
    await page.context().close();
  });

  it('show what a preset would change, and save nothing before the administrator does', async () => {
    await pages.test.set(LENGTH, 20, 'portal');
    await pages.test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    const page = await openSettings();
    await page.getByRole('button', { name: 'Presets' }).click();
    const dialog = page.getByRole('dialog', { name: 'Presets' });
    await dialog.getByText('3 settings will change').waitFor();
    const changes = (await dialog.getByRole('listitem').allTextContents()).join('\n');
    assert.match(changes, /Section 4\.2\.1.*Use reset password via security questions.*from On.*to Off/);
    assert.match(
      changes,
      /Default UI, Kiosk · Section 3\.1\.1\.2.*Require length.*from 12 characters.*to 15 characters/,
    );
    assert.doesNotMatch(changes, /Portal/, 'a stricter value stays');
    await dialog.getByRole('checkbox', { name: 'Kiosk' }).uncheck();
    await dialog.getByRole('button', { name: 'Fill in 2 changes' }).click();
    await barOf(page).getByText('2 changes not saved').waitFor();
    assert.equal(await read(LENGTH), 12);
    await button(page, 'Save').click();
    await page.getByText('2 settings saved.').waitFor();
    assert.deepEqual([await read(LENGTH), await read(LENGTH, 'kiosk'), await read(LENGTH, 'portal')], [15, 12, 20]);
    assert.equal((await readCompound('Shesha.Security')).useResetPasswordViaSecurityQuestions, false);

    await page.getByRole('button', { name: 'Presets' }).click();
    await dialog.getByRole('combobox', { name: 'Preset' }).selectOption('shesha');
    await dialog.getByRole('button', { name: 'Fill in 2 changes' }).click();
    await button(page, 'Save').click();
    await page.getByText('2 settings saved.').last().waitFor();
    await barOf(page).waitFor({ state: 'detached' });
    const { result } = await pages.test.get('/api/services/app/Settings/GetOverrides', { token });
    const names = result.items.map((one) => one.name);
    assert.deepEqual(names.toSorted(), ['Latchkey.RateLimiting', 'Shesha.Security'], 'a preset of defaults resets');
    await reset('Shesha.Security');
    await page.context().close();
  });

  it('speak German, to the labels and faults of settings', async () => {
    const page = await openSettings('?frontEnd=kiosk&category=Links', 'de');
    await page.getByRole('heading', { name: 'Links', level: 2 }).waitFor();
    const address = page.getByRole('textbox', { name: 'Basisadresse der Links' });
    await address.fill('http://app.example.com');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByText('http://app.example.com ist nicht verschlüsselt').first().waitFor();
    await page.getByRole('button', { name: 'Verwerfen', exact: true }).click();
    await page.goto('/app/settings?frontEnd=kiosk&category=Security');
    await page
      .getByText('5 falsche Passwörter oder Codes nacheinander sperren den Benutzer (Dauer: 5 Minuten).')
      .waitFor();
    await page.getByRole('searchbox').fill('mindestlange');
    await page.getByRole('link', { name: 'Mindestlänge' }).waitFor();
    await page.context().close();
  });

  it('are accessible, on a narrow screen too', () =>
    assertAccessibleEverywhere(pages, async (page) => {
      await openSignedIn(page, '/app/settings?view=compare');
      await page.getByText('Require length').first().waitFor();
      await assertAccessible(page);
      await page.getByRole('button', { name: 'Presets' }).click();
      await page.getByRole('dialog').getByText('settings will change').waitFor();
      await assertAccessible(page);
      await page.keyboard.press('Escape');
      await page.goto('/app/settings?category=Messages');
      await page.getByLabel('Default region').fill('XX');
      await button(page, 'Save').click();
      await page.getByText('"XX" is not a country with phone numbers.').first().waitFor();
    }));
});
