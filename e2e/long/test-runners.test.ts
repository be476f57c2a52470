// The fixture of the test kit in real test runners: Playwright Test and Vitest run the files that the guide prints.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { readGuideFile, root } from '../../server/test/support/guide.ts';
import { installExactly } from '../../server/test/support/own-packages.ts';
import { findFreePort } from '../../server/test/support/ports.ts';
import { findBrowser } from '../support/browser.ts';

const PACKAGES = join(import.meta.dirname, '../programs/test-runners');
const MODULES = join(PACKAGES, 'node_modules');
const GUIDE = 'testing-your-application.md';
const KEY = 'the-key-of-my-own-tests';

const printed = ['orders.mjs', 'orders.spec.js', 'orders.vitest.js', 'latchkey.test.yaml', 'playwright.config.js'];

/** The browser of this machine, as root may run it. */
const use = { launchOptions: { executablePath: findBrowser(), args: ['--no-sandbox'] } };

const typed = `
  import { test as base } from '@playwright/test';
  import { latchkeyFixture, startLatchkey, type TestLatchkey } from 'latchkey-sdk/testing';
  import { test as ofVitest } from 'vitest';

  const inBrowser = base.extend<object, { latchkey: TestLatchkey }>({ latchkey: latchkeyFixture({ pin: '123456' }) });
  inBrowser('reads', async ({ page, latchkey }) => {
    await page.goto(latchkey.url);
    const { items } = await latchkey.admin.call('User/GetAll');
    const name: string | undefined = items[0]?.userName;
    // @ts-expect-error: there is no such member.
    void [name, latchkey.token];
  });
  const test = ofVitest.extend<{ latchkey: TestLatchkey }>({ latchkey: latchkeyFixture({ users: ['ann', { userName: 'ben' }] }) });
  test('signs in', async ({ latchkey }) => {
    const { pin, link } = await latchkey.lastMessageTo('ben@example.com');
    const text: string = pin + link + (await latchkey.signIn('ann'));
    void text;
  });
  // @ts-expect-error: a user has a name.
  void startLatchkey({ users: [{ password: 'correct horse battery staple' }] });
  // @ts-expect-error: there is no such option.
  void startLatchkey({ mode: 'production' });`;

describe('test runners', () => {
  let folder: string;
  before(() => {
    assert.ok(
      existsSync(join(MODULES, 'vitest')) || installExactly(PACKAGES),
      'Their packages could not be installed.',
    );
    folder = mkdtempSync(join(PACKAGES, 'app-'));
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(join(root, 'dist/package'), join(folder, 'node_modules/latchkey'));
    symlinkSync(join(root, 'dist/package/latchkey.mjs'), join(folder, 'node_modules/.bin/latchkey'));
    // npm does so when it installs a package.
    chmodSync(join(root, 'dist/package/latchkey.mjs'), 0o755);
    symlinkSync(join(root, 'dist/package/sdk'), join(folder, 'node_modules/latchkey-sdk'));
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    for (const name of printed) writeFileSync(join(folder, name), readGuideFile(GUIDE, name));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Runs a command of the packages in the folder, and returns what it prints. It fails if the command does. */
  async function run(script: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const options = { cwd: folder, env: { ...process.env, CI: '1', NO_COLOR: '1', ...env } };
    const command = promisify(execFile)(process.execPath, [join(MODULES, script), ...args], options);
    return (await command.catch(({ stdout, stderr }) => assert.fail(stdout + stderr))).stdout;
  }

  it('Playwright Test starts a service for each worker', async () => {
    writeFileSync(
      join(folder, 'own.config.js'),
      `export default ${JSON.stringify({ use, testMatch: 'orders.spec.js' })}`,
    );
    assert.match(await run('@playwright/test/cli.js', ['test', '--config=own.config.js']), /2 passed/);
  });

  it('Playwright Test connects to a service that it has started before', async () => {
    const port = String(await findFreePort());
    const config = `
      import printed from './playwright.config.js';
      const [service] = printed.webServer;
      const url = service.url.replace('8080', '${port}');
      const env = { ...service.env, LATCHKEY_PORT: '${port}' };
      export default { ...printed, testMatch: 'connected.spec.js', webServer: { ...service, url, env } };`;
    const spec = `
      import { expect, test as base } from '@playwright/test';
      import { latchkeyFixture } from 'latchkey-sdk/testing';
      const test = base.extend({ latchkey: latchkeyFixture({ url: 'http://localhost:${port}', key: '${KEY}' }) });
      test('connects', async ({ latchkey }) => expect(await latchkey.signIn('ann')).toMatch(/^ey/));`;
    writeFileSync(join(folder, 'connected.config.js'), config);
    writeFileSync(join(folder, 'connected.spec.js'), spec);
    assert.match(await run('@playwright/test/cli.js', ['test', '--config=connected.config.js']), /1 passed/);
  });

  it('Vitest starts a service for the tests that name it', async () => {
    writeFileSync(join(folder, 'vitest.config.js'), `export default { test: { include: ['orders.vitest.js'] } }`);
    assert.match(await run('vitest/vitest.mjs', ['run']), /Tests\s+1 passed/);
  });

  it('have types for the fixture', async () => {
    writeFileSync(join(folder, 'typed.ts'), typed);
    const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: 'nodenext', target: 'es2024' };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
    const command = promisify(execFile)(process.execPath, [compiler, '--project', folder]);
    await command.catch(({ stdout }) => assert.fail(stdout));
  });
});
