// The examples: each is copied, started against a service as their READMEs say, and used by a person in two browsers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { root } from '../../server/test/support/guide.ts';
import { findFreePort } from '../../server/test/support/ports.ts';
import { type Program, startProgram } from '../../server/test/support/program.ts';
import { launchBrowser } from './browser.ts';

const SDK = 'dist/package/sdk';
const EXAMPLES = join(root, 'examples');
const PASSWORD = 'seven green bottles';

/** Next.js compiles each page when it is first asked for. */
const PATIENCE_MS = 120_000;

export type Example = {
  /** Its folder. */
  readonly name: string;
  /** Packages of the checkout that it uses, in place of what its README installs. */
  readonly packages?: readonly string[];
  /** A command in place of those in its README that install what it needs. */
  readonly install?: string;
  /** Whether it signs people in by a form of its own, with the rights of a person at the service. */
  readonly hasForm?: boolean;
  /** What it answers while the service is away. */
  readonly statusWhenAway?: number;
};

/** The copy of an example beside the SDK, which serves `url` and whose service is to serve `serviceUrl`. */
export type Copy = {
  readonly top: string;
  readonly folder: string;
  readonly url: string;
  readonly serviceUrl: string;
  remove(): void;
};

/** Copies the examples as a checkout has them. Only their ports differ. */
export async function copyExample({ name }: Example): Promise<Copy> {
  const top = mkdtempSync(join(tmpdir(), 'latchkey-example-'));
  const [port, servicePort] = [await findFreePort(), await findFreePort()];
  const ports = new Map([
    ['3000', port],
    ['8080', servicePort],
  ]);
  const copy = join(top, 'examples');
  cpSync(EXAMPLES, copy, { recursive: true, filter: (path) => !isMade(path) });
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    const path = join(copy, name);
    if (!statSync(path).isFile()) continue;
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(/\b(3000|8080)\b/g, (one) => String(ports.get(one))),
    );
  }
  cpSync(join(root, SDK), join(top, SDK), { recursive: true });
  const folder = join(copy, name);
  const [url, serviceUrl] = [`http://localhost:${port}`, `http://localhost:${servicePort}`];
  return { top, folder, url, serviceUrl, remove: () => rmSync(top, { recursive: true }) };
}

/** What running an example in the checkout leaves there. */
const isMade = (path: string) => /(^|\/)(node_modules|\.next|\.venv|go\/example|package-lock\.json)$/.test(path);

/** Puts packages of the checkout where `npm install` would put those that the example names. */
function linkPackages(folder: string, packages: readonly string[], sdk: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  assert.deepEqual(Object.keys(dependencies).toSorted(), [...packages, 'latchkey-sdk'].toSorted());
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'node_modules/.bin'), join(folder, 'node_modules/.bin'));
  symlinkSync(sdk, join(folder, 'node_modules/latchkey-sdk'));
  for (const name of packages) {
    const own = join(root, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
    assert.equal(dependencies[name], version, `the version of ${name} is the one of the checkout`);
    symlinkSync(own, join(folder, 'node_modules', name));
  }
}

/** The command in the only block of a README. */
function readCommand(path: string): string {
  const blocks = [...readFileSync(path, 'utf8').matchAll(/^```sh\n(.*?)\n```$/gms)];
  assert.equal(blocks.length, 1, `${path} has one command`);
  return blocks[0]?.[1] ?? '';
}

const inShell = (command: string) => ['/bin/sh', '-c', command];
const withNode = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

/** Starts the service as the README of all examples says, from the build of this checkout. */
function startServiceFor({ top, serviceUrl }: Copy): Promise<Program> {
  const command = readCommand(join(top, 'examples/README.md'));
  assert.match(command, / npm start$/);
  const serve = `exec ${process.execPath} ${join(root, 'dist/package/latchkey.mjs')} serve`;
  const env = { ...withNode, LATCHKEY_PORT: new URL(serviceUrl).port };
  return startProgram(inShell(command.replace(/npm start$/, serve)), { url: serviceUrl, env, cwd: top });
}

/** Runs a command in the folder of an example, and returns what it prints. Fails with its output if it does. */
export function runIn({ folder }: Copy, command: string): string {
  // Without the mark of this test runner, in which another one would run nothing.
  const env = { ...process.env, ...withNode, NEXT_TELEMETRY_DISABLED: '1', NODE_TEST_CONTEXT: undefined };
  const { status, stdout, stderr } = spawnSync(command, { shell: true, cwd: folder, env, encoding: 'utf8' });
  assert.equal(status, 0, `${command}: ${stdout}${stderr}`);
  return stdout;
}

