// The SDK, installed by npm in an empty folder: on which Node, with which types, and what it does where there is no page.
// In the long form alone: npm installs the SDK, and four versions of Node and compilers run it.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readGuideFile, root } from '../support/guide.ts';
import { type Installation, install, packages } from '../support/installation.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

/** The oldest Node that the guide on verifying tokens names, for npm's check of `engines`. */
const OLD_NODE = `data:text/javascript,Object.defineProperty(process, 'version', { value: 'v20.20.2' })`;
const asOldNode = { NODE_OPTIONS: `--import="${OLD_NODE}"` };

/** Signs two people in, one client each, and prints whose session each client has. */
const twoClients = `
  import { canUsePasskeys, createLatchkey } from 'latchkey-sdk';
  const shown = [canUsePasskeys()];
  for (const [userNameOrEmailAddress, place] of [['thandi', 'local'], ['sipho', 'session']]) {
    const latchkey = createLatchkey({ baseUrl: process.env.SERVICE });
    await latchkey.ready;
    shown.push(latchkey.isSignedIn, latchkey.canKeepToken);
    latchkey.keepTokenIn(place);
    await latchkey.call('TokenAuth/Authenticate', { userNameOrEmailAddress, password: process.env.PASSWORD });
    await latchkey.call('TokenAuth/RefreshTokenAsync');
    const { user } = await latchkey.call('Session/GetCurrentLoginInfo');
    shown.push(user.userName, latchkey.isSignedIn);
  }
  console.log(shown.join(' '));`;

/** What the types of Express (DefinitelyTyped) say of a request: it has the members of the global \`Express.Request\`. */
const expressTypes = `
  import type { IncomingMessage, ServerResponse } from 'node:http';
  declare global { namespace Express { interface Request {} } }
  declare namespace express {
    interface Request extends IncomingMessage, Express.Request { method: string; url: string; originalUrl: string; protocol: string }
    interface Response extends ServerResponse {
      json(value: unknown): void; send(value: string): void; sendStatus(code: number): void; redirect(path: string): void;
    }
    type Handler = (request: Request, response: Response, next: (error?: unknown) => void) => unknown;
    interface Application {
      use(handler: Handler): void; get(path: string, ...handlers: Handler[]): void; post(path: string, handler: Handler): void;
      listen(port: number, host?: string): void;
    }
  }
  declare function express(): express.Application;
  export = express;`;

