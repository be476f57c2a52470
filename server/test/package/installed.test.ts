// The package, installed by npm in an empty folder as an ordinary user: it serves, and extensions get the service's own classes.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../support/guide.ts';
import { type Installation, install, packages } from '../support/installation.ts';
import { startMailServer } from '../support/mail-server.ts';
import { callProcess } from '../support/process.ts';

const LOOK_MS = 20;
const PASSWORD = 'correct horse battery';
const administrator = { LATCHKEY_ADMIN_PASSWORD: PASSWORD, LATCHKEY_ADMIN_PASSWORD_FINAL: 'true' };
const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));

/** Signs in. @returns the token. */
async function signIn(url: string, password: string): Promise<string> {
  const body = { userNameOrEmailAddress: 'admin', password };
  const { result, error } = await callProcess(url, 'POST', '/api/TokenAuth/Authenticate', { body });
  assert.equal(error, null);
  return result.accessToken;
}

describe('the package, installed in an empty folder', () => {
  let installed: Installation;
  before(async () => {
    installed = await install(packages.service);
  });
  after(() => installed.remove());

  it('serves API and pages, and keeps its data in ./data', async () => {
    const service = await installed.serve();
    const [, password = ''] = /(\w{4}(?:-\w{4}){4})/.exec(service.output()) ?? [];
    const token = await signIn(service.url, password);
    assert.equal(statSync(join(installed.folder, 'data')).mode & 0o777, 0o700);
    const page = await fetch(`${service.url}/login`);
    const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(await page.text()) ?? [];
    assert.equal((await fetch(service.url + script)).status, 200);
    const common = { currentPassword: password, newPassword: 'password123' };
    const refused = await callProcess(service.url, 'POST', '/api/services/app/User/ChangePassword', {
      token,
      body: common,
    });
    assert.equal(refused.error.reason, 'password.policy');
    assert.equal(await service.stop(), 0);
  });

  it('verifies an imported hash in a thread of its own', async () => {
    const passwordHash =
      '$6$rounds=1000$saltstring1$P4XGme8k1Kqhy152lczdPhnSAy14XoJNfB0cuGm0.Y3t9XtDygueciKrhO/nD.cQh4pJ/khdUkc1iW9dLrbMz1';
    writeFileSync(join(installed.folder, 'users.jsonl'), JSON.stringify({ userName: 'linus', passwordHash }));
    const env = { ...administrator, LATCHKEY_DATA_DIR: 'imported-data' };
    const service = await installed.serve(env);
    const words = ['import', 'users', 'users.jsonl'];
    assert.equal((await installed.run('node_modules/.bin/latchkey', words, env)).code, 0);
    const body = { userNameOrEmailAddress: 'linus', password: 'Hello world!' };
    const { status } = await callProcess(service.url, 'POST', '/api/TokenAuth/Authenticate', { body });
    assert.equal(status, 200);
    assert.equal(await service.stop(), 0);
  });

  it('serves on a terminal with a readable log, and stops at Ctrl+C', async () => {
    const service = await installed.serveOnTerminal('node_modules/.bin/latchkey', {
      LATCHKEY_DATA_DIR: 'terminal-data',
    });
    while (!service.output().includes('Latchkey is ready')) await sleep(LOOK_MS);
    assert.doesNotMatch(service.output(), /^\{"level"/m);
    assert.equal(await service.stop(), 0);
    assert.match(service.output(), /stopping: the service finishes open requests first/);
  });

  it('gives extensions the classes of the service, and loads what it needs later', async () => {
    const extension = join(installed.folder, 'refusing.ts');
    writeFileSync(
      extension,
      `import { DeliveryError, type ExtensionContext } from 'latchkey/extension';
       export function initialize({ registerChannel, log }: ExtensionContext): void {
         const send = async () => {
           log.info('tried');
           throw new DeliveryError('refused', 'There is no such number.');
         };
         registerChannel({ name: 'refusing', means: 'sms', send });
       }`,
    );
    const mail = await startMailServer();
    const service = await installed.serve({
      ...administrator,
      LATCHKEY_DATA_DIR: 'other-data',
      LATCHKEY_EXTENSIONS: './refusing.ts',
      LATCHKEY_SMTP_URL: mail.url,
      LATCHKEY_MAIL_FROM: 'no-reply@example.com',
    });
    const token = await signIn(service.url, PASSWORD);
    const post = (path: string, body: object) => callProcess(service.url, 'POST', `/api/${path}`, { token, body });
    const create = (user: object) => post('services/app/User/Create', { password: 'a walk by the sea', ...user });
    await create({ userName: 'ann', emailAddress: 'ann@example.com', isEmailConfirmed: true });
    await post('services/app/User/SendEmailLink', { username: 'ann' });
    assert.deepEqual((await mail.next()).to, ['ann@example.com']);
    await create({ userName: 'ben', mobileNumber: '+27821234567', isMobileConfirmed: true });
    await post('TokenAuth/OtpAuthenticateSendPin', { userNameOrMobileNo: 'ben' });
    const failed = 'latchkey_messages_total{means="sms",channel="refusing",end="failed"} 1';
    while (!(await (await fetch(`${service.url}/metrics`)).text()).includes(failed)) await sleep(LOOK_MS);
    assert.equal(service.output().match(/tried/g)?.length, 1, 'the service retries after an error of any other class');
    await service.stop();
    await mail.stop();
  });

  it('has types that a strict compiler accepts', async () => {
    symlinkSync(join(root, 'node_modules/@types'), join(installed.folder, 'node_modules/@types'));
    writeFileSync(
      join(installed.folder, 'orders.ts'),
      `import type { IncomingMessage, ServerResponse } from 'node:http';
       import { type Claims, createVerifier, expressVerifier, fastifyVerifier, TokenRejected, verifyRequest } from 'latchkey/verify';
       const verifier = createVerifier({ issuer: 'https://id.example.com', audience: 'orders', serviceKey: 'lks_x' });
       export const rolesOf = async (token: string): Promise<readonly string[]> => (await verifier.verify(token)).roles;
       type Handler = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => unknown;
       export const middleware: Handler = expressVerifier(verifier);
       export const hook: (request: IncomingMessage & { auth?: Claims }) => Promise<unknown> = fastifyVerifier(verifier);
       export const answer = (request: Request): Promise<Response> =>
         verifyRequest(verifier, request).then(
           ({ name }) => new Response(name),
           (error: unknown) => {
             if (!(error instanceof TokenRejected)) throw error;
             const { status, headers, reason } = error;
             return new Response(reason === 'stale' ? 'later' : null, { status, headers });
           },
         );`,
    );
    writeFileSync(
      join(installed.folder, 'uses.ts'),
      `import type { ExtensionContext } from 'latchkey/extension';
       import { createLatchkey } from 'latchkey/client';
       export const initialize = ({ log }: ExtensionContext): void => log.info('ready');
       export const signOff = (): Promise<void> => createLatchkey({ baseUrl: 'https://auth.example.com' }).signOff();`,
    );
    const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
    const args = [
      compiler,
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      'uses.ts',
      'orders.ts',
    ];
    assert.deepEqual(await installed.run(process.execPath, args), { code: 0, out: '', err: '' });
  });

  it('is run by npx', async () => {
    const { code, out } = await installed.run('npx', ['--offline', 'latchkey', '--version']);
    assert.deepEqual([code, out], [0, `latchkey ${version}\n`]);
  });

  it('ends when npx does, although the shell between them forwards no signal', { timeout: 60_000 }, async () => {
    const service = await installed.serveByNpx({ LATCHKEY_DATA_DIR: 'npx-data' });
    // It resolves when no process has the output open any more.
    await service.stop();
    assert.match(service.output(), /stopping: the service finishes open requests first/);
  });

  describe('keeps compiled modules', () => {
    it('in the folder that systemd gives it, as soon as it is ready', async () => {
      const folder = join(installed.folder, 'cache');
      const service = await installed.serve({ CACHE_DIRECTORY: folder });
      const [version = ''] = readdirSync(folder);
      assert.ok(readdirSync(join(folder, version)).length > 0, 'a service that is killed later leaves them behind');
      await service.stop();
    });

    it('nowhere, for a user without a home or with one that cannot be written', async () => {
      const homeless =
        'data:text/javascript,import os from "node:os";os.homedir=()=>{throw new Error("There is none.")}';
      const launcher = join(installed.folder, 'node_modules/latchkey/latchkey.mjs');
      const shown = { code: 0, out: `latchkey ${version}\n`, err: '' };
      assert.deepEqual(await installed.run(process.execPath, ['--import', homeless, launcher, '--version']), shown);
      const locked = { XDG_CACHE_HOME: '/' };
      assert.deepEqual(await installed.run(process.execPath, [launcher, '--version'], locked), shown);
    });
  });

  describe('keeps compiled modules, which are code, out of reach of other users:', () => {
    const launcher = () => join(installed.folder, 'node_modules/latchkey/latchkey.mjs');
    const run = (env: Record<string, string>) => installed.run(process.execPath, [launcher(), '--version'], env);

    it('not in a folder to which they may write', async () => {
      const folder = join(installed.folder, 'shared');
      mkdirSync(folder);
      chmodSync(folder, 0o777);
      assert.equal((await run({ CACHE_DIRECTORY: folder })).code, 0);
      assert.deepEqual(readdirSync(folder), []);
    });

    it('not in a folder of another user', async () => {
      const options = '--import=data:text/javascript,console.log(process.env.NODE_COMPILE_CACHE)';
      const { out } = await run({ CACHE_DIRECTORY: '/', NODE_OPTIONS: options });
      // The launcher prints the first line, and the service the second one.
      assert.equal(out, `undefined\nundefined\nlatchkey ${version}\n`);
    });

    it('not below the working directory', async () => {
      for (const env of [{ HOME: '' }, { XDG_CACHE_HOME: 'relative' }, { CACHE_DIRECTORY: 'relative' }]) {
        assert.equal((await run(env)).code, 0);
      }
      const found = readdirSync(installed.folder);
      assert.deepEqual([found.includes('.cache'), found.includes('relative')], [false, false]);
    });

    it('in a folder that only its user may enter', async () => {
      const folder = join(installed.folder, 'new');
      assert.equal((await run({ XDG_CACHE_HOME: folder })).code, 0);
      assert.equal(statSync(join(folder, 'latchkey')).mode & 0o777, 0o700);
    });
  });

  describe('on a Node that is too old', () => {
    const launcher = () => join(installed.folder, 'node_modules/latchkey/latchkey.mjs');
    const asOld = () => {
      const file = join(installed.folder, 'as-old.mjs');
      const versions = "{ value: { ...process.versions, node: '20.11.1' } }";
      writeFileSync(file, `Object.defineProperty(process, 'versions', ${versions}); process.execve = undefined;`);
      return file;
    };
    const run = (word = '--version') => installed.run(process.execPath, ['--import', asOld(), launcher(), word]);
    const tooOld = {
      code: 1,
      out: '',
      err:
        'latchkey needs Node 24.12 or later, and this is Node 20.11.1. ' +
        'Run: npx -p node@26 -p latchkey latchkey serve\n',
    };
    const installNode = (version: string) => {
      const folder = join(installed.folder, 'node_modules/node');
      mkdirSync(join(folder, 'bin'), { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'node', version }));
      rmSync(join(folder, 'bin/node'), { force: true });
      symlinkSync(process.execPath, join(folder, 'bin/node'));
    };

    it('says which Node it needs, and how to get it', async () => {
      assert.deepEqual(await run(), tooOld);
      assert.match((await run('test-server')).err, / Run: npm install --save-dev node@26\n$/);
    });

    it('says what the guide says, which leaves the machine its own bin/node', () => {
      const guide = readFileSync(join(root, 'docs/guide/operating.md'), 'utf8');
      const [, command = ''] = / Run: (.+)\n$/.exec(tooOld.err) ?? [];
      assert.ok(guide.includes(`\`${command}\``));
      assert.doesNotMatch(guide, /npm install --global[^`\n]* node\b/);
    });

    it('says the same if the Node beside it is too old', async () => {
      installNode('22.21.0');
      assert.deepEqual(await run(), tooOld);
    });

    it('runs in the Node that is installed beside it, and stops once at Ctrl+C', async () => {
      installNode(process.versions.node);
      assert.deepEqual(await run(), { code: 0, out: `latchkey ${version}\n`, err: '' });
      const command = `${process.execPath} --import ${asOld()} ${launcher()}`;
      const service = await installed.serveOnTerminal(command, { LATCHKEY_DATA_DIR: 'old-data' });
      assert.equal(await service.stop(), 0);
    });
  });
});
