// Node-RED, a whole program, as the guide sets it up: people sign in to its editor, their role decides what they may do, and they
// sign out.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createRunningClock } from '../../server/test/support/clock.ts';
import { readGuideFile } from '../../server/test/support/guide.ts';
import { createClient } from '../../server/test/support/oauth.ts';
import { installExactly } from '../../server/test/support/own-packages.ts';
import { findFreePort } from '../../server/test/support/ports.ts';
import { type Program, startProgram } from '../../server/test/support/program.ts';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { type Pages, startPages } from '../support/browser.ts';

const PROGRAM = join(import.meta.dirname, '../programs/node-red');
const MODULES = join(PROGRAM, 'node_modules');
const COMMAND = join(MODULES, 'node-red/red.js');

describe('Node-RED', () => {
  let pages: Pages;
  let program: Program;
  let folder: string;
  let url: string;
  before(async () => {
    assert.ok(existsSync(COMMAND) || installExactly(PROGRAM), 'Its packages could not be installed.');
    const publicUrl = `http://localhost:${await findFreePort()}`;
    pages = await startPages('sqlite', { publicUrl, clock: createRunningClock() });
    await pages.test.createUser('ann', { roleNames: ['Administrator'] });
    await pages.test.createUser('ben');
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const { secret } = await createClient(pages.test, {
      name: 'Node-RED',
      clientId: 'node-red',
      redirectUris: [`${url}/auth/strategy/callback`],
      postLogoutRedirectUris: [`${url}/`],
    });
    folder = mkdtempSync(join(tmpdir(), 'latchkey-node-red-'));
    const settings = readGuideFile('sign-in-with-latchkey.md', 'settings.js')
      .replace('http://localhost:8080', pages.url)
      .replace('http://127.0.0.1:1880', url)
      .replace('CLIENT_SECRET', secret ?? '');
    writeFileSync(join(folder, 'settings.js'), settings);
    symlinkSync(MODULES, join(folder, 'node_modules'));
    // It would ask on its first day whether it may report its use, and show what is new.
    const quiet = ['-D', 'telemetry.enabled=false', '-D', 'editorTheme.tours=false'];
    const command = [process.execPath, COMMAND, '--userDir', '.', '--port', String(port), ...quiet];
    program = await startProgram(command, { url, cwd: folder });
  });
  after(async () => {
    await program?.stop();
    await pages?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  /** Asks Node-RED for its editor. @returns the sign-in page of the service, or the editor. */
  async function enter(page: Page) {
    await page.goto(url);
    await page.getByText('Sign in with Latchkey').click();
  }

  /** Signs in on the page of the service. @returns the person whom the editor then has. */
  async function signIn(page: Page, userName: string): Promise<unknown> {
    await page.getByLabel('User name or e-mail address').fill(userName);
    await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('#red-ui-header-button-user').waitFor();
    const { username, permissions } = (await page.evaluate('RED.settings.user')) as Record<string, unknown>;
    return [username, permissions];
  }

  it('signs people in with what their role allows', async () => {
    for (const [userName, permissions] of [
      ['ann', '*'],
      ['ben', 'read'],
    ] as const) {
      const context = await pages.browser.newContext();
      const page = await context.newPage();
      await enter(page);
      assert.deepEqual(await signIn(page, userName), [userName, permissions]);
      await context.close();
    }
  });

  it('lets a person in who is signed in, and signs out here too', async () => {
    const context = await pages.browser.newContext();
    const page = await context.newPage();
    await enter(page);
    await signIn(page, 'ann');
    // Node-RED forgets the person, who comes again.
    await page.evaluate('localStorage.clear()');
    await enter(page);
    await page.locator('#red-ui-header-button-user').click();
    await page.locator('#usermenu-item-logout').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${url}/`);
    await enter(page);
    await page.getByLabel('Password', { exact: true }).waitFor();
    await context.close();
  });
});
