// angular-auth-oidc-client in a browser: an application of Angular on another origin signs in, renews its tokens and signs out.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../server/test/support/oauth.ts';
import { type Provider, startProvider } from '../../server/test/support/real-clients.ts';
import { type Application, bundleClient, startApplication } from '../support/application.ts';
import { launchBrowser } from '../support/browser.ts';
import { signInForApplication } from '../support/sign-in-for-application.ts';

type State = { isAuthenticated: boolean; userData: Record<string, unknown> | null; accessToken: string };

describe('angular-auth-oidc-client', () => {
  let provider: Provider;
  let application: Application;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  before(async () => {
    application = await startApplication([], await bundleClient('angular-auth-oidc-client'));
    provider = await startProvider();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await provider?.close();
    await application?.close();
  });

  const run = <Result>(page: Page, expression: string) => page.evaluate(expression) as Promise<Result>;

  /** Registers the application at an origin, and opens it. @returns the page, and what starts its client there. */
  async function open(origin: string, settings: object) {
    const { clientId } = await createClient(provider.test, {
      kind: 'browser',
      redirectUris: [`${origin}/callback`, `${origin}/silent`],
      postLogoutRedirectUris: [`${origin}/signed-out`],
    });
    const config = JSON.stringify({
      authority: provider.url,
      clientId,
      redirectUrl: `${origin}/callback`,
      postLogoutRedirectUri: `${origin}/signed-out`,
      silentRenewUrl: `${origin}/silent`,
      scope: 'openid profile email roles',
      responseType: 'code',
      silentRenew: true,
      autoUserInfo: true,
      ...settings,
    });
    const page = await (await browser.newContext()).newPage();
    /** Starts the client on the page that is there. */
    const start = async () => {
      await page.waitForLoadState('load');
      return run<State>(page, `start(${config}).then((client) => (globalThis.client = client).state)`);
    };
    await page.goto(`${origin}/`);
    return { page, start, clientId };
  }

  /** Signs the person in. @returns the state of the client on the page that the person came back to. */
  async function signIn({ page, start }: Awaited<ReturnType<typeof open>>): Promise<State> {
    assert.equal((await start()).isAuthenticated, false);
    await run(page, 'void client.signIn()');
    await signInForApplication(page, provider);
    return start();
  }

  it('signs in from another origin, refreshes and revokes its tokens, and signs out', async () => {
    const opened = await open(application.origin, { useRefreshToken: true });
    const { page, start, clientId } = opened;
    const { userData, accessToken } = await signIn(opened);
    assert.deepEqual([userData?.sub, userData?.email, userData?.groups], [provider.sub, 'ann@example.com', ['editor']]);
    const renewed = await run<State>(page, 'client.renew()');
    assert.notEqual(renewed.accessToken, accessToken);
    assert.equal(renewed.userData?.sub, provider.sub);
    const refresh_token = await run<string>(page, 'client.refreshToken()');
    await run(page, 'void client.signOut()');
    await page.waitForURL(`${application.origin}/signed-out`);
    assert.equal((await start()).isAuthenticated, false);
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id: clientId });
    const refused = await fetch(`${provider.url}/oauth/token`, { method: 'POST', body });
    assert.equal(JSON.parse(await refused.text()).error, 'invalid_grant');
    await page.context().close();
  });

  it('renews by a frame without a question, on the same site, until the person has signed out', async () => {
    const opened = await open(`http://127.0.0.1:${application.port}`, { useRefreshToken: false });
    const { page } = opened;
    const { accessToken } = await signIn(opened);
    const renewed = await run<State>(page, 'client.renew()');
    assert.deepEqual([renewed.userData?.sub, renewed.accessToken === accessToken], [provider.sub, false]);
    await provider.test.post('/api/services/app/Session/EndOthers', { token: await provider.test.signIn('ann') });
    assert.match(await run(page, 'client.renew().then(({ errorMessage }) => errorMessage, String)'), /login_required/);
    await page.context().close();
  });
});