describe('the SDK, installed in an empty folder', () => {
  /** A package that needs the Node of the service. */
  const newer = mkdtempSync(join(tmpdir(), 'latchkey-newer-'));
  const { engines } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));
  writeFileSync(join(newer, 'package.json'), JSON.stringify({ name: 'newer', version: '1.0.0', engines }));

  let installed: Installation;
  before(async () => {
    installed = await install([...packages.sdk, newer], asOldNode);
    symlinkSync(join(root, 'node_modules/fastify'), join(installed.folder, 'node_modules/fastify'));
    symlinkSync(join(root, 'node_modules/@types'), join(installed.folder, 'node_modules/@types'));
    const express = join(installed.folder, 'node_modules/express');
    mkdirSync(express);
    writeFileSync(join(express, 'package.json'), '{ "name": "express", "types": "index.d.ts" }');
    writeFileSync(join(express, 'index.d.ts'), expressTypes);
  });
  after(() => {
    installed.remove();
    rmSync(newer, { recursive: true });
  });

  it('needs no newer Node than it says, which npm would warn of', async () => {
    assert.match(installed.warnings, /EBADENGINE.*newer@1\.0\.0/, 'npm compares the version that this test gives it');
    assert.doesNotMatch(installed.warnings, /latchkey-sdk@/);
  });

  describe('where there is no page', () => {
    let test: TestService;
    let env: Record<string, string>;
    before(async () => {
      test = await startTestService('sqlite');
      for (const name of ['thandi', 'sipho']) await test.createUser(name);
      env = { SERVICE: await test.app.listen({ host: '127.0.0.1', port: 0 }), PASSWORD: USER_PASSWORD };
      writeFileSync(join(installed.folder, 'two.mjs'), twoClients);
      writeFileSync(
        join(installed.folder, 'worker.mjs'),
        "import { Worker } from 'node:worker_threads'; new Worker(new URL('./two.mjs', import.meta.url));",
      );
    });
    after(() => test.close());

    const told = { code: 0, out: 'false false false thandi true false false sipho true\n', err: '' };

    it('can be imported and created, makes calls for one user each, and lets the process end', {
      timeout: 60_000,
    }, async () => {
      assert.deepEqual(await installed.run(process.execPath, ['two.mjs'], env), told);
      assert.deepEqual(await installed.run(process.execPath, ['worker.mjs'], env), told);
    });

    it('signs in as the guide on the browser client prints it', async () => {
      const created = { appKey: 'portal', name: 'Portal' };
      await test.post('/api/services/app/FrontEndApp/Create', { token: await test.admin(), body: created });
      const printed = readGuideFile('browser-client.md', 'sign-in.ts')
        .replace("'https://id.example.com'", 'process.env.SERVICE')
        .replace("'as it was typed'", 'process.env.PASSWORD');
      const show = 'const showChangePassword = console.log, showCountdown = console.log;';
      writeFileSync(join(installed.folder, 'sign-in.mjs'), `${show}\n${printed}\nconsole.log(latchkey.isSignedIn);`);
      assert.deepEqual(await installed.run(process.execPath, ['sign-in.mjs'], env), {
        code: 0,
        out: 'true\n',
        err: '',
      });
    });

    it('stores nothing in a storage of Node, which all users of a server would share', async () => {
      const stored = join(installed.folder, 'stored');
      assert.deepEqual(await installed.run(process.execPath, [`--localstorage-file=${stored}`, 'two.mjs'], env), told);
      assert.equal(existsSync(stored), false);
    });
  });

  async function compile(files: Readonly<Record<string, string>>) {
    for (const [name, code] of Object.entries(files)) writeFileSync(join(installed.folder, name), code);
    const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    return (await installed.run(process.execPath, [compiler, ...options, ...Object.keys(files)])).out;
  }

  it('declares the session of a request to those who import the adapter of their framework', async () => {
    const printed = (name: string) => readGuideFile('sessions.md', name).replace(/process\.env\.\w+/g, "'x'");
    const files = {
      'sessions-express.mts': printed('server.mjs: an application of Express'),
      'sessions-fastify.mts': printed('server.mjs: an application of Fastify'),
    };
    const typed = `
      import type { Request } from 'express';
      import type { FastifyRequest } from 'fastify';
      export const read = ({ signedIn }: Request | FastifyRequest): string | undefined => signedIn?.user.userName;
      // @ts-expect-error: it may be null.
      export const misread = ({ signedIn }: Request | FastifyRequest) => signedIn.user;`;
    assert.equal(await compile({ ...files, 'typed-sessions.mts': typed }), '');
  });

  it('takes the clients of Redis as a store of sessions', async () => {
    const typed = `
      import type { SessionStore } from 'latchkey-sdk/session';
      // node-redis
      declare const redis: {
        get(key: string): Promise<string | null>;
        set(key: string, value: string, options: { EX: number }): Promise<string | null>;
      };
      export const store: SessionStore = {
        get: (key) => redis.get(key),
        set: (key, value, seconds) => redis.set(key, value, { EX: seconds }),
      };
      declare const ioredis: {
        get(key: string): Promise<string | null>;
        set(key: string, value: string, unit: 'EX', seconds: number): Promise<'OK'>;
      };
      export const other: SessionStore = {
        get: (key) => ioredis.get(key),
        set: (key, value, seconds) => ioredis.set(key, value, 'EX', seconds),
      };`;
    assert.equal(await compile({ 'store.mts': typed }), '');
  });

  it('types what a test server starts with, and what tests do with it', async () => {
    const typed = `
      import { latchkeyFixture, startLatchkey, type TestLatchkey } from 'latchkey-sdk/testing';
      const latchkey: TestLatchkey = await startLatchkey({ users: ['ann', { userName: 'ben' }], pin: '123456' });
      const { items } = await latchkey.admin.call('User/GetAll', { keyword: 'ann' });
      const { text, pin, link } = await latchkey.lastMessageTo('ann@example.com');
      export const texts: (string | null | undefined)[] = [items[0]?.userName, text, pin, link, await latchkey.signIn('ann')];
      export const [fixture, { scope }] = latchkeyFixture({ url: latchkey.url, key: latchkey.key });
      // @ts-expect-error: a user has a name.
      void startLatchkey({ users: [{ password: 'correct horse battery staple' }] });
      // @ts-expect-error: there is no such option.
      void startLatchkey({ mode: 'production' });
      // @ts-expect-error: there is no such call.
      void latchkey.admin.call('User/Make');`;
    assert.equal(await compile({ 'kit.mts': typed }), '');
  });

  it('declares the claims of a request to those who import the adapter of their framework', async () => {
    const printed = (name: string) =>
      readGuideFile('protecting-services.md', name).replace('process.env.LATCHKEY_SERVICE_KEY', "'lks_x'");
    const files = { 'express.mts': printed('express.mjs'), 'fastify.mts': printed('fastify.mjs') };
    const typed = `
      import type { Request } from 'express';
      import type { FastifyRequest } from 'fastify';
      export const read = ({ auth }: Request | FastifyRequest): readonly string[] => auth.roles;
      // @ts-expect-error: there is no such claim.
      export const misread = ({ auth }: Request | FastifyRequest) => auth.role;`;
    assert.equal(await compile({ ...files, 'typed.mts': typed }), '');
    const others = Object.entries(files).map(([name, code]) => [name, code.replace(/verify\/\w+/, 'verify')]);
    assert.match(await compile(Object.fromEntries(others)), /Property 'auth' does not exist/);
  });
});
