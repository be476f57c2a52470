// Canaries in every text that administrators write, on every page that shows it: text stays text, and no script runs.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Type } from 'typebox';
import { defineSetting } from '../../server/src/foundation/setting.ts';
import { type ClientApplication, startClientApplication } from '../../server/test/support/client-application.ts';
import { findFreePort } from '../../server/test/support/ports.ts';
import { createTestProvider } from '../../server/test/support/providers.ts';
import { createRegistering } from '../../server/test/support/registration.ts';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { type Pages, signIn, startPages, until } from '../support/browser.ts';
import { liftLimits } from '../support/messages.ts';

/** Closes any element or attribute around it, and runs if it is markup. Short and without blanks, because of limits. */
const canary = (where: string) => `"'></b><img/src=x:${where}/onerror=harm=1>`;

/** A setting as an extension defines it. */
const foreign = defineSetting({
  name: 'Other.Setting',
  scope: 'general',
  category: canary('category'),
  label: canary('setting'),
  description: canary('meaning'),
  kind: 'compound',
  public: false,
  order: 1,
  schema: Type.Object({
    share: Type.Number({
      title: canary('title'),
      description: canary('field'),
      minimum: 0,
      maximum: 9,
      'x-unit': canary('unit'),
      'x-warning': { text: canary('warning'), below: 5 },
    }),
    choice: Type.Enum(['a', 'b'], { title: 'Choice', 'x-labels': [canary('choice'), 'B'] }),
    text: Type.String({ title: 'Text', maxLength: 100 }),
    list: Type.Array(Type.String({ title: canary('entry'), maxLength: 100 }), { title: canary('list') }),
  }),
  default: { share: 1, choice: 'a', text: canary('default'), list: [canary('listed')] },
});

/** The client secret of a provider. It is shown nowhere. */
const SECRET = 'canary-secret-of-a-provider';

const question = (index: number) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  question: `${canary('question')} ${index}`,
});