/** Installs what an example needs. @returns the command that then starts it, the last one in its README. */
export function installExample({ packages, install }: Example, copy: Copy): string {
  const [start = '', ...others] = readCommand(join(copy.folder, 'README.md')).split(' && ').reverse();
  if (packages) linkPackages(copy.folder, packages, join(copy.top, SDK));
  else for (const command of install ? [install] : others.reverse()) runIn(copy, command);
  return start;
}

/** Installs an example, and starts it as its README says. */
function startExample(example: Example, copy: Copy): Promise<Program> {
  const start = installExample(example, copy);
  const { folder, url } = copy;
  const { scripts } = start === 'npm start' ? JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) : {};
  const env = { ...withNode, PATH: `${join(folder, 'node_modules/.bin')}:${withNode.PATH}` };
  // Without npm between them, the program gets the signal that stops it.
  return startProgram(inShell(`exec ${scripts?.start ?? start}`), { url, env, cwd: folder });
}

/** Signs in to an example, from its first page. */
async function signIn(page: Page, { hasForm }: Example, { url }: Copy): Promise<void> {
  await page.goto(url);
  if (!hasForm) await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('User name or e-mail address').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'The orders of admin' }).waitFor();
}

/** Signs out here and on all other devices: those on "My account", if the example has no rights of its own. */
async function signOutEverywhere(page: Page, { hasForm }: Example, { url }: Copy): Promise<void> {
  if (hasForm) return page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('link', { name: 'My sessions' }).click();
  await page.getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
  await page.getByText('All other sessions have ended.').waitFor();
  await page.goto(`${url}/orders`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await page.goto(`${url}/orders`);
}

/** Starts an example, and lets a person use it in two browsers. */
export function testExample(example: Example): void {
  describe(`the example ${example.name}`, () => {
    let browser: Browser;
    let copy: Copy;
    const running: Program[] = [];
    before(async () => {
      copy = await copyExample(example);
      running.push(await startServiceFor(copy));
      running.push(await startExample(example, copy));
      browser = await launchBrowser();
    });
    after(async () => {
      await browser?.close();
      for (const program of running.reverse()) await program.stop();
      copy?.remove();
    });

    async function open() {
      const context = await browser.newContext({ locale: 'en-GB' });
      context.setDefaultTimeout(PATIENCE_MS);
      return context.newPage();
    }

    it('signs a person in, and out everywhere: the other browser is refused at its next request', async () => {
      const [here, there] = [await open(), await open()];
      for (const page of [there, here]) await signIn(page, example, copy);
      await there.reload();
      await there.getByRole('heading', { name: 'The orders of admin' }).waitFor();
      await signOutEverywhere(here, example, copy);
      await here.getByLabel('Password', { exact: true }).waitFor();
      await there.reload();
      await there.getByLabel('Password', { exact: true }).waitFor();
    });

    if (!example.hasForm)
      it('refuses a sign-in that the person has cancelled, or comes back to', async () => {
        for (const query of ['error=access_denied&state=x', 'code=x&state=x']) {
          const { status, headers } = await fetch(`${copy.url}/auth/callback?${query}`, { redirect: 'manual' });
          assert.ok(status === 400 || headers.get('location')?.startsWith('/?error='), `${query}: ${status}`);
        }
      });

    if (example.hasForm)
      it('tells a person whose sign-out the service has not heard of', async () => {
        const page = await open();
        await signIn(page, example, copy);
        await page.route('**/api/TokenAuth/SignOff', (route) => route.abort());
        const shown = page.waitForEvent('dialog');
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        const dialog = await shown;
        assert.match(dialog.message(), /^The service cannot be reached/);
        await dialog.dismiss();
        await page.getByLabel('Password', { exact: true }).waitFor();
      });

    const { statusWhenAway } = example;
    if (statusWhenAway !== undefined)
      it(`answers ${statusWhenAway} while the service is away`, async () => {
        const page = await open();
        await signIn(page, example, copy);
        const begun = await fetch(`${copy.url}/sign-in`, { redirect: 'manual' });
        const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
        const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0]);
        await running[0]?.stop();
        assert.equal((await page.reload())?.status(), statusWhenAway);
        const back = `${copy.url}/auth/callback?code=x&state=${state}`;
        assert.equal((await fetch(back, { headers: { cookie: cookie.join('; ') } })).status, statusWhenAway);
      });
  });
}

/** Runs the tests of an example by the command in its README. They start a service of their own. */
export function testTestsOf(example: Example): void {
  it(`the example ${example.name} has tests, which pass`, async () => {
    const copy = await copyExample(example);
    try {
      assert.match(readFileSync(join(copy.folder, 'README.md'), 'utf8'), /`npm test` runs/);
      installExample(example, copy);
      symlinkSync(join(root, 'dist/package'), join(copy.folder, 'node_modules/latchkey'));
      assert.match(runIn(copy, 'npm test'), /pass 5\n/);
    } finally {
      copy.remove();
    }
  });
}
