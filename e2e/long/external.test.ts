// Signing in through external providers, in a real browser that visits them and returns.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { assertAccessible, assertAccessibleEverywhere, openSignedIn, signIn } from '../support/browser.ts';
import { BROKEN, HELD, type ProviderPages, passThrough, startProviderPages } from '../support/providers.ts';

const CALL = '**/api/TokenAuth/ExternalAuthenticateAsync';

/** The addresses that the browser shows in this page, from now on. */
function watch(page: Page): string[] {
  const seen: string[] = [];
  page.on('framenavigated', (frame) => seen.push(frame.url()));
  return seen;
}

describe('signing in through a provider', () => {
  let all: ProviderPages;
  before(async () => {
    all = await startProviderPages();
  });
  after(() => all.close());

  /** A page in a separate browser. */
  async function open(path: string, options: Parameters<ProviderPages['pages']['open']>[0] = {}) {
    const context = await all.pages.open(options);
    const page = await context.newPage();
    await page.goto(path);
    return { page, close: () => context.close() };
  }

  async function count(): Promise<number> {
    const { test } = all.pages;
    const token = await test.admin();
    return (await test.get('/api/services/app/User/GetAll', { token })).result.totalCount;
  }

  it('creates an account the first time, and signs in to it from then on: a real OpenID provider, by mouse', async () => {
    all.company.people.set('ann', {
      email: 'ann@example.com',
      email_verified: true,
      given_name: 'Ann',
      family_name: 'Lee',
    });
    const accounts = await count();
    for (const _ of ['first', 'second']) {
      const { page, close } = await open('/login');
      await passThrough(page, 'Continue with Company', 'ann');
      await page.waitForURL(`${all.pages.url}/app`);
      await page.getByText('Ann Lee').first().waitFor();
      assert.equal(
        await page.evaluate("sessionStorage['latchkey:provider-trip']"),
        undefined,
        'nothing is left of the trip',
      );
      await close();
    }
    assert.equal(await count(), accounts + 1);
  });

  it('works by keyboard alone, and continues to the requested page: an identity server of another kind', async () => {
    const login = all.addAtAcme('keys');
    const { page, close } = await open('/login?to=/app/elsewhere%3Fa=b');
    await page.getByRole('button', { name: 'Continue with Acme' }).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    while ((await focused()) !== 'Continue with Acme') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Acme' }).waitFor();
    await page.keyboard.type(login);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${all.pages.url}/app/elsewhere?a=b`);
    await close();
  });

  it('leaves no answer in the address bar or in the history, and repeats nothing on reload or leaving', async () => {
    const login = all.addAtAcme('again', { email: 'admin@example.com', email_verified: false });
    const { page, close } = await open('/login?to=/app/elsewhere');
    const { exchanges } = all.acme.server.counts;
    await passThrough(page, 'Continue with Acme', login);
    await page.getByText('The provider did not send your identity').waitFor();
    assert.equal(page.url(), `${all.pages.url}/login/external/Acme?to=/app/elsewhere`);
    await page.reload();
    await page.getByText('This page was already used').waitFor();
    assert.equal(all.acme.server.counts.exchanges, exchanges + 1);
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.waitForURL('**/login?to=%2Fapp%2Felsewhere');
    await page.goBack();
    await page.getByText('This page was already used').waitFor();
    assert.equal(all.acme.server.counts.exchanges, exchanges + 1);
    await close();
  });

  it('uses the answer once: going back skips it', async () => {
    const login = all.addAtAcme('back');
    const { page, close } = await open('/login');
    await passThrough(page, 'Continue with Acme', login);
    await page.waitForURL(`${all.pages.url}/app`);
    await page.getByRole('heading', { name: 'My account' }).waitFor();
    const seen = watch(page);
    await page.goBack();
    await page.getByRole('heading', { name: 'Acme' }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: 'My account' }).waitFor();
    assert.ok(!seen.some((url) => url.includes('/login/external')), seen.join(' '));
    await page.goto('/login/external/Acme?code=forged&provider_key=forged&state=forged');
    await page.waitForURL(`${all.pages.url}/app`);
    await close();
  });

  it('says so when the person cancels at the provider', async () => {
    for (const provider of ['Acme', 'Company']) {
      const { page, close } = await open('/login?to=/app/elsewhere');
      await page.getByRole('button', { name: `Continue with ${provider}` }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText(`${provider} refused the sign-in, or you cancelled it.`).waitFor();
      assert.equal(new URL(page.url()).hash, '');
      await page.getByRole('link', { name: 'Back to sign-in' }).click();
      await page.waitForURL('**/login?to=%2Fapp%2Felsewhere');
      await close();
    }
  });

  it('accepts no answer to another browser’s request, and no incomplete one', async () => {
    const login = all.addAtAcme('forged');
    const profile = all.acme.server.people.get(login) ?? assert.fail();
    const stolen = new URLSearchParams({ code: all.acme.server.issueCode(profile), provider_key: String(profile.id) });
    const { page, close } = await open('/login');
    const calls: string[] = [];
    await page.route(CALL, (route) => {
      calls.push(route.request().url());
      return route.continue();
    });
    for (const forged of [`?${stolen}&state=`, `#${stolen}&state=undefined`, `?${stolen}#state=forged`]) {
      await page.goto('/login');
      await page.getByRole('button', { name: 'Continue with Acme' }).click();
      await page.getByRole('heading', { name: 'Acme' }).waitFor();
      await page.goto(`/login/external/Acme${forged}`);
      await page.getByText('This page was already used').waitFor();
      assert.equal(page.url(), `${all.pages.url}/login/external/Acme`);
    }
    await page.goto('/login/external/Acme');
    await page.getByText('This page was already used').waitFor();
    for (const answer of [
      'code=x',
      'provider_key=x',
      'code=x&id_token=x.eyJ9.x',
      'code=x&id_token=x.bnVsbA.x',
      'code=x&id_token=&provider_key=',
    ]) {
      await page.goto('/login');
      await page.getByRole('button', { name: 'Continue with Acme' }).click();
      await page.getByRole('heading', { name: 'Acme' }).waitFor();
      const state = new URL(page.url()).searchParams.get('state');
      await page.goto(`/login/external/Acme#${answer}&state=${state}`);
      await page.getByText('The response of Acme is not valid.').waitFor();
    }
    assert.deepEqual(calls, []);
    await close();
  });

  it('says what is wrong: an e-mail address in use, an account awaiting review, a provider that fails', async () => {
    await all.pages.test.createUser('local', { emailAddress: 'local@example.com' });
    const inUse = await open('/login');
    await passThrough(inUse.page, 'Continue with Acme', all.addAtAcme('other', { email: 'LOCAL@example.com' }));
    await inUse.page.getByText('An account with this e-mail address already exists.').waitFor();
    await inUse.page.getByRole('link', { name: 'Back to sign-in' }).waitFor();
    await inUse.close();

    const held = await open('/login');
    await passThrough(held.page, 'Continue with Acme', all.addAtAcme('held', { email: HELD }));
    await held.page.getByText('An administrator must activate it first').waitFor();
    await held.page.getByRole('link', { name: 'Back to sign-in' }).click();
    await passThrough(held.page, 'Continue with Acme', 'held');
    await held.page.getByText('This account is deactivated.').waitFor();
    await held.close();

    const broken = await open('/login');
    await broken.page.getByRole('button', { name: `Continue with ${BROKEN}` }).click();
    await broken.page.getByText('The provider gave no usable answer.').waitFor();
    await passThrough(broken.page, 'Continue with Acme', all.addAtAcme('instead'));
    await broken.page.waitForURL(`${all.pages.url}/app`);
    await broken.close();
  });

  it('asks for another password first where one must be changed, also after a reload', async () => {
    const login = all.addAtAcme('change');
    const first = await open('/login');
    await passThrough(first.page, 'Continue with Acme', login);
    await first.page.waitForURL(`${all.pages.url}/app`);
    await first.close();
    const { test } = all.pages;
    const token = await test.admin();
    const query = { keyword: 'change@acme.example' };
    const [user] = (await test.get('/api/services/app/User/GetAll', { token, query })).result.items;
    const body = { userId: user?.id, newPassword: 'a pebble from the beach' };
    assert.equal((await test.post('/api/services/app/User/ResetPassword', { token, body })).status, 200);
    const { page, close } = await open('/login?to=/app/elsewhere');
    await passThrough(page, 'Continue with Acme', login);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.reload();
    await page.getByLabel('Current password').fill('a pebble from the beach');
    await page.getByLabel('New password', { exact: true }).fill('a walk by the river');
    await page.getByLabel('Repeat the new password').fill('a walk by the river');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.waitForURL(`${all.pages.url}/app/elsewhere`);
    await close();
  });

  it('speaks the reader’s language', async () => {
    const { page, close } = await open('/login', { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Weiter mit Acme' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Acme hat die Anmeldung abgelehnt').waitFor();
    await close();
  });

  it('shows accessible pages only', async () => {
    const login = all.addAtAcme('seen', { email: HELD });
    await assertAccessibleEverywhere(all.pages, async (page) => {
      await page.goto('/login');
      await page.getByRole('button', { name: `Continue with ${BROKEN}` }).click();
      await page.getByText('The provider gave no usable answer.').waitFor();
      await assertAccessible(page);
      await page.getByRole('button', { name: 'Continue with Acme' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('refused the sign-in').waitFor();
      await assertAccessible(page);
      await page.getByRole('link', { name: 'Back to sign-in' }).click();
      await passThrough(page, 'Continue with Acme', login);
      await page.getByRole('alert').waitFor();
    });
  });

  describe('for an account with a password', () => {
    async function link(page: Page, login: string) {
      await passThrough(page, 'Link Acme', login);
      await page.getByRole('heading', { name: 'Link Acme' }).waitFor();
      await page.getByLabel('Current password').fill(USER_PASSWORD);
      await page.getByRole('button', { name: 'Link it' }).click();
      await page.waitForURL(`${all.pages.url}/app/account`);
      await page.getByRole('button', { name: 'Unlink Acme' }).waitFor();
    }

    async function enter(name: string, options = {}) {
      await all.pages.test.createUser(name);
      const { page, close } = await open('/login', options);
      await signIn(page, name, USER_PASSWORD);
      return { page, close };
    }

    it('is linked with the password, signs in from then on, and is removed again', async () => {
      const { page, close } = await enter('linker');
      const login = all.addAtAcme('linked');
      await passThrough(page, 'Link Acme', login);
      await page.getByText('opens your account linker without its password').waitFor();
      const submit = page.getByRole('button', { name: 'Link it' });
      await submit.click();
      await page.getByText('Please fill this in.').first().waitFor();
      await page.getByLabel('Current password').fill('not it');
      await submit.click();
      await page.getByText('The current password is wrong.').first().waitFor();
      await page.getByLabel('Current password').fill(USER_PASSWORD);
      await submit.click();
      await page.waitForURL(`${all.pages.url}/app/account`);
      await page.getByRole('button', { name: 'Unlink Acme' }).waitFor();
      await page.getByRole('button', { name: 'Link another sign-in at Acme' }).waitFor();

      const elsewhere = await open('/login');
      await passThrough(elsewhere.page, 'Continue with Acme', login);
      await elsewhere.page.waitForURL(`${all.pages.url}/app`);
      await elsewhere.page.getByText('linker', { exact: true }).first().waitFor();
      await elsewhere.close();

      await page.getByRole('button', { name: 'Unlink Acme' }).click();
      const question = page.getByRole('dialog');
      await question.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Unlink Acme' }).click();
      await question.getByRole('button', { name: 'Unlink' }).click();
      await page.getByText('Acme is no longer linked.').waitFor();
      await page.getByText('No sign-in is linked yet.').waitFor();
      await close();
    });

    it('stays unlinked when the provider refuses, when the identity is linked elsewhere, and when the session has ended', async () => {
      const login = all.addAtAcme('taken');
      const owner = await enter('owner');
      await link(owner.page, login);
      await owner.close();

      const { page, close } = await enter('envious');
      await page.getByRole('button', { name: 'Link Acme' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Nothing was linked.').waitFor();
      await page.getByRole('link', { name: 'Back to my account' }).click();
      await passThrough(page, 'Link Acme', login);
      await page.getByLabel('Current password').fill(USER_PASSWORD);
      await page.getByRole('button', { name: 'Link it' }).click();
      await page.getByText('This sign-in already belongs to another account.').waitFor();
      await page.getByRole('link', { name: 'Back to my account' }).click();
      await page.getByRole('button', { name: 'Link Acme' }).click();
      await page.getByRole('heading', { name: 'Acme' }).waitFor();
      const token = await all.pages.test.admin();
      const query = { keyword: 'envious' };
      const [user] = (await all.pages.test.get('/api/services/app/User/GetAll', { token, query })).result.items;
      await all.pages.test.post('/api/services/app/User/SignOutEverywhere', { token, body: { userId: user?.id } });
      await page.getByLabel('Login').fill(login);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('You are no longer signed in.').waitFor();
      await close();
    });

    it('is removed by an administrator, after a confirmation', async () => {
      const { page, close } = await enter('helped');
      await link(page, all.addAtAcme('helped'));
      await close();
      const administrator = await open('/login');
      await signIn(administrator.page);
      await administrator.page.goto('/app/users?keyword=helped');
      await administrator.page.getByRole('link', { name: 'helped' }).first().click();
      const panel = administrator.page.getByRole('region', { name: 'Sign-in through other systems' });
      await panel.getByText(`Key there: ${all.acme.server.people.get('helped')?.id}`).waitFor();
      await panel.getByRole('button', { name: 'Remove Acme' }).click();
      const question = administrator.page.getByRole('dialog');
      await question.getByRole('button', { name: 'Remove' }).click();
      await administrator.page.getByText('Acme was removed.').waitFor();
      await panel.waitFor({ state: 'detached' });
      await administrator.close();
    });

    it('shows accessible pages only', async () => {
      const { page, close } = await enter('looker');
      await link(page, all.addAtAcme('looker'));
      await close();
      await assertAccessibleEverywhere(all.pages, async (shown) => {
        await signIn(shown, 'looker', USER_PASSWORD);
        await shown.getByRole('button', { name: 'Unlink Acme' }).waitFor();
        await assertAccessible(shown);
        await passThrough(shown, 'Link another sign-in at Acme', 'looker');
        await shown.getByRole('button', { name: 'Link it' }).waitFor();
      });
      await assertAccessibleEverywhere(all.pages, async (shown) => {
        await openSignedIn(shown, '/app/users?keyword=looker');
        await shown.getByRole('link', { name: 'looker' }).first().click();
        await shown.getByRole('button', { name: 'Remove Acme' }).waitFor();
      });
    });
  });
});
