// Journeys by keyboard alone that the other tests make by mouse: from the first page to the last, without a click.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { pinIn } from '../../server/test/support/registration.ts';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../../server/test/support/service.ts';
import { type Pages, startPages, tabTo } from '../support/browser.ts';
import { liftLimits, linkIn, receive } from '../support/messages.ts';

const questions = ['red', 'green', 'blue'].map((answer, index) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  question: `Question ${index}?`,
  answer,
}));

describe('by keyboard alone', () => {
  let pages: Pages;
  let page: Page;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    const { test } = pages;
    await test.set(
      'Latchkey.SecurityQuestions',
      questions.map(({ id, question }) => ({ id, question })),
    );
    await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    for (const [index, name] of ['linda', 'sizwe', 'quinn'].entries()) {
      await test.createUser(name, {
        emailAddress: `${name}@example.org`,
        isEmailConfirmed: true,
        mobileNumber: `+2782123456${index}`,
        isMobileConfirmed: true,
      });
    }
    const token = await test.signIn('quinn');
    const answers = questions.map(({ id, answer }) => ({ questionId: id, answer }));
    const body = { currentPassword: USER_PASSWORD, answers };
    await test.post('/api/services/app/User/SetMySecurityQuestions', { token, body });
    await test.deliver();
  });
  after(() => pages.close());

  /** Moves the focus to a field or button by Tab, and types there or presses it. */
  async function type(field: Locator, text: string): Promise<void> {
    await tabTo(page, field);
    await page.keyboard.type(text);
  }
  async function press(wanted: Locator): Promise<void> {
    await tabTo(page, wanted);
    await page.keyboard.press('Enter');
  }
  const button = (name: string | RegExp) =>
    page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

  const openPage = async (path: string) => {
    page = await (await pages.open()).newPage();
    await page.goto(path);
  };
  async function signIn(name: string, password: string): Promise<void> {
    await type(field('User name or e-mail address'), name);
    await type(field('Password'), password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app**');
    await button('Sign out').waitFor();
  }
  /** From the sign-in page to the choice of ways. */
  async function forget(name: string, way: RegExp): Promise<void> {
    await openPage('/login');
    await press(page.getByRole('link', { name: 'Forgot your password?' }));
    await page.waitForURL('**/forgot-password');
    await type(field('User name or e-mail address'), name);
    await page.keyboard.press('Enter');
    await press(button(way));
  }
  async function renew(): Promise<void> {
    await page.getByRole('heading', { name: 'Set your password' }).waitFor();
    await type(field('New password'), 'a new password for it');
    await type(field('Repeat the new password'), 'a new password for it');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My account', level: 1 }).waitFor();
    await pages.test.deliver();
    await page.context().close();
  }

  it('a forgotten password is replaced by a mailed link', async () => {
    await forget('linda', /link by e-mail/);
    await field('Code').waitFor();
    await page.goto(linkIn(await receive(pages), pages));
    await press(button('Continue'));
    await renew();
  });

  it('a forgotten password is replaced by SMS', async () => {
    await forget('sizwe', /by SMS/);
    await field('Code').waitFor();
    await page.keyboard.type(pinIn({ text: await receive(pages) }));
    await renew();
  });

  it('a forgotten password is replaced by security questions', async () => {
    await forget('quinn', /security questions/);
    // The questions come in random order: Tab goes round.
    for (const { question, answer } of questions) await type(field(question), answer);
    await press(button('Check'));
    await renew();
  });

  it('a user is created, locked out and unlocked, deactivated and activated', async () => {
    await openPage('/login?to=/app/users');
    await signIn('admin', ADMIN_PASSWORD);
    await press(page.getByRole('link', { name: 'Create a user' }));
    await type(field('User name'), 'newcomer');
    await tabTo(page, page.getByRole('radio', { name: 'Send a link to set a password' }));
    await page.keyboard.press('ArrowDown');
    await tabTo(page, field('The password must be changed at the next sign-in'));
    await page.keyboard.press('Space');
    await type(field('Password'), USER_PASSWORD);
    await type(field('Repeat the password'), USER_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('newcomer was created.').waitFor();
    const guess = (password: string) =>
      pages.test.post('/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress: 'newcomer', password } });
    for (let count = 0; count < 5; count += 1) await guess('not it at all');
    await press(page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Users' }));
    await press(page.getByRole('link', { name: 'newcomer' }));
    await page.reload();
    await page.getByText('Locked after too many failed attempts').waitFor();
    await press(button('Unlock').first());
    await page.getByText('newcomer is no longer locked.').waitFor();
    assert.equal((await guess(USER_PASSWORD)).status, 200);

    await press(button('Deactivate'));
    await press(inDialog('Deactivate'));
    await page.getByText('The user is deactivated.').waitFor();
    assert.equal((await guess(USER_PASSWORD)).status, 401);
    await press(button('Activate').first());
    await page.getByText('newcomer is active again.').waitFor();
    assert.equal((await guess(USER_PASSWORD)).status, 200);
    await page.context().close();
  });

  it('the dialog before automatic log-off is answered, one way and the other', async () => {
    const timeout = 120;
    await pages.test.set('Shesha.Security', { useAutoLogoff: true, autoLogoffTimeout: timeout });
    const context = await pages.open();
    await context.clock.install();
    page = await context.newPage();
    await page.goto('/login');
    await signIn('admin', ADMIN_PASSWORD);
    const dialog = page.getByRole('dialog', { name: 'Are you still there?' });
    const wait = async () => {
      await context.clock.fastForward((timeout - 50) * 1000);
      await dialog.waitFor();
      await context.clock.runFor(1000);
    };
    await wait();
    await press(inDialog('Stay signed in'));
    await dialog.waitFor({ state: 'hidden' });
    await wait();
    await press(inDialog('Sign out now'));
    await page.getByText('You are signed out.').waitFor();
    await context.close();
  });
});
