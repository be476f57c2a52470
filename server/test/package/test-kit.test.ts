// The test kit as a developer has it: installed by npm, used by the tests that the guide prints, and gone when they are over.
// In the long form alone: npm installs the kit and a test runner, which start test servers.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readGuideFile, root } from '../support/guide.ts';
import { type Installation, install, packages } from '../support/installation.ts';
import { ownEnvironment } from '../support/process.ts';

const GUIDE = 'testing-your-application.md';
const LOOK_MS = 20;

/** Starts a kit, prints its address, and does not stop it. */
const starting = `
  import { startLatchkey } from 'latchkey-sdk/testing';
  const latchkey = await startLatchkey({ program: process.env.PROGRAM });
  console.log(latchkey.url);
  setInterval(() => {}, 1000);`;

/** Starts the program as Node 20 would, which starts a newer Node as its child. */
const asOldNode = `
  Object.defineProperty(process.versions, 'node', { value: '20.20.2' });
  await import('./node_modules/latchkey/latchkey.mjs');`;

const isReachable = (url: string) =>
  fetch(`${url}/health/live`).then(
    () => true,
    () => false,
  );

async function untilGone(url: string) {
  while (await isReachable(url)) await sleep(LOOK_MS);
}

describe('the test kit, installed in an empty folder', () => {
  let installed: Installation;
  before(async () => {
    installed = await install([...packages.service, ...packages.sdk]);
    for (const name of ['orders.mjs', 'orders.test.mjs'])
      writeFileSync(join(installed.folder, name), readGuideFile(GUIDE, name));
  });
  after(() => installed.remove());

  /** Runs a module in the folder, and returns what it prints. */
  async function run(code: string, env: Record<string, string> = {}) {
    writeFileSync(join(installed.folder, 'script.mjs'), `import { startLatchkey } from 'latchkey-sdk/testing';${code}`);
    const { code: exit, out, err } = await installed.run(process.execPath, ['script.mjs'], env);
    assert.deepEqual({ exit, err }, { exit: 0, err: '' }, out);
    return out;
  }

  it('runs the tests of the guide', async () => {
    const { code, out } = await installed.run(process.execPath, ['--test', 'orders.test.mjs']);
    assert.equal(code, 0, out);
    assert.match(out, /pass 4\n/);
  });

  it('gives each suite a service of its own, and ends it', async () => {
    const out = await run(`
      const kits = await Promise.all([startLatchkey({ users: ['ann'] }), startLatchkey({ users: ['ben'] })]);
      const signIn = (kit, name) => kit.signIn(name).then(() => 'signed in', ({ reason }) => reason);
      console.log(new Set(kits.map(({ url }) => url)).size);
      for (const kit of kits) console.log(await signIn(kit, 'ann'), await signIn(kit, 'ben'));
      await kits[0].advance(86_400);
      await Promise.all(kits.map((kit) => kit.stop()));
      console.log(await signIn(kits[0], 'ann'), await signIn(kits[1], 'ben'));`);
    assert.equal(out, '2\nsigned in request.notFound\nrequest.notFound signed in\nnetwork network\n');
  });

  it('lets a process end whose tests have forgotten to stop it', async () => {
    const out = await run('const { url } = await startLatchkey(); console.log(url);');
    await untilGone(out.trim());
  });

  it('makes calls as the administrator, also after the clock has moved', async () => {
    const out = await run(`
      const latchkey = await startLatchkey({
        settings: { 'Shesha.Otp': { passwordLength: 8 } },
        applications: { shop: { name: 'Shop', kind: 'web' }, till: { name: 'Till', kind: 'web', clientSecret: 'x'.repeat(16) + 'abcdefghijklmnop' } },
        config: { roles: { Clerk: { grantedPermissions: ['Pages.Users'] } } },
        users: [{ userName: 'ann', roleNames: ['Clerk'] }],
        pin: '12345678',
      });
      const { admin, settings, secrets } = latchkey;
      console.log(Object.keys(secrets).join());
      for (let day = 0; day < 3; day += 1) {
        const { items } = await admin.call('User/GetAll');
        console.log(items.map(({ userName }) => userName).join());
        await latchkey.advance(86_400);
      }
      await settings.set('Shesha.Otp', { maxAttempts: 2 });
      const { passwordLength, maxAttempts } = await settings.get('Shesha.Otp');
      console.log(passwordLength, maxAttempts);
      await latchkey.stop();`);
    assert.equal(out, `applications.shop.clientSecret\n${'admin,ann\n'.repeat(3)}8 2\n`);
  });

  it('makes calls as the administrator, also where the settings require a second factor', async () => {
    const out = await run(`
      const latchkey = await startLatchkey({
        settings: { 'Latchkey.Factors': { authenticator: true, requireForPermissions: true } },
        users: [{ userName: 'ann', roleNames: ['Administrator'] }],
      });
      const { admin, settings } = latchkey;
      console.log((await admin.call('User/GetAll')).totalCount);
      const authorization = 'Bearer ' + (await latchkey.signIn('ann'));
      const answer = await fetch(latchkey.url + '/api/services/app/User/GetAll', { headers: { authorization } });
      console.log((await answer.json()).error.reason);
      await latchkey.advance(86_400);
      await settings.set('Latchkey.Factors', { requireForPermissions: false });
      console.log((await settings.get('Latchkey.Factors')).requireForPermissions);
      await latchkey.stop();`);
    assert.equal(out, '2\nfactor.enrollmentRequired\nfalse\n');
  });

  it('reaches a service whose public URL is that of a proxy', async () => {
    const out = await run(`
      const latchkey = await startLatchkey({ users: ['ann'], publicUrl: 'http://localhost:9/auth' });
      const [, payload] = (await latchkey.signIn('ann')).split('.');
      console.log(latchkey.url, JSON.parse(Buffer.from(payload, 'base64url')).iss);
      console.log((await latchkey.admin.call('User/GetAll')).totalCount);
      await latchkey.stop();`);
    assert.equal(out, 'http://localhost:9/auth http://localhost:9/auth\n2\n');
  });

  it('moves the verifier of the application too', async () => {
    const out = await run(`
      import { createVerifier } from 'latchkey-sdk/verify';
      const config = { serviceKeys: { orders: { permissions: ['revocations'] } } };
      const latchkey = await startLatchkey({ users: ['ann'], config });
      const serviceKey = latchkey.secrets['serviceKeys.orders.key'];
      const verifier = createVerifier({ issuer: latchkey.url, audience: 'latchkey', serviceKey });
      await verifier.ready();
      const verify = (token) => verifier.verify(token).then(() => 'accepted', ({ reason }) => reason);
      const token = await latchkey.signIn('ann');
      console.log(await verify(token));
      await latchkey.advance(86_400);
      while ((await verify(token)) !== 'expired') await new Promise((wake) => setTimeout(wake, 20));
      console.log(await verify(await latchkey.signIn('ann')));
      verifier.close();
      await latchkey.stop();`);
    assert.equal(out, 'accepted\naccepted\n');
  });

  it('moves what is due: a webhook that failed is sent again after the advance', async () => {
    const out = await run(`
      import { once } from 'node:events';
      import { createServer } from 'node:http';
      let status = 500;
      const receiver = createServer((request, response) => request.resume().on('end', () => {
        response.writeHead(status).end();
        receiver.emit('received');
      })).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const url = 'http://127.0.0.1:' + receiver.address().port + '/';
      const latchkey = await startLatchkey({ users: ['ann'], config: { webhooks: { [url]: { actions: ['signIn.*'] } } } });
      const received = () => once(receiver, 'received');
      const first = received();
      await latchkey.signIn('ann');
      await first;
      status = 200;
      const second = received();
      await latchkey.advance(3600);
      await second;
      console.log('received again');
      receiver.close();
      await latchkey.stop();`);
    assert.equal(out, 'received again\n');
  });

  const refused: [about: string, env: Record<string, string>, options: string, message: RegExp][] = [
    ['production', { LATCHKEY_MODE: 'production' }, '{}', /LATCHKEY_MODE is production/],
    ['a database', { LATCHKEY_DATABASE_URL: 'postgres://me:hunter2@db/x' }, '{}', /LATCHKEY_DATABASE_URL is set/],
    ['a public URL', { LATCHKEY_PUBLIC_URL: 'https://id.example.com' }, '{}', /LATCHKEY_PUBLIC_URL is no address/],
    ['a public URL in its options', {}, "{ publicUrl: 'https://id.example.com' }", /publicUrl is no address/],
    ['another option', {}, "{ databaseUrl: 'sqlite:latchkey.db' }", /databaseUrl: There is no such member/],
    ['a folder in place of the program', {}, "{ program: '' }", /did not start.*Cannot find module/s],
    ['no installed service', { HIDDEN: '1' }, "{ program: './nowhere.mjs' }", /did not start.*Cannot find module/s],
  ];
  for (const [about, env, options, message] of refused) {
    it(`refuses ${about}`, async () => {
      const out = await run(`await startLatchkey(${options}).catch((error) => console.log(error.message));`, env);
      assert.match(out, message);
      assert.doesNotMatch(out, /hunter2/);
    });
  }

  it('says how to install the service', async () => {
    const [there, away] = ['latchkey', 'hidden'].map((name) => join(installed.folder, 'node_modules', name)) as [
      string,
      string,
    ];
    renameSync(there, away);
    try {
      const out = await run('await startLatchkey().catch((error) => console.log(error.message));');
      assert.match(out, /npm install --save-dev latchkey/);
    } finally {
      renameSync(away, there);
    }
  });

  describe('when the process that started it is killed', () => {
    let parent: ChildProcess;
    async function start(program: string): Promise<string> {
      writeFileSync(join(installed.folder, 'starting.mjs'), starting);
      const env = { ...ownEnvironment(), PROGRAM: program };
      parent = spawn(process.execPath, ['starting.mjs'], {
        cwd: installed.folder,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = await once(parent.stdout ?? assert.fail(), 'data');
      return String(line).trim();
    }

    it('ends', async () => {
      const url = await start(join(installed.folder, 'node_modules/latchkey/latchkey.mjs'));
      assert.equal(await isReachable(url), true);
      parent.kill('SIGKILL');
      await untilGone(url);
    });

    it('ends where a newer Node is its child', async () => {
      symlinkSync(join(root, 'node_modules/node'), join(installed.folder, 'node_modules/node'));
      writeFileSync(join(installed.folder, 'old.mjs'), asOldNode);
      const url = await start(join(installed.folder, 'old.mjs'));
      assert.equal(await isReachable(url), true);
      parent.kill('SIGKILL');
      await untilGone(url);
    });
  });

  it('is code that no other command loads', async () => {
    const folder = join(installed.folder, 'node_modules/latchkey/server');
    const own = globSync('*.js.map', { cwd: folder }).filter((name) =>
      JSON.parse(readFileSync(join(folder, name), 'utf8')).sources.some((source: string) =>
        source.includes('server/src/testing/'),
      ),
    );
    assert.ok(own.length > 0);
    for (const name of own) {
      const file = join(folder, name.replace(/\.map$/, ''));
      writeFileSync(file, `process.stderr.write('LOADED\\n');\n${readFileSync(file, 'utf8')}`);
    }
    const service = await installed.serve();
    assert.equal((await fetch(`${service.url}/test-server/state`, { method: 'POST' })).status, 404);
    await service.stop();
    assert.doesNotMatch(service.output(), /LOADED/);
    const command = join(installed.folder, 'node_modules/.bin/latchkey');
    for (const words of [['--help'], ['config', 'export'], ['doctor']])
      assert.doesNotMatch((await installed.run(command, words)).err, /LOADED/);
    assert.match((await installed.run(command, ['test-server', '-'])).err, /^LOADED/);
  });
});