describe('canaries in what administrators write', () => {
  let pages: Pages;
  /** An account without permissions: it gets the written texts, and others deactivate or delete it. */
  let otherId: number;
  let client: ClientApplication;
  let providerId: string;
  before(async () => {
    const additions = { settings: [foreign], providers: [createTestProvider(canary('provider')).info] };
    pages = await startPages('sqlite', { additions, publicUrl: `http://localhost:${await findFreePort()}` });
    await liftLimits(pages);
    const { test } = pages;
    await test.set('Latchkey.Application', { name: canary('app') });
    await test.set('Latchkey.SecurityQuestions', [0, 1, 2].map(question));
    await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    const words = { sms: `{{pin}} ${canary('sms')}`, subject: canary('subject'), text: `{{pin}} ${canary('mail')}` };
    await test.set('Latchkey.Messages.SignInPin', words);
    await createRegistering(test).open('email');
    const token = await test.admin();
    const frontEnd = { appKey: 'kiosk', name: canary('frontEnd'), description: canary('description') };
    await test.post('/api/services/app/FrontEndApp/Create', { token, body: frontEnd });
    const names = { name: canary('name'), surname: canary('surname') };
    const reached = { mobileNumber: '+27821234567', isMobileConfirmed: true };
    otherId = await test.createUser(canary('other'), { ...names, ...reached, roleNames: [canary('role')] });
    await test.createUser(canary('user'), { ...names, roleNames: [canary('role'), 'Administrator'] });
    const mine = await test.signIn(canary('user'));
    const answers = [0, 1, 2].map((index) => ({ questionId: question(index).id, answer: `answer ${index}` }));
    const body = { currentPassword: USER_PASSWORD, answers };
    await test.post('/api/services/app/User/SetMySecurityQuestions', { token: mine, body });
    const change = { name: 'Other.Setting', value: { text: canary('changed') } };
    await test.post('/api/services/app/Settings/UpdateValue', { token: mine, body: change });
    await test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: canary('other') } });
    await test.deliver();
    await addRegistered(token);
    client = await startClientApplication(pages, { name: canary('client'), consent: 'ask' });
  });
  after(async () => {
    await client.close();
    await pages.close();
  });

  /** Registers an external provider, and changes it, so that it has a history. */
  async function addRegistered(token: string) {
    const { test } = pages;
    const provider = {
      ...{ type: 'oidc', name: 'Registered', issuer: 'http://127.0.0.1:9', clientSecret: SECRET },
      ...{ clientId: canary('clientId'), displayName: canary('before') },
      ...{ claims: { name: canary('claim') }, authorizationParameters: { prompt: canary('parameter') } },
    };
    const { result } = await test.post('/api/services/app/ExternalProvider/Create', { token, body: provider });
    const change = { id: result.id, displayName: canary('registered'), clientSecret: SECRET };
    await test.send('PUT', '/api/services/app/ExternalProvider/Update', { token, body: change });
    providerId = result.id;
  }

  /** A separate browser, which records what its content security policy blocks. */
  async function openPage(): Promise<Page> {
    const context = await pages.open();
    await context.addInitScript(
      "globalThis.violations = []; addEventListener('securitypolicyviolation', (event) => violations.push(event.blockedURI))",
    );
    return context.newPage();
  }

  /** Asserts that each canary is shown as written: none became an element, ran, or was blocked by the policy alone. */
  async function assertText(page: Page, ...shown: string[]): Promise<void> {
    for (const where of shown) {
      const text = JSON.stringify(canary(where));
      const inField = `[...document.querySelectorAll('input, textarea')].some(({ value }) => value.includes(${text}))`;
      const isShown = async () => (await page.getByText(canary(where)).count()) > 0 || page.evaluate<boolean>(inField);
      await until(page, isShown, `${where} is not shown`);
    }
    const seen = await page.evaluate(
      '({ harm: globalThis.harm, violations, elements: document.querySelectorAll(\'[onerror], [src^="x:"]\').length })',
    );
    assert.deepEqual(seen, { harm: undefined, violations: [], elements: 0 }, page.url());
  }

  it('stay text on the sign-in pages', async () => {
    const page = await openPage();
    for (const path of [
      '/login',
      '/login/pin',
      '/forgot-password',
      '/reset-password#username=a&code=b',
      '/register',
      '/device',
      '/sign-out',
      '/signed-out',
    ]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await assertText(page, 'app');
      assert.ok((await page.title()).includes(canary('app')));
    }
    await page.goto('/forgot-password');
    await page.getByLabel('User name or e-mail address').fill(canary('user'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await assertText(page, 'question');
    await page.goto(`/reset-password#${new URLSearchParams({ username: canary('user'), code: 'x' })}`);
    await assertText(page, 'user');
    await page.context().close();
  });

  it('stay text on the pages of signing in to applications, and in what they lead to', async () => {
    const page = await openPage();
    await page.goto(client.signInWith());
    await page.getByRole('heading', { name: `Sign in to ${canary('client')}` }).waitFor();
    await assertText(page, 'client');
    await page.getByLabel('User name or e-mail address').fill(canary('user'));
    await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await assertText(page, 'client', 'user');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${client.url}/callback?**`);
    await page.goto(`${pages.url}/app/account`);
    await page.getByRole('region', { name: 'Applications' }).waitFor();
    await assertText(page, 'client');
    await page.goto(`${pages.url}/app/applications`);
    await page.getByRole('link', { name: canary('client') }).click();
    await page.getByRole('heading', { name: canary('client') }).waitFor();
    await assertText(page, 'client');
    for (const name of ['Edit', 'Disable', 'Replace the client secret', 'Delete']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await assertText(page, 'client');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.getByRole('list', { name: 'Applications' }).waitFor();
    await assertText(page, 'client');
    await page.context().close();
  });

  it('stay text in the application', async () => {
    const page = await openPage();
    await signIn(page, canary('user'), USER_PASSWORD);
    await page.goto('/app/account');
    await assertText(page, 'app', 'name', 'surname', 'user', 'role', 'question');
    await page.getByRole('button', { name: 'Answer again' }).click();
    await page.getByLabel('Question 1', { exact: true }).waitFor();
    await assertText(page, 'question');

    await page.goto('/app/users');
    await assertText(page, 'user', 'name', 'role');
    // Without a session there is none to end.
    await pages.test.signIn(canary('other'));
    await page.goto(`/app/users/${otherId}`);
    await assertText(page, 'other', 'name', 'role');
    for (const name of ['Edit', 'Deactivate', 'Set a password', 'Sign out everywhere', 'Delete']) {
      await page.getByRole('button', { name, exact: true }).last().click();
      await page.getByRole('dialog').waitFor();
      await assertText(page, 'name');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }

    await page.goto('/app/front-ends');
    await assertText(page, 'frontEnd', 'description');
    for (const name of ['Edit', 'Delete']) {
      await page.getByRole('button', { name: `${name} ${canary('frontEnd')}` }).click();
      await page.getByRole('dialog').waitFor();
      await assertText(page, 'frontEnd');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await page.goto('/app/audit');
    await assertText(page, 'user');
    await page.getByRole('button', { name: `Setting changed ${canary('setting')}` }).click();
    await page
      .getByRole('dialog')
      .getByText(canary('title'))
      .or(page.getByRole('dialog').getByText(canary('changed')))
      .first()
      .waitFor();
    await assertText(page, 'changed');
    await page.goto('/app/outbox');
    await assertText(page, 'sms');
    await page.context().close();
  });

  it('stay text on the pages of external providers, which never show a secret', async () => {
    const page = await openPage();
    await page.goto('/login');
    await page.getByRole('button', { name: `Continue with ${canary('registered')}` }).waitFor();
    await assertText(page, 'registered');
    await signIn(page, canary('user'), USER_PASSWORD);
    await page.goto('/app/external-providers');
    await assertText(page, 'registered');
    await page.goto(`/app/external-providers/${providerId}`);
    await assertText(page, 'registered', 'clientId');
    const dialogs = {
      Edit: ['clientId', 'claim', 'parameter'],
      'Replace the secret': ['registered'],
      History: ['before', 'registered'],
      Delete: ['registered'],
    };
    for (const [name, shown] of Object.entries(dialogs)) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      if (name === 'Edit') await page.getByRole('button', { name: 'More settings' }).click();
      await assertText(page, ...shown);
      assert.ok(!(await page.content()).includes(SECRET), name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await page.goto('/app/audit');
    await page.getByText('External provider changed').first().waitFor();
    await assertText(page, 'user');
    assert.ok(!(await page.content()).includes(SECRET));
    await page.context().close();
  });

  it('stay text on the settings page, with history and warnings', async () => {
    const page = await openPage();
    await signIn(page, canary('user'), USER_PASSWORD);
    await page.goto('/app/settings');
    await assertText(page, 'category', 'setting', 'meaning', 'title', 'field', 'unit', 'warning', 'choice', 'changed');
    await assertText(page, 'entry', 'list', 'listed');
    await page.getByRole('button', { name: `History of ${canary('setting')}` }).click();
    await page.getByRole('dialog').getByText(canary('changed')).waitFor();
    await assertText(page, 'user', 'default');
    await page.getByRole('button', { name: /^Undo: / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await assertText(page, 'default');
    await page.goto('/app/settings?category=Security');
    await assertText(page, 'question');
    await page.goto('/app/settings?category=Messages&setting=Latchkey.Messages.SignInPin');
    await assertText(page, 'sms', 'subject', 'mail');
    await page.goto('/app/settings?category=Application');
    await assertText(page, 'app');
    await page.goto('/app/settings?frontEnd=kiosk');
    await assertText(page, 'frontEnd');
    await page.context().close();
  });
});
