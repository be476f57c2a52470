// My account, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { assertAccessible, assertAccessibleEverywhere, type Pages, signIn, startPages } from '../support/browser.ts';
import { liftLimits, receive } from '../support/messages.ts';

const CANARY = '<img src=x onerror="document.title=\'taken\'">';
const NEW_PASSWORD = 'lantern gravel staple';

/** The pin in a message. */
const pinIn = (text: string) => text.match(/\b\d{6}\b/)?.[0] ?? '';

describe('my account', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  async function openAs(userName: string, more: Record<string, unknown> = {}) {
    await pages.test.createUser(userName, { name: 'Ann', surname: 'Other', ...more });
    const context = await pages.open();
    const page = await context.newPage();
    await signIn(page, userName, USER_PASSWORD);
    return { context, page };
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const status = async (token: string) => (await pages.test.get('/api/services/app/Session/GetAll', { token })).status;

  it('verifies the e-mail address with the password and a pin, and shows names as text', async () => {
    const { context, page } = await openAs('verifier', { surname: CANARY, emailAddress: 'verifier@example.org' });
    await page.getByText(`Ann ${CANARY}`).last().waitFor();
    await page.getByText('Not verified').waitFor();
    await button(page, 'Verify the e-mail address').click();
    const password = page.getByLabel('Current password', { exact: true });
    await password.fill('not it at all');
    await button(page, 'Send the code').click();
    await page.locator('input[name=currentPassword][aria-invalid=true]').waitFor();
    await password.fill(USER_PASSWORD);
    await button(page, 'Send the code').click();
    const pin = page.getByLabel('Code', { exact: true });
    await pin.fill('nonsense');
    await button(page, 'Verify').click();
    await page.locator('input[name=pin][aria-invalid=true]').waitFor();
    await pin.fill(pinIn(await receive(pages)));
    await page.getByText('verifier@example.org is verified.').waitFor();
    await page.getByText('Verified', { exact: true }).waitFor();
    assert.doesNotMatch(await page.title(), /taken/);
    await context.close();
  });

  it('takes the code that was sent, also after another one was refused for a while', async () => {
    const { context, page } = await openAs('waiter', { emailAddress: 'waiter@example.org' });
    await pages.test.set('Shesha.Otp', { resendCooldown: 600 });
    await button(page, 'Verify the e-mail address').click();
    const password = page.getByLabel('Current password', { exact: true });
    await password.fill(USER_PASSWORD);
    await button(page, 'Send the code').click();
    await button(page, 'Send another code').click();
    await password.fill(USER_PASSWORD);
    await button(page, 'Send the code').click();
    await page.getByTestId('problem').waitFor();
    await button(page, 'Back').click();
    await page.getByLabel('Code', { exact: true }).fill(pinIn(await receive(pages)));
    await page.getByText('waiter@example.org is verified.').waitFor();
    await liftLimits(pages);
    await context.close();
  });

  it('adds a mobile number by keyboard alone, and returns the focus', async () => {
    const { context, page } = await openAs('caller');
    await button(page, 'Add a mobile number').focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: 'Add a mobile number' })
      .getByLabel('Mobile number', { exact: true })
      .waitFor();
    await page.keyboard.type('+49 151 23456789');
    await page.keyboard.press('Tab');
    await page.keyboard.type(USER_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.keyboard.type(pinIn(await receive(pages)));
    await page.getByText('+4915123456789 is verified.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.locator('button:focus', { hasText: 'Change the mobile number' }).waitFor();
    await context.close();
  });

  it('shows no session that a new address has ended', async () => {
    const { context, page } = await openAs('mover');
    const body = { userNameOrEmailAddress: 'mover', password: USER_PASSWORD };
    const headers = { 'user-agent': 'ANameOfAProgramThatIsAsLongAsItsMakersLike/1.0' };
    const { accessToken } = (await pages.test.post('/api/TokenAuth/Authenticate', { body, headers })).result;
    await page.setViewportSize({ width: 320, height: 800 });
    await page.reload();
    const sessions = page.getByRole('region', { name: 'Open sessions' }).getByRole('listitem');
    await sessions.nth(1).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, 'a long name wraps');
    await button(page, 'Add an e-mail address').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address', { exact: true }).fill('mover@example.org');
    await dialog.getByLabel('Current password', { exact: true }).fill(USER_PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Code', { exact: true }).fill(pinIn(await receive(pages)));
    await page.getByText('mover@example.org is verified.').waitFor();
    await sessions.nth(1).waitFor({ state: 'detached' });
    assert.equal(await status(accessToken), 401);
    await context.close();
  });

  it('changes the password, and ends the other sessions', async () => {
    const { context, page } = await openAs('changer');
    const other = await pages.test.signIn('changer');
    await button(page, 'Change the password').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password', { exact: true }).fill(USER_PASSWORD);
    await dialog.getByLabel('New password', { exact: true }).fill('short');
    await dialog.getByLabel('Repeat the new password', { exact: true }).fill('shorter');
    await button(page, 'Change the password').last().click();
    await dialog.locator('input[name=repeated][aria-invalid=true]').waitFor();
    await dialog.getByLabel('Repeat the new password', { exact: true }).fill('short');
    await button(page, 'Change the password').last().click();
    await dialog.locator('input[name=newPassword][aria-invalid=true]').waitFor();
    assert.equal(await status(other), 200);
    await dialog.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await dialog.getByLabel('Repeat the new password', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Your password was changed, and your other sessions have ended.').waitFor();
    assert.equal(await status(other), 401);
    await pages.test.signIn('changer', NEW_PASSWORD);
    await context.close();
  });

  it('accepts answers to security questions, and says how many are needed and whether they help', async () => {
    const { context, page } = await openAs('answerer');
    const section = page.getByRole('region', { name: 'Security questions' });
    assert.equal(await section.count(), 0, 'they are turned off, and there are no answers');
    await pages.test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    await page.reload();
    await page.getByText('security questions, answer at least 3.').waitFor();
    await button(page, 'Answer questions').click();
    await button(page, 'Save the answers').click();
    await page.locator('select[name="answers.0.questionId"][aria-invalid=true]').waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'answers.0.questionId');
    for (const number of [1, 2, 3]) {
      await page.getByLabel(`Question ${number}`, { exact: true }).selectOption({ index: 1 });
      await page.getByLabel(`Answer ${number}`, { exact: true }).fill(number < 3 ? 'Timbuktu' : 'Zanzibar');
    }
    await page.getByLabel('Current password', { exact: true }).fill(USER_PASSWORD);
    await button(page, 'Save the answers').click();
    await page.locator('input[name="answers.1.answer"][aria-invalid=true]').waitFor();
    await page.getByLabel('Answer 2', { exact: true }).fill('Reykjavik');
    await button(page, 'Save the answers').click();
    await page.getByText('Your answers were saved.').waitFor();
    await page.getByText('You have answered 3 questions:').waitFor();
    assert.equal(await page.getByText('Security questions reset no password').count(), 0);
    const list = 'Latchkey.SecurityQuestions';
    const { default: questions } = pages.test.service.settings.find(list);
    for (const [setting, value] of [
      [list, [questions].flat().slice(0, 2)],
      ['Shesha.Security', { useResetPasswordViaSecurityQuestions: false }],
    ] as const) {
      await pages.test.set(setting, value);
      await page.reload();
      await section.getByText('Security questions reset no password at present. Your answers are kept.').waitFor();
      assert.equal(await button(page, 'Answer again').count(), 0);
      await pages.test.set(list, questions);
    }
    await context.close();
  });

  it('lists the open sessions, and ends one or all others', async () => {
    const { context, page } = await openAs('traveller');
    const open = async (agent: string): Promise<string> => {
      const body = { userNameOrEmailAddress: 'traveller', password: USER_PASSWORD };
      const call = { body, headers: { 'user-agent': agent } };
      return (await pages.test.post('/api/TokenAuth/Authenticate', call)).result.accessToken;
    };
    const fox = await open('Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0');
    const script = await open(CANARY);
    await page.reload();
    const sessions = page.getByRole('region', { name: 'Open sessions' }).getByRole('listitem');
    await page.getByText(CANARY.slice(0, 20)).waitFor();
    assert.equal(await sessions.filter({ hasText: 'This session' }).getByRole('button').count(), 0);
    assert.equal(await sessions.getByText('Front end: ').count(), 0, 'all have the same');
    await button(page, 'End Firefox on Windows').click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('The session has ended.').waitFor();
    await sessions.nth(2).waitFor({ state: 'detached' });
    assert.deepEqual([await sessions.count(), await status(fox), await status(script)], [2, 401, 200]);
    await button(page, 'End all others').press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
    assert.equal(await status(script), 200);
    await button(page, 'End all others').press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).press('Enter');
    await page.getByText('All other sessions have ended.').waitFor();
    await sessions.nth(1).waitFor({ state: 'detached' });
    assert.deepEqual([await sessions.count(), await status(script)], [1, 401]);
    await context.close();
  });

  it('shows nothing private after signing out, also on the way back', async () => {
    const { context, page } = await openAs('leaver', { surname: 'Privacy' });
    await page.goto('/app?again');
    await page.getByText('Ann Privacy').last().waitFor();
    await button(page, 'Sign out').click();
    await page.waitForURL('**/login?*');
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(await page.getByText('Privacy').count(), 0);
    await context.close();
  });

  it('is accessible, with each of its dialogs', async () => {
    const emailAddress = 'a.rather.long.name.of.somebody@department.of.something.example.org';
    await pages.test.createUser('reader', { emailAddress });
    await assertAccessibleEverywhere(pages, async (page) => {
      await signIn(page, 'reader', USER_PASSWORD);
      await page.getByText('This session').waitFor();
      for (const name of ['Change the e-mail address', 'Change the password']) {
        await button(page, name).click();
        await page.getByRole('dialog').getByLabel('Current password', { exact: true }).waitFor();
        await assertAccessible(page);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
    });
  });
});
