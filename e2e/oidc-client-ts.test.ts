// oidc-client-ts in a browser: an application on another origin, which signs in, renews its tokens and signs out.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { createClient } from '../server/test/support/oauth.ts';
import { type Provider, startProvider } from '../server/test/support/real-clients.ts';
import { type Application, bundleClient, startApplication } from './support/application.ts';
import { launchBrowser } from './support/browser.ts';
import { signInForApplication } from './support/sign-in-for-application.ts';

describe('oidc-client-ts', () => {
  let provider: Provider;
  let application: Application;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  before(async () => {
    application = await startApplication([], await bundleClient('oidc-client-ts'));
    provider = await startProvider();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await provider?.close();
    await application?.close();
  });

  /** Registers the application at an origin. @returns the text of a script that makes its user manager. */
  async function register(origin: string, input: Parameters<typeof createClient>[1] = {}, settings: object = {}) {
    const { clientId } = await createClient(provider.test, {
      kind: 'browser',
      redirectUris: [`${origin}/callback`, `${origin}/silent`],
      postLogoutRedirectUris: [`${origin}/`],
      ...input,
    });
    return `globalThis.manager = new UserManager(${JSON.stringify({
      authority: provider.url,
      client_id: clientId,
      redirect_uri: `${origin}/callback`,
      silent_redirect_uri: `${origin}/silent`,
      post_logout_redirect_uri: `${origin}/`,
      scope: 'openid profile email roles',
      loadUserInfo: true,
      automaticSilentRenew: false,
      ...settings,
    })});`;
  }

  async function openPage(context: BrowserContext, origin: string, script: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    await page.evaluate(script);
    return page;
  }
  const run = <Result>(page: Page, expression: string) => page.evaluate(expression) as Promise<Result>;

  /** Signs the person in. @returns the profile that oidc-client-ts has read. */
  async function signIn(page: Page, script: string): Promise<Record<string, unknown>> {
    await run(page, 'void manager.signinRedirect()');
    await signInForApplication(page, provider);
    await page.evaluate(script);
    return run(page, 'manager.signinCallback().then(({ profile }) => profile)');
  }

  it('signs in from another origin, refreshes its tokens, and signs out', async () => {
    const context = await browser.newContext();
    const { origin } = application;
    const script = await register(origin);
    const page = await openPage(context, origin, script);
    const { sub, email, groups } = await signIn(page, script);
    assert.deepEqual([sub, email, groups], [provider.sub, 'ann@example.com', ['editor']]);
    const before = await run<string>(page, 'manager.getUser().then((user) => user.access_token)');
    const after = await run<string>(page, 'manager.signinSilent().then((user) => user.access_token)');
    assert.notEqual(after, before);
    const refresh = await run<string>(page, 'manager.getUser().then((user) => user.refresh_token)');
    await run(page, 'void manager.signoutRedirect({ state: "bye" })');
    await page.waitForURL(({ pathname, searchParams }) => pathname === '/' && searchParams.has('state'));
    await page.evaluate(script);
    assert.equal(await run(page, 'manager.signoutCallback().then(({ userState }) => userState)'), 'bye');
    assert.equal(await run(page, 'manager.getUser()'), null);
    const form = JSON.stringify(`grant_type=refresh_token&refresh_token=${refresh}`);
    const refused = `fetch('${provider.url}/oauth/token', { method: 'POST', body: new URLSearchParams(${form} + '&client_id=' + manager.settings.client_id) }).then((answer) => answer.json())`;
    assert.equal((await run<{ error: string }>(page, refused)).error, 'invalid_grant');
    await context.close();
  });

  it('renews by a frame without a question, on the same site, until the person has signed out', async () => {
    const context = await browser.newContext();
    const origin = `http://127.0.0.1:${application.port}`;
    const script = await register(origin, { grants: ['authorization_code'] });
    const page = await openPage(context, origin, script);
    await signIn(page, script);
    assert.equal(await run(page, 'manager.getUser().then((user) => user.refresh_token)'), undefined);
    assert.equal(await run(page, 'manager.signinSilent().then((user) => user.profile.sub)'), provider.sub);
    await provider.test.post('/api/services/app/Session/EndOthers', { token: await provider.test.signIn('ann') });
    assert.equal(await run(page, 'manager.signinSilent().then(String, ({ error }) => error)'), 'login_required');
    await context.close();
  });

  it('renews by itself before the token expires, and revokes its tokens', async () => {
    const context = await browser.newContext();
    const { origin } = application;
    const script = await register(origin, { accessTokenLifetime: 60 }, { automaticSilentRenew: true });
    const page = await openPage(context, origin, script);
    await page.evaluate(script);
    await signIn(page, script);
    // The next renewal, a second later, could meet the revocation.
    const renewed = `new Promise((resolve) => manager.events.addUserLoaded((user) => {
      manager.stopSilentRenew();
      resolve(user.profile.sub);
    }))`;
    assert.equal(await run(page, renewed), provider.sub);
    await run(page, 'manager.revokeTokens()');
    assert.equal(await run(page, 'manager.getUser().then((user) => user.refresh_token ?? null)'), null);
    await context.close();
  });
});
