// The example of Next.js: in development as its README says, and built, with tokens that it refreshes.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { UnsecuredJWT } from 'jose';
import type { Page } from 'playwright-core';
import { createSeals } from '../../sdk/src/session/seal.ts';
import { createRunningClock } from '../../server/test/support/clock.ts';
import { createClient } from '../../server/test/support/oauth.ts';
import { findFreePort } from '../../server/test/support/ports.ts';
import { type Program, startProgram } from '../../server/test/support/program.ts';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { type Pages, startPages } from '../support/browser.ts';
import { type Copy, copyExample, installExample, runIn, testExample } from '../support/example.ts';

const example = { name: 'next' };
const LIFETIME = 60;
const SECRET = 'a secret of at least thirty-two characters';

testExample(example);

describe('the example next, built', () => {
  let pages: Pages;
  let program: Program;
  let copy: Copy;
  let url: string;
  before(async () => {
    copy = await copyExample(example);
    url = copy.url;
    pages = await startPages('sqlite', { publicUrl: copy.serviceUrl, clock: createRunningClock() });
    await pages.test.createUser('ann');
    const { clientId, secret } = await createClient(pages.test, {
      redirectUris: [`${url}/auth/callback`],
      postLogoutRedirectUris: [`${url}/`],
      accessTokenLifetime: LIFETIME,
    });
    installExample(example, copy);
    runIn(copy, 'npm run build');
    program = await start(url, {
      LATCHKEY_URL: pages.url,
      LATCHKEY_CLIENT_ID: clientId,
      LATCHKEY_CLIENT_SECRET: secret ?? '',
    });
  });
  after(async () => {
    await program?.stop();
    await pages?.close();
    copy?.remove();
  });

  function start(url: string, variables: Record<string, string>) {
    const env = { NEXT_TELEMETRY_DISABLED: '1', SESSION_SECRET: SECRET, ...variables };
    const command = [process.execPath, 'node_modules/next/dist/bin/next', 'start', '--port', new URL(url).port];
    return startProgram(command, { url, env, cwd: copy.folder });
  }

  async function signIn(page: Page) {
    await page.goto(`${url}/orders`);
    await page.getByLabel('User name or e-mail address').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'The orders of ann' }).waitFor();
  }

  const readCookie = async (page: Page) =>
    (await page.context().cookies(url)).find(({ name }) => name === 'latchkey')?.value;

  const openCookie = async (page: Page) =>
    (await createSeals(SECRET).open('session', (await readCookie(page)) ?? '')) ?? assert.fail('There is no session.');

  it('signs a person in, and refreshes the token before a page renders', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await signIn(page);
    const { receivedAt, ...tokens } = await openCookie(page);
    // By the application's clock the token is then as old as one that is refreshed.
    const older = { ...tokens, receivedAt: Number(receivedAt) - LIFETIME * 600 };
    await context.addCookies([{ name: 'latchkey', value: await createSeals(SECRET).seal('session', older), url }]);
    await page.reload();
    await page.getByRole('heading', { name: 'The orders of ann' }).waitFor();
    assert.notEqual((await openCookie(page)).token, tokens.token, 'the proxy has refreshed');
    const second = await readCookie(page);
    await page.reload();
    await page.getByRole('heading', { name: 'The orders of ann' }).waitFor();
    assert.equal(await readCookie(page), second, 'and does so once');
    await context.close();
  });

  it('signs out nobody whose token has expired while the service is away', async (t) => {
    const own = `http://localhost:${await findFreePort()}`;
    const away = { LATCHKEY_URL: 'http://127.0.0.1:1', LATCHKEY_CLIENT_ID: 'orders', LATCHKEY_CLIENT_SECRET: 'secret' };
    const cut = await start(own, away);
    t.after(() => cut.stop());
    const token = new UnsecuredJWT({ client_id: 'orders' }).setIssuedAt(0).setExpirationTime(LIFETIME).encode();
    const tokens = { token, refreshToken: 'refresh', idToken: token };
    const cookie = `latchkey=${await createSeals(SECRET).seal('session', tokens)}`;
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(own + path, { headers, redirect: 'manual' }).then(({ status }) => status);
    assert.equal(await ask('/orders', { cookie }), 500);
    assert.equal(await ask('/', { cookie }), 200);
    assert.equal(await ask('/orders', { 'x-latchkey-unknown': '1' }), 307, 'the proxy alone says so');
  });

  it('says why a sign-in was refused', async () => {
    const answer = await fetch(`${url}/auth/callback?state=unknown&code=x`, { redirect: 'manual' });
    assert.equal(answer.headers.get('location'), '/?error=request_expired');
    assert.equal((await fetch(`${url}/auth/unknown`)).status, 404);
  });
});
