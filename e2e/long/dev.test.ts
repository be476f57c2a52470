// npm run dev: example users sign in on pages that Vite serves, and changed sources take effect at once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { findFreePort } from '../../server/test/support/ports.ts';
import { launchBrowser, signIn } from '../support/browser.ts';

const root = join(import.meta.dirname, '../..');
const PASSWORD = 'seven green bottles';

const START_PATIENCE_MS = 120_000;
const LOOK_MS = 50;
const SAVE_MS = 1000;

/** Starts the command as npm does. */
function start(port: number, dataDir: string) {
  const { PATH = '', HOME = '' } = process.env;
  const words = ['scripts/run.mjs', 'dev', '--port', String(port), '--data-dir', dataDir];
  const env = {
    PATH,
    HOME,
    // As in npm: the command also ends when this test is killed.
    npm_lifecycle_event: 'dev',
    // These belong to another service, which the test must not touch.
    LATCHKEY_DATABASE_URL: `sqlite:${dataDir}-of-another.db`,
    LATCHKEY_DATA_DIR: `${dataDir}-of-another`,
  };
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (written += text));
  const countReady = () => written.split('Latchkey is ready').length - 1;
  return {
    output: () => written,
    /** Waits until the service has become ready this many times. */
    async ready(times: number) {
      const deadline = Date.now() + START_PATIENCE_MS;
      while (countReady() < times) {
        assert.ok(child.exitCode === null && Date.now() < deadline, written);
        await sleep(LOOK_MS);
      }
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** Makes the file newer, as an editor does on saving. */
function touch(path: string): void {
  const now = new Date();
  utimesSync(join(root, path), now, now);
}

const isSilent = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe('npm run dev', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-dev-'));
  const dataDir = join(folder, 'data');
  const faults: string[] = [];
  let port: number;
  let running: ReturnType<typeof start>;
  let browser: Browser;
  let page: Page;

  before(async () => {
    port = await findFreePort();
    running = start(port, dataDir);
    browser = await launchBrowser();
    const context = await browser.newContext({ baseURL: `http://localhost:${port}`, locale: 'en-GB' });
    context.setDefaultTimeout(START_PATIENCE_MS);
    context.on('weberror', (error) => faults.push(error.error().message));
    context.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
    });
    page = await context.newPage();
    await running.ready(1);
  });
  after(async () => {
    await browser.close();
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('signs an example user in, on pages under the content security policy of the service', async () => {
    assert.match(running.output(), new RegExp(`each with the password "${PASSWORD}"`));
    const answer = await page.goto('/');
    assert.match(answer?.headers()['content-security-policy'] ?? '', /^default-src 'none'; script-src 'self' 'nonce-/);
    await page.waitForURL('**/login?*');
    await signIn(page, 'thandi', PASSWORD);
    await page.getByText('Thandi Mokoena').first().waitFor();
    assert.deepEqual(faults, []);
  });

  it('shows a changed page without a reload', async () => {
    await page.getByRole('heading', { name: 'My account' }).waitFor();
    await page.evaluate('globalThis.isTheSamePage = true');
    const updates: string[] = [];
    page.on('console', (message) => message.text().includes('[vite] hot updated') && updates.push(message.text()));
    // A page that has not connected to Vite yet misses the change.
    for (const deadline = Date.now() + START_PATIENCE_MS; updates.length === 0; await sleep(SAVE_MS)) {
      assert.ok(Date.now() < deadline, 'no update arrives');
      touch('web/src/app/account/account-page.tsx');
    }
    assert.equal(await page.evaluate('globalThis.isTheSamePage'), true);
  });

  it('restarts the service when one of its files changes, and keeps the user signed in', async () => {
    touch('server/src/config/version.ts');
    await running.ready(2);
    await page.reload();
    await page.getByText('Thandi Mokoena').first().waitFor();
  });

  it('stops everything that it started, and creates the users once', async () => {
    const service = /Server listening at (http:\S+?)"/.exec(running.output())?.[1] ?? '';
    assert.match(service, /^http:\/\/127\.0\.0\.1:\d+$/);
    await running.stop();
    assert.ok((await isSilent(`${service}/health/live`)) && (await isSilent(`http://127.0.0.1:${port}/app`)));
    running = start(port, dataDir);
    await running.ready(1);
    assert.doesNotMatch(running.output(), new RegExp(PASSWORD));
    await page.goto('/app');
    await page.getByText('Thandi Mokoena').first().waitFor();
    assert.deepEqual(readdirSync(folder), ['data']);
  });
});
