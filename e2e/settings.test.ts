// The settings page, in a real browser: changes of administrators, for all front ends or one, and their reset.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { Type } from 'typebox';
import { defineSetting } from '../server/src/foundation/setting.ts';
import { itAtLength } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  hold,
  openSignedIn,
  type Pages,
  startPages,
  tabTo,
  waitForValue,
} from './support/browser.ts';

const REQUIRE_DIGIT = 'Abp.Zero.UserManagement.PasswordComplexity.RequireDigit';
const CANARY = '<img src=x onerror="window.harm=1">';

/** Settings as an extension defines them: of kinds that no setting of the service has. */
const foreign = defineSetting({
  name: 'Other.Setting',
  scope: 'general',
  category: 'Of others',
  label: 'Foreign setting',
  description: CANARY,
  kind: 'compound',
  public: false,
  order: 900,
  schema: Type.Object({
    share: Type.Number({ title: 'Share', minimum: 0, maximum: 1 }),
    days: Type.Array(Type.Enum(['Monday', 'Tuesday']), { title: 'Days' }),
    limits: Type.Object({ most: Type.Integer({ minimum: 1 }) }, { title: 'Limits' }),
    comment: Type.String({ title: CANARY, maxLength: 100 }),
  }),
  default: { share: 0.5, days: [], limits: { most: 3 }, comment: '' },
});

