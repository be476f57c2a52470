// A Next.js application, built and started as the guide on sessions prints it: people sign in to it, stay signed in, and sign out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createRunningClock } from '../../server/test/support/clock.ts';
import { readGuideFile, root } from '../../server/test/support/guide.ts';
import { createClient } from '../../server/test/support/oauth.ts';
import { installExactly } from '../../server/test/support/own-packages.ts';
import { findFreePort } from '../../server/test/support/ports.ts';
import { type Program, startProgram } from '../../server/test/support/program.ts';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { type Pages, startPages } from '../support/browser.ts';

const PACKAGES = join(import.meta.dirname, '../programs/next');
const COMMAND = join(PACKAGES, 'node_modules/next/dist/bin/next');
const LIFETIME = 60;

const printed = ['sessions.js', 'proxy.js', 'app/auth/[action]/route.js', 'app/orders/page.jsx'];

/** The pages for everybody. */
const own = {
  'app/layout.jsx': `export default ({ children }) => <html lang="en"><body>{children}</body></html>;`,
  'app/page.jsx': `export default () => <a href="/auth/sign-in?returnTo=/orders">Sign in</a>;`,
};

describe('a Next.js application', () => {
  let pages: Pages;
  let program: Program;
  let folder: string;
  let url: string;
  before(async () => {
    assert.ok(existsSync(COMMAND) || installExactly(PACKAGES), 'Its packages could not be installed.');
    const publicUrl = `http://localhost:${await findFreePort()}`;
    pages = await startPages('sqlite', { publicUrl, clock: createRunningClock() });
    await pages.test.createUser('ann');
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    const { clientId, secret } = await createClient(pages.test, {
      redirectUris: [`${url}/auth/callback`],
      postLogoutRedirectUris: [`${url}/`],
      accessTokenLifetime: LIFETIME,
    });
    // Next.js follows no link out of the folder with the lock file.
    folder = mkdtempSync(join(PACKAGES, 'app-'));
    const files = { ...own, ...Object.fromEntries(printed.map((name) => [name, readGuideFile('sessions.md', name)])) };
    for (const [name, code] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), code.replaceAll('http://localhost:3000', url));
    }
    cpSync(join(root, 'dist/package/sdk'), join(folder, 'node_modules/latchkey-sdk'), { recursive: true });
    const quiet = { NEXT_TELEMETRY_DISABLED: '1' };
    const built = spawnSync(process.execPath, [COMMAND, 'build', '.'], {
      cwd: folder,
      env: { ...process.env, ...quiet },
      encoding: 'utf8',
    });
    assert.equal(built.status, 0, built.stdout + built.stderr);
    const env = {
      ...quiet,
      LATCHKEY_URL: pages.url,
      LATCHKEY_CLIENT_ID: clientId,
      LATCHKEY_CLIENT_SECRET: secret ?? '',
      SESSION_SECRET: 'a secret of at least thirty-two characters',
    };
    const command = [process.execPath, COMMAND, 'start', '--port', String(port)];
    program = await startProgram(command, { url, env, cwd: folder });
  });
  after(async () => {
    await program?.stop();
    await pages?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  async function signIn(page: Page) {
    await page.goto(`${url}/orders`);
    await page.getByLabel('User name or e-mail address').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'The orders of ann' }).waitFor();
  }

  const readCookie = async (page: Page) =>
    (await page.context().cookies(url)).find(({ name }) => name === 'latchkey')?.value;

  it('signs a person in, and refreshes the token before a page renders', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    // By the application's clock the token is then as old as one that is refreshed.
    pages.test.clock.set(-LIFETIME * 0.6);
    await signIn(page);
    const first = await readCookie(page);
    pages.test.clock.set(LIFETIME * 0.6);
    await page.reload();
    await page.getByRole('heading', { name: 'The orders of ann' }).waitFor();
    const second = await readCookie(page);
    assert.ok(first && second && first !== second, 'the proxy has refreshed');
    await page.reload();
    await page.getByRole('heading', { name: 'The orders of ann' }).waitFor();
    assert.equal(await readCookie(page), second, 'and does so once');
    await context.close();
  });

  it('shows nothing when the session has ended at the service', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await signIn(page);
    const token = await pages.test.signIn('ann');
    assert.equal((await pages.test.post('/api/services/app/Session/EndOthers', { token })).status, 200);
    await page.goto(`${url}/orders`);
    await page.getByLabel('Password', { exact: true }).waitFor();
    await context.close();
  });

  it('signs out, here and at the service, by a server action', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await signIn(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    assert.equal(page.url(), `${url}/`);
    assert.equal(await readCookie(page), undefined);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await context.close();
  });

  it('says why a sign-in was refused', async () => {
    const answer = await fetch(`${url}/auth/callback?state=unknown&code=x`, { redirect: 'manual' });
    assert.equal(answer.headers.get('location'), '/?error=request_expired');
    assert.equal((await fetch(`${url}/auth/unknown`)).status, 404);
  });
});
