// A forgotten password, in a real browser: by a mailed link, by SMS, by security questions.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openChannels } from '../server/src/app/channels.ts';
import { systemClock } from '../server/src/foundation/clock.ts';
import { type MailServer, startMailServer } from '../server/test/support/mail-server.ts';
import { pinIn, wrongPin } from '../server/test/support/registration.ts';
import { itAtLength } from '../server/test/support/scale.ts';
import type { TestService } from '../server/test/support/service.ts';
import { type SmsGateway, startSmsGateway } from '../server/test/support/sms-gateway.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  hold,
  openSignedIn,
  type Pages,
  startPages,
} from './support/browser.ts';
import { enrollApp, setFactors } from './support/factors.ts';
import { liftLimits, linkIn, receive } from './support/messages.ts';

const canary = '<img src=x onerror="document.title=1"> Whose <b>dog</b>?';

const questions = ['red', 'green', 'blue'].map((answer, index) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  question: `${canary} ${index}`,
  answer,
}));

const thandi = {
  emailAddress: 'thandi@example.org',
  isEmailConfirmed: true,
  mobileNumber: '+27821234567',
  isMobileConfirmed: true,
};

async function begin(page: Page, name: string): Promise<void> {
  await page.goto('/forgot-password');
  await page.getByLabel('User name or e-mail address').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Types the name, and chooses a way. */
async function choose(page: Page, way: RegExp): Promise<void> {
  await begin(page, 'thandi');
  await page.getByRole('button', { name: way }).click();
}

/** Sets the new password. It signs in, unless something else is due. */
async function setPassword(page: Page, password: string, after = 'My account'): Promise<void> {
  await page.getByRole('heading', { name: 'Set your password' }).waitFor();
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Repeat the new password').fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('heading', { name: after, level: 1 }).waitFor();
}

/** Enables resets by security questions, and answers all as the user: a reset by other means deletes the answers. */
async function answerAll(test: TestService, currentPassword: string): Promise<void> {
  const token = await test.signIn('thandi', currentPassword);
  const answers = questions.map(({ id, answer }) => ({ questionId: id, answer }));
  const body = { currentPassword, answers };
  await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
  const { status, text } = await test.post('/api/services/app/User/SetMySecurityQuestions', { token, body });
  assert.equal(status, 200, text);
}

describe('a forgotten password', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    const { test } = pages;
    await test.set(
      'Latchkey.SecurityQuestions',
      questions.map(({ id, question }) => ({ id, question })),
    );
    await test.createUser('thandi', thandi);
  });
  after(() => pages.close());

  /** Discards the notices of a new password before the next test. */
  const finish = async (page: Page, password: string) => {
    await setPassword(page, password);
    await pages.test.deliver();
    await page.context().close();
  };

  it('is replaced by a mailed link, and opening the link alone does not use it up', async () => {
    const page = await (await pages.open()).newPage();
    await choose(page, /link by e-mail to t\*\*\*@\*\*\*$/);
    await page.getByLabel('Code').waitFor();
    const link = linkIn(await receive(pages), pages);
    const scanner = await (await pages.open()).newPage();
    await scanner.goto(link);
    await scanner.getByText('Continue to set the password of thandi.').waitFor();
    await scanner.waitForLoadState('networkidle');
    await scanner.context().close();
    await page.goto(link);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    assert.equal(page.url(), `${pages.url}/reset-password`);
    const language = page.getByRole('combobox', { name: 'Language' });
    await language.selectOption('de');
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('New password', { exact: true }).fill('short');
    assert.equal(await language.count(), 0, 'a reload would spend the link');
    await page.getByLabel('Repeat the new password').fill('short');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Use at least 12 characters.').waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'newPassword');
    const kept = await page.evaluate(
      'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie + location',
    );
    assert.doesNotMatch(String(kept), new RegExp(new URL(link).hash.slice(-20)));
    await finish(page, 'the second password of hers');
    const late = await (await pages.open()).newPage();
    await late.goto(link);
    await late.getByRole('button', { name: 'Continue' }).click();
    await late.getByText('This link is no longer valid.').waitFor();
    await late.getByRole('link', { name: 'Request a new link' }).click();
    await late.waitForURL('**/forgot-password');
    await late.context().close();
  });

  it('begins again with the name, and the code that was sent can still be typed', async () => {
    const page = await (await pages.open()).newPage();
    await choose(page, /link by e-mail/);
    await page.getByLabel('Code').waitFor();
    await page.getByRole('link', { name: 'Begin again' }).click();
    const name = page.getByLabel('User name or e-mail address');
    assert.equal(await name.inputValue(), 'thandi');
    await page.reload();
    await page.getByLabel('Code').waitFor();
    await pages.test.deliver();
    await page.context().close();
  });

  it('goes on in another language, also with a name that the sign-in page has passed on', async () => {
    const page = await (await pages.open()).newPage();
    await page.goto('/login');
    await page.getByLabel('User name or e-mail address').fill('thandi');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: /link by e-mail/ }).click();
    await page.getByLabel('Code').waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('combobox', { name: 'Sprache' }).waitFor();
    await page.locator('input[name=code]').waitFor();
    await pages.test.deliver();
    await page.context().close();
  });

  it('is replaced with the code beside the link, by keyboard alone', async () => {
    const page = await (await pages.open()).newPage();
    await page.goto('/forgot-password');
    await page.locator('input[name=username]:focus').waitFor();
    await page.keyboard.type('thandi@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('How do you want to verify that it is you?').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const code = page.getByLabel('Code');
    await code.waitFor();
    const right = pinIn({ text: await receive(pages) });
    await page.keyboard.type(wrongPin(right));
    await page.getByText('This is wrong, or can no longer be used.').waitFor();
    assert.equal(await page.evaluate('document.activeElement?.name'), 'code');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(right);
    await page.locator('input[name=newPassword]:focus').waitFor();
    await page.keyboard.type('the third password of hers');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('the third password of hers');
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/User/ResetPasswordUsingToken')) calls += 1;
    });
    const leaving = await hold(page, '**/app');
    await page.keyboard.press('Enter');
    await leaving.arrive();
    await page.keyboard.press('Enter');
    leaving.release();
    await page.getByRole('heading', { name: 'My account', level: 1 }).waitFor();
    assert.equal(calls, 1, 'the password is not set again while the page leaves');
    await pages.test.deliver();
    await page.context().close();
  });

  itAtLength(
    'is replaced in a browser that stores nothing, by the only way of its account, which needs no choice',
    async () => {
      const page = await (await pages.open()).newPage();
      await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });`);
      await pages.test.createUser('nomsa', { emailAddress: 'nomsa@example.org', isEmailConfirmed: true });
      await begin(page, 'nomsa');
      await page.getByLabel('Code').waitFor();
      await page.getByLabel('Code').fill(pinIn({ text: await receive(pages) }));
      await setPassword(page, 'the second password of hers', 'Your browser blocks storage');
      await page.getByText('Your password was set. Please sign in with it.').waitFor();
      // The page says both: the password was set, and this browser cannot sign in with it.
      await assertAccessible(page);
      await pages.test.deliver();
      await page.context().close();
    },
  );

  it('is replaced by security questions, which are shown as text', async () => {
    await answerAll(pages.test, 'the third password of hers');
    await pages.test.deliver();
    const page = await (await pages.open()).newPage();
    await choose(page, /security questions/);
    await page.getByText(canary).first().waitFor();
    assert.equal(await page.locator('img[src=x]').count(), 0);
    const answers = page.getByRole('textbox');
    await answers.nth(questions.length - 1).waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    assert.equal(await answers.first().getAttribute('aria-invalid'), 'true');
    for (const one of await answers.all()) await one.fill('yellow');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('This is wrong, or can no longer be used.').waitFor();
    for (const { question, answer } of questions) await page.getByLabel(question).fill(answer);
    await page.getByRole('button', { name: 'Check' }).click();
    await finish(page, 'the fourth password of hers');
  });

  it('begins anew when another link is opened in the same tab, and says so when there is no link', async () => {
    const page = await (await pages.open()).newPage();
    await page.goto('/reset-password#username=one&code=x');
    await page.getByText('Continue to set the password of one.').waitFor();
    await page.goto('/reset-password#username=%3Cb%3Etwo&code=x');
    await page.getByText('Continue to set the password of <b>two.').waitFor();
    await page.reload();
    await page.getByText('This link is incomplete').waitFor();
    await page.context().close();
  });

  it('leads to the sign-in page when a second factor is due', async () => {
    await setFactors(pages, { authenticator: true });
    await enrollApp(pages, 'thandi', 'the fourth password of hers');
    await pages.test.deliver();
    const page = await (await pages.open()).newPage();
    await choose(page, /code by SMS to \*\*\*67/);
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(pages) }));
    await setPassword(page, 'the fifth password of hers', 'Sign in');
    await page.getByText('Your password was set. Please sign in with it.').waitFor();
    assert.equal(await page.locator('input[name=userNameOrEmailAddress]').inputValue(), 'thandi');
    await setFactors(pages, { authenticator: false });
    await pages.test.deliver();
    await page.context().close();
  });

  it('signs off the session in this browser', async () => {
    const page = await (await pages.open()).newPage();
    await openSignedIn(page, '/app');
    await choose(page, /code by SMS to \*\*\*67/);
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(pages) }));
    await finish(page, 'the sixth password of hers');
  });

  it('says so where no way is open', async () => {
    const off = { useResetPasswordViaEmailLink: false, useResetPasswordViaSmsOtp: false };
    await pages.test.set('Shesha.Security', { ...off, useResetPasswordViaSecurityQuestions: false });
    const page = await (await pages.open()).newPage();
    await begin(page, 'thandi');
    await page.getByText('Password reset is turned off.').waitFor();
    await page.context().close();
    const on = { useResetPasswordViaEmailLink: true, useResetPasswordViaSmsOtp: true };
    await pages.test.set('Shesha.Security', { ...on, useResetPasswordViaSecurityQuestions: true });
  });

  itAtLength('shows accessible pages only', async () => {
    await answerAll(pages.test, 'the sixth password of hers');
    await pages.test.deliver();
    await assertAccessibleEverywhere(pages, async (page) => {
      await page.goto('/forgot-password');
      await page.getByLabel('User name or e-mail address').waitFor();
      await assertAccessible(page);
      await choose(page, /security questions/);
      await page.getByRole('button', { name: 'Check' }).waitFor();
      await assertAccessible(page);
      await choose(page, /SMS/);
      await page.getByLabel('Code', { exact: true }).waitFor();
      await assertAccessible(page);
      await page.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(pages) }));
      await page.getByLabel('New password', { exact: true }).waitFor();
      await assertAccessible(page);
      await page.goto('/reset-password#username=thandi&code=x');
      await page.getByRole('button', { name: 'Continue' }).waitFor();
    });
  });
});

describe('a forgotten password with a real mail server and SMS gateway', () => {
  let mail: MailServer;
  let sms: SmsGateway;
  let pages: Pages;
  before(async () => {
    [mail, sms] = await Promise.all([startMailServer(), startSmsGateway()]);
    const environment = {
      smtp: { url: mail.url, from: 'login@example.com' },
      sms: { url: sms.url, secret: 'a secret that both ends know' },
    };
    const channels = openChannels(environment, {}, { clock: systemClock, print: assert.fail });
    pages = await startPages('sqlite', { channels });
    await liftLimits(pages);
    await pages.test.createUser('thandi', thandi);
  });
  after(async () => {
    await pages.close();
    await Promise.all([mail.stop(), sms.stop()]);
  });

  const deliver = async () => {
    const { messageDispatcher } = pages.test.service;
    await messageDispatcher.deliverDue('email');
    await messageDispatcher.deliverDue('sms');
  };

  it('is replaced by each of the ways that use them', async () => {
    const page = await (await pages.open()).newPage();
    await choose(page, /link by e-mail/);
    await page.getByLabel('Code').waitFor();
    await deliver();
    await page.goto(linkIn((await mail.next()).text, pages));
    await page.getByRole('button', { name: 'Continue' }).click();
    await setPassword(page, 'the second password of hers');
    await deliver();
    assert.match((await mail.next()).headers.subject ?? '', /was reset/);
    assert.match((await sms.next()).text, /was just reset/);

    await choose(page, /code by SMS/);
    await page.getByLabel('Code', { exact: true }).waitFor();
    await deliver();
    await page.getByLabel('Code', { exact: true }).fill(pinIn(await sms.next()));
    await setPassword(page, 'the third password of hers');
    await page.context().close();
  });
});