describe('the settings page', () => {
  let pages: Pages;
  let token: string;
  before(async () => {
    pages = await startPages('sqlite', { additions: { settings: [foreign] } });
    const { test } = pages;
    await test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000 });
    await test.createUser('rosa', { roleNames: ['Administrator'] });
    token = await test.admin();
    const body = { appKey: 'kiosk', name: 'Kiosk' };
    await test.post('/api/services/app/FrontEndApp/Create', { token, body });
  });
  after(() => pages.close());

  /** A separate browser, on the settings page. */
  async function openSettings(query = '', name?: string): Promise<Page> {
    const page = await (await pages.open()).newPage();
    await openSignedIn(page, `/app/settings${query}`, name, name && USER_PASSWORD);
    await page.getByRole('heading', { level: 2 }).waitFor();
    return page;
  }
  const previewOf = (page: Page) => page.getByRole('region', { name: 'Preview' });
  const settingOf = (page: Page, label: string) => page.getByRole('form', { name: label, exact: true });
  const barOf = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });
  const pressSave = (page: Page) => barOf(page).getByRole('button', { name: 'Save', exact: true }).click();
  async function save(page: Page, label: string) {
    await pressSave(page);
    await page.getByText(`${label}: saved. It applies from the next request on.`).waitFor();
    await barOf(page).waitFor({ state: 'detached' });
  }
  const read = async (name: string, appKey?: string) => {
    const query = { name, ...(appKey !== undefined && { appKey }) };
    return (await pages.test.get('/api/services/app/Settings/GetValue', { token, query })).result;
  };
  const readCompound = async (name: string) => (await read(name)) as Record<string, unknown>;
  const reset = (name: string, appKey?: string) =>
    pages.test.post('/api/services/app/Settings/ResetValue', { token, body: { name, appKey } });

  it('applies a setting to the next request of another browser', async () => {
    await pages.test.createUser('thandi');
    const other = await (await pages.open()).newPage();
    const guess = async () => {
      await other.goto('/login');
      await other.getByLabel('User name or e-mail address').fill('thandi');
      await other.getByLabel('Password', { exact: true }).fill('not it');
      await other.getByRole('button', { name: 'Sign in', exact: true }).click();
      return (await other.getByTestId('problem').textContent()) ?? '';
    };
    assert.match(await guess(), /wrong/);
    const page = await openSettings('?frontEnd=default-app');
    const label = 'Max failed login attempts before lockout';
    await page.getByLabel(label, { exact: true }).and(page.getByRole('textbox')).fill('2');
    await save(page, label);
    assert.match(await guess(), /too many failed attempts/);
    await page.getByText('Last changed by admin,').waitFor();
    await reset('Abp.Zero.UserManagement.UserLockOut.MaxFailedAccessAttemptsBeforeLockout', 'default-app');
    await page.context().close();
    await other.context().close();
  });

  it('shows the form and the rows in the order and with the labels of the specification', async () => {
    const page = await openSettings();
    await settingOf(page, 'Security Settings').waitFor();
    const links = await page.getByRole('navigation', { name: 'Categories' }).getByRole('link').all();
    const names = await Promise.all(links.slice(0, 3).map((link) => link.getAttribute('aria-label')));
    assert.deepEqual(names, ['Security', 'Rate limiting', 'One-time pins']);
    const form = settingOf(page, 'Security Settings');
    const fields = await form.locator('[name]').evaluateAll((all) => all.map((one) => one.getAttribute('name')));
    assert.deepEqual(fields, Object.keys(await readCompound('Shesha.Security')));
    await page.getByText('Front-end specific').click();
    await page.waitForURL('**/app/settings?frontEnd=default-app');
    const options = page.getByLabel('Front end', { exact: true }).locator('option');
    await options.nth(1).waitFor({ state: 'attached' });
    const frontEnds = await options.allTextContents();
    assert.deepEqual(frontEnds, ['Default UI', 'Kiosk']);
    await page.getByRole('link', { name: 'Password complexity' }).click();
    await settingOf(page, 'Require length').waitFor();
    await page.getByRole('main').getByRole('form').nth(4).waitFor();
    const rows = await page.getByRole('main').getByRole('form').all();
    assert.deepEqual(await Promise.all(rows.map((row) => row.getAttribute('aria-label'))), [
      'Require digit',
      'Require lowercase',
      'Require upper case',
      'Require non alphanumeric',
      'Require length',
    ]);
    await page.context().close();
  });

  it('sets a value for one front end only, by keyboard alone', async () => {
    const page = await openSettings('?category=Messages');
    await page.getByRole('heading', { name: 'Settings', exact: true }).focus();
    await tabTo(page, page.getByRole('radio', { name: 'General' }));
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**/app/settings?frontEnd=default-app');
    await tabTo(page, page.getByLabel('Front end', { exact: true }));
    await page.keyboard.press('k');
    await page.waitForURL('**/app/settings?frontEnd=kiosk&category=Security');
    await tabTo(page, page.getByRole('link', { name: 'Password complexity' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('switch', { name: 'Require digit' }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('button', { name: 'Save', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByText('Require digit: saved.').waitFor();
    assert.deepEqual([await read(REQUIRE_DIGIT, 'kiosk'), await read(REQUIRE_DIGIT, 'default-app')], [true, false]);
    await tabTo(page, page.getByRole('button', { name: 'History of Require digit' }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('admin,').waitFor();
    await tabTo(page, page.getByRole('button', { name: /^Undo: / }));
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Undo: Require digit' });
    await tabTo(page, question.getByRole('button', { name: 'Undo', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await read(REQUIRE_DIGIT, 'kiosk'), false);
    await tabTo(page, page.getByRole('switch', { name: 'Require digit' }));
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByText('Require digit: saved.').last().waitFor();
    await barOf(page).waitFor({ state: 'detached' });
    await tabTo(page, page.getByRole('button', { name: 'Back to default: Require digit' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Back to default' }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await read(REQUIRE_DIGIT, 'kiosk'), false);
    await page.context().close();
  });

  it('tells an administrator that another one has saved meanwhile, and offers the choice', async () => {
    const [first, second] = [await openSettings(), await openSettings('', 'rosa')];
    const [mine, theirs] = [settingOf(first, 'Security Settings'), settingOf(second, 'Security Settings')];
    const change = async (page: Page, form: Locator, label: string, minutes: string) => {
      await form.getByLabel(label, { exact: true }).fill(minutes);
      await pressSave(page);
      await page.getByRole('alert').or(page.getByText('saved. It applies')).first().waitFor();
    };
    await mine.getByLabel('Mobile login pin lifetime', { exact: true }).fill('4');
    await change(second, theirs, 'Auto logoff timeout', '15');
    await barOf(second).waitFor({ state: 'detached' });
    await pressSave(first);
    const notice = mine.getByRole('alert').filter({ hasText: 'Another administrator has changed this setting' });
    await notice.getByText(/rosa has saved this setting/).waitFor();
    await notice.getByText('to 15 minutes').waitFor();
    const value = await readCompound('Shesha.Security');
    assert.deepEqual([value.autoLogoffTimeout, value.mobileLoginPinLifetime], [900, 300]);
    await assertAccessible(first);
    await notice.getByRole('button', { name: 'Save my change' }).click();
    await first.getByText('Security Settings: saved.').waitFor();
    const merged = await readCompound('Shesha.Security');
    assert.deepEqual([merged.autoLogoffTimeout, merged.mobileLoginPinLifetime], [900, 240]);

    await change(second, theirs, 'Auto logoff timeout', '20');
    await theirs.getByRole('button', { name: 'Keep their change' }).click();
    assert.equal(await theirs.getByLabel('Mobile login pin lifetime', { exact: true }).inputValue(), '4');
    assert.equal(await theirs.getByLabel('Auto logoff timeout', { exact: true }).inputValue(), '15');
    assert.deepEqual(await read('Shesha.Security'), merged);
    await first.context().close();
    await second.context().close();
  });

  it('shows the author of each change, and reverts it', async () => {
    await reset('Shesha.Security');
    const page = await openSettings();
    const form = settingOf(page, 'Security Settings');
    const card = page.locator('[data-setting="Shesha.Security"]');
    const timeout = form.getByLabel('Auto logoff timeout', { exact: true });
    const width = (await form.boundingBox())?.width;
    await timeout.fill('1');
    await pressSave(page);
    await form.getByText('From 2 minutes to 1 day.', { exact: true }).first().waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'autoLogoffTimeout');
    await timeout.fill('10');
    await form.getByRole('switch', { name: 'Use auto logoff' }).press('Space');
    await save(page, 'Security Settings');
    await card.getByRole('button', { name: 'History of Security Settings' }).click();
    const history = page.getByRole('dialog', { name: 'History: Security Settings' });
    await history.getByText('to 10 minutes').first().waitFor();
    await assertAccessible(page);
    assert.equal((await form.boundingBox())?.width, width, 'the button for the default takes nothing from the fields');
    await history.getByRole('button', { name: /^Undo: / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await card.getByRole('button', { name: 'Back to default' }).waitFor({ state: 'detached' });
    assert.equal(await timeout.inputValue(), '30');
    assert.equal((await readCompound('Shesha.Security')).autoLogoffTimeout, 1800);
    assert.equal((await readCompound('Shesha.Security')).useAutoLogoff, false);
    await page.context().close();
  });

  it('asks before it discards unsaved input, and does not keep a person from signing out', async () => {
    const page = await openSettings('?category=Registration');
    await page.getByRole('link', { name: 'Security', exact: true }).click();
    const audience = page.getByLabel('Audience');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await audience.fill('everybody');
    for (const stay of [
      () => page.getByText('Front-end specific').click(),
      () => page.goBack(),
      () => page.getByRole('link', { name: 'Registration' }).click(),
      () => page.getByRole('link', { name: 'Security', exact: true }).click(),
    ]) {
      await stay();
      await barOf(page).getByText('1 change not saved').waitFor();
    }
    assert.equal(await audience.inputValue(), 'everybody', 'sections keep what was typed');
    for (const leave of [
      () => page.getByRole('link', { name: 'Users', exact: true }).click(),
      () => page.getByRole('link', { name: 'Audit trail', exact: true }).first().click(),
    ]) {
      await leave();
      await question.getByRole('button', { name: 'Stay here' }).click();
      await question.waitFor({ state: 'detached' });
      assert.equal(await audience.inputValue(), 'everybody');
    }
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload().catch(() => {});
    const dialog = await asked;
    assert.equal(dialog.type(), 'beforeunload');
    await dialog.dismiss();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await question.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    assert.equal(await audience.inputValue(), 'latchkey');
    await audience.fill('somebody');
    const held: string[] = [];
    page.on('dialog', (one) => {
      held.push(one.type());
      void one.accept();
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login?*');
    assert.deepEqual(held, []);
    await reloaded;
    await page.context().close();
  });

  it('leads on to where the user wanted to go when a change is saved while it asks', async () => {
    const page = await openSettings('?category=Security');
    const audience = page.getByLabel('Audience');
    const former = await audience.inputValue();
    const saving = await hold(page, '**/Settings/UpdateValue');
    await audience.fill('everybody');
    await pressSave(page);
    await saving.arrive();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    saving.release();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await page.getByText(/: saved\./).waitFor();
    await page.unroute('**/Settings/UpdateValue');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 change undone.').waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await waitForValue(page.getByLabel('Audience'), former);
    await page.context().close();
  });

  it('tells a reader who has left what was not saved, and leaves the address as it is', async () => {
    const page = await openSettings('?category=Registration');
    await page.getByRole('link', { name: 'Security', exact: true }).click();
    const audience = page.getByLabel('Audience');
    const saving = await hold(page, '**/Settings/UpdateValue');
    await audience.fill('everybody');
    await pressSave(page);
    await saving.arrive();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await pages.test.set('Latchkey.Tokens', { audience: 'others' });
    saving.release();
    await page.getByText('Tokens and sessions: not saved. Another administrator has changed this setting.').waitFor();
    assert.equal(new URL(page.url()).search, '');
    await reset('Latchkey.Tokens');
    await page.context().close();
  });

  itAtLength('saves what was typed when “Save” was pressed, and nothing that is discarded while it saves', async () => {
    const page = await openSettings('?frontEnd=kiosk&category=Security');
    const LOCKOUT = 'Abp.Zero.UserManagement.UserLockOut';
    const attemptsName = `${LOCKOUT}.MaxFailedAccessAttemptsBeforeLockout`;
    const lockName = `${LOCKOUT}.DefaultAccountLockoutSeconds`;
    const [attempts, lock] = ['Max failed login attempts before lockout', 'User lockout (sec)'];
    const number = (label: string) => settingOf(page, label).getByRole('textbox', { name: label });
    const discard = async () => {
      await barOf(page).getByRole('button', { name: 'Discard' }).click();
      await barOf(page).waitFor({ state: 'detached' });
    };
    const saving = await hold(page, '**/Settings/UpdateValue');

    await number(lock).fill('6');
    await number(attempts).fill('4');
    await pressSave(page);
    await saving.arrive();
    await number(attempts).fill('3');
    saving.release();
    await saving.arrive();
    saving.release();
    await page.getByText('2 settings saved.').waitFor();
    await barOf(page).getByText('1 change not saved').waitFor();
    assert.deepEqual([await number(attempts).inputValue(), await read(attemptsName, 'kiosk')], ['3', 4]);
    await discard();

    await number(lock).fill('7');
    await number(attempts).fill('3');
    await pressSave(page);
    await saving.arrive();
    await discard();
    saving.release();
    await page.getByText(`${lock}: saved.`).waitFor();
    assert.equal(await barOf(page).count(), 0);
    assert.deepEqual([await number(attempts).inputValue(), await read(attemptsName, 'kiosk')], ['4', 4]);

    // What fails after it was discarded does not come back either.
    await number(lock).fill('8');
    await pressSave(page);
    await saving.arrive();
    await discard();
    await pages.test.set(lockName, 540, 'kiosk');
    saving.release();
    await number(attempts).fill('3');
    await pressSave(page);
    await saving.arrive();
    saving.release();
    await page.getByText(`${attempts}: saved.`).waitFor();
    await barOf(page).waitFor({ state: 'detached' });
    assert.equal(await number(lock).inputValue(), '9');
    for (const name of [attemptsName, lockName]) await reset(name, 'kiosk');
    await page.context().close();
  });

  itAtLength('changes lists and settings of unknown kinds, and shows input as text', async () => {
    const page = await openSettings();
    const questions = settingOf(page, 'Security questions');
    await questions.getByRole('button', { name: 'Remove entry 1', exact: true }).click();
    await questions.getByRole('button', { name: 'Add an entry' }).click();
    assert.equal(await page.evaluate('document.activeElement?.name'), '9.question');
    await page.keyboard.type(CANARY);
    await questions.getByLabel('Question 1', { exact: true }).fill('What did you first dream of?');
    await save(page, 'Security questions');
    const list = (await read('Latchkey.SecurityQuestions')) as { id: string; question: string }[];
    assert.deepEqual([list.length, list[0]?.question, list[9]?.question], [10, 'What did you first dream of?', CANARY]);
    assert.match(list[9]?.id ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

    await page.getByRole('link', { name: 'Of others' }).click();
    const other = settingOf(page, 'Foreign setting');
    await other.getByLabel('Share').fill('0.25');
    await other.getByRole('button', { name: 'Add an entry' }).click();
    await other.getByLabel('Days 1').selectOption('Tuesday');
    await other.getByLabel('Limits').fill('{"most": 9');
    await pressSave(page);
    await other.getByText('This is not valid JSON.').first().waitFor();
    await other.getByLabel('Limits').press('}');
    await other.getByLabel(CANARY).fill(CANARY);
    await save(page, 'Foreign setting');
    const expected = { share: 0.25, days: ['Tuesday'], limits: { most: 9 }, comment: CANARY };
    assert.deepEqual(await read('Other.Setting'), expected);
    await page.getByRole('button', { name: 'History of Foreign setting' }).click();
    await page.getByRole('dialog').getByText(`to ${CANARY}`).waitFor();
    assert.equal(await page.evaluate('window.harm'), undefined);
    assert.equal(await page.locator('main img, [role=dialog] img').count(), 0);
    await page.context().close();
  });

  itAtLength('warns of a front end’s value that is weaker than the default front end’s, and of no other', async () => {
    const WEAKER = /^Weaker than Default UI\. Callers name their front end themselves/;
    const security = '&category=Security';
    const page = await openSettings(`?frontEnd=kiosk${security}`);
    const warningOf = (label: string) => settingOf(page, label).getByText(WEAKER);
    const number = (label: string) => settingOf(page, label).getByRole('textbox', { name: label });
    const [attempts, lock] = ['Max failed login attempts before lockout', 'User lockout (sec)'];
    await number(attempts).fill('4');
    await number(lock).fill('6');
    await page.getByText('2 changes not saved').waitFor();
    assert.equal(await page.getByText(WEAKER).count(), 0, 'stricter values');
    await number(attempts).fill('6');
    await warningOf(attempts).waitFor();
    await number(lock).fill('4');
    await warningOf(lock).waitFor();
    await settingOf(page, 'Is user lockout enabled').getByRole('switch').press('Space');
    await warningOf('Is user lockout enabled').waitFor();
    await assertAccessible(page);
    await barOf(page).getByRole('button', { name: 'Discard' }).click();
    await barOf(page).waitFor({ state: 'detached' });
    assert.equal(await number(attempts).inputValue(), '5');

    await pages.test.set(REQUIRE_DIGIT, true);
    await page.goto('/app/settings?frontEnd=kiosk&category=Password+complexity');
    await warningOf('Require digit').waitFor();
    await number('Require length').fill('11');
    await warningOf('Require length').waitFor();
    assert.equal(await page.getByText(WEAKER).count(), 2);
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.goto(`/app/settings?frontEnd=default-app${security}`);
    await number(attempts).fill('6');
    await page.getByText('1 change not saved').waitFor();
    assert.equal(await page.getByText(WEAKER).count(), 0, 'the default front end itself');
    await pages.test.set(REQUIRE_DIGIT, false);
    await page.context().close();
  });

  it('shows a maintainer what only administrators with all permissions change', async () => {
    const body = { name: 'Maintainer', grantedPermissions: ['pages:maintenance'] };
    await pages.test.post('/api/services/app/Role/Create', { token, body });
    await pages.test.createUser('mandla', { roleNames: ['Maintainer'] });
    const page = await openSettings('?setting=Latchkey.Factors', 'mandla');
    const factors = page.locator('[data-setting="Latchkey.Factors"]');
    await factors.getByText('Only administrators with all permissions can change this').waitFor();
    assert.equal(await factors.getByRole('switch', { name: 'Passkeys' }).isDisabled(), true);
    const other = page.locator('[data-setting="Shesha.Security"]');
    assert.equal(await other.getByRole('switch').first().isDisabled(), false);
    await page.context().close();
  });

  it('lists messages, and shows each as it is typed, in the brand of a front end', async () => {
    await pages.test.set('Latchkey.Brand', { name: 'Kiosk' }, 'kiosk');
    const page = await openSettings('?category=Messages');
    await page.getByRole('link', { name: 'Link to reset the password' }).click();
    const preview = previewOf(page);
    await preview.getByText('Hello Thandi Mokoena,').waitFor();
    await preview.locator('strong', { hasText: 'Latchkey' }).first().waitFor();
    await preview.getByLabel('In the brand of').selectOption('Kiosk');
    await preview.locator('strong', { hasText: 'Kiosk' }).first().waitFor();
    const html = page.getByLabel('HTML', { exact: true });
    await html.fill(`<h1 style="color:#a00">Hi</h1><script>harm=1</script>${CANARY}<p><a href="{{link}}">Go</a></p>`);
    await preview.getByText('There is no preview of these texts.').waitFor();
    const styled = '<style>b { color: #0000aa }</style><h1 style="color:#aa0000">Hi</h1>';
    const cover = '<style>:host { contain: none !important; position: fixed !important; inset: 0 !important }</style>';
    await html.fill(`${cover}${styled}<p><b>Code</b> {{pin}} <a href="{{link}}">Go</a></p>`);
    const title = preview.getByText('Hi', { exact: true });
    const colourOf = (element: Locator) =>
      element.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).color);
    assert.equal(await colourOf(title), 'rgb(170, 0, 0)');
    assert.equal(await colourOf(preview.getByText('Code', { exact: true })), 'rgb(0, 0, 170)');
    assert.equal(await preview.getByText('0000aa').count(), 0);
    // What would cover the page stays in the frame: the link beside it can be pressed.
    const links = await preview.getByRole('link').allTextContents();
    assert.deepEqual(links, ['My account'], 'the page has a link, those of a preview lead nowhere');
    await preview.getByText('Plain text').click();
    await preview.getByText(/123456/).waitFor();
    await html.fill('<p>No code</p>');
    await page.keyboard.press('Control+s');
    await page.locator('textarea[aria-invalid=true]').waitFor();
    await page.getByRole('link', { name: 'All messages' }).click();
    const left = page.getByRole('link', { name: 'Link to reset the password' });
    await left.and(page.locator(':focus')).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Link to reset the password' }).getByText('Not saved').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await reset('Latchkey.Brand', 'kiosk');
    await page.context().close();
  });

  itAtLength('sends a message to the administrator as it is typed, and says what is missing', async () => {
    const reach = { emailAddress: 'lindi@example.org', isEmailConfirmed: true };
    await pages.test.createUser('lindi', { roleNames: ['Administrator'], ...reach });
    const page = await openSettings('?category=Messages&setting=Latchkey.Messages.SignInPin', 'lindi');
    await page.getByLabel('Subject', { exact: true }).fill('As typed for {{application}}');
    await previewOf(page).getByText('As typed for Latchkey').waitFor();
    await page.getByRole('button', { name: 'Send me a test e-mail' }).click();
    await page.getByText('A test is on its way to lindi@example.org.').waitFor();
    const messages = (await pages.test.deliver()).filter(({ to }) => to === reach.emailAddress);
    assert.deepEqual(
      messages.map(({ subject }) => subject),
      ['As typed for Latchkey'],
    );
    assert.equal(await page.getByRole('button', { name: 'Send me a test SMS' }).isDisabled(), true);
    const preview = previewOf(page);
    await preview.getByText('Verify your own mobile number first:').waitFor();
    assert.equal(await preview.getByRole('link', { name: 'My account' }).getAttribute('href'), '/app/account');
    await page.getByLabel('Subject', { exact: true }).fill('For {{nam}}');
    await preview.getByText(/^There is no preview of these texts\. There is no \{\{nam\}\} here\. Use only /).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send me a test e-mail' }).isDisabled(), true);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.context().close();
  });

  itAtLength('is accessible, and warns of less secure values', () =>
    assertAccessibleEverywhere(pages, async (page) => {
      await openSignedIn(page, '/app/settings?frontEnd=kiosk&category=Password+complexity');
      await page.getByRole('textbox', { name: 'Require length' }).fill('7');
      await page.getByText('This is less secure').waitFor();
      await assertAccessible(page);
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.goto('/app/settings?category=Messages');
      await page.getByRole('list', { name: 'Messages' }).waitFor();
      await assertAccessible(page);
      await page.getByRole('link', { name: 'Code to sign in', exact: true }).click();
      await settingOf(page, 'Message: code to sign in').waitFor();
      await previewOf(page).getByText('123456').waitFor();
      await assertAccessible(page);
      await page.goto('/app/settings');
      await settingOf(page, 'Security questions').waitFor();
      await page.getByRole('switch', { name: 'Use reset password via security questions' }).press('Space');
      await page.getByText('This is less secure').waitFor();
    }),
  );
});
