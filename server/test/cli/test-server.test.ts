// latchkey test-server: what it takes, what it refuses to be, and that it ends with whatever has started it.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { callProcess } from '../support/process.ts';
import { SECRET, startCommandLine } from './run.ts';

const KEY = 'the-key-of-these-tests';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';

/** Returns the status of a GET whose `Host` header is another one than its address. */
async function statusOf(
  port: string,
  path: string,
  host: string,
  more: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const sent = request({ port, host: '127.0.0.1', path, headers: { host, ...more }, agent: false }).end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

describe('latchkey test-server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-server-'));
  const left: ChildProcess[] = [];
  after(() => {
    for (const child of left) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const start = (words: readonly string[], env: Record<string, string>, input = '') =>
    startCommandLine(['test-server', ...words], { LATCHKEY_PORT: '0', ...env }, { cwd: folder, input });

  /** Starts a server with options in a file, and waits for the line that it prints. */
  async function serve(options: unknown = {}, env: Record<string, string> = {}) {
    writeFileSync(join(folder, 'options.json'), JSON.stringify(options));
    const { child, ended } = start(['options.json'], env);
    const [line] = await Promise.race([
      once(child.stdout ?? assert.fail(), 'data'),
      ended.then(({ err }) => assert.fail(err)),
    ]);
    const stop = async () => {
      child.kill('SIGTERM');
      return (await ended).code;
    };
    left.push(child);
    return { ...JSON.parse(line), stop, ended };
  }

  /** Asserts that it ends before it is ready, with this one line on standard error. */
  async function assertRefused(line: RegExp, options: unknown, env: Record<string, string> = {}) {
    // Standard input ends after the options: a server that started all the same would end, with exit code 0.
    const { code, out, err } = await start(['-'], env, `${JSON.stringify(options)}\n`).ended;
    assert.deepEqual({ code, out }, { code: 1, out: '' }, err);
    assert.match(err, /^latchkey: [^\n]+\n$/);
    assert.match(err, line);
  }

  describe('in production', () => {
    it('does not start, whatever its options are', async () => {
      const postgres = 'postgres://me:hunter2@db.example.com/latchkey';
      await assertRefused(/LATCHKEY_MODE is production/, {}, { LATCHKEY_MODE: 'production' });
      await assertRefused(/LATCHKEY_DATABASE_URL is set/, { nonsense: 1 }, { LATCHKEY_DATABASE_URL: postgres });
      const env = { LATCHKEY_PUBLIC_URL: 'https://id.example.com' };
      await assertRefused(/LATCHKEY_PUBLIC_URL is no address of this machine/, { publicUrl: 'http://localhost' }, env);
      await assertRefused(/publicUrl is no address of this machine/, { publicUrl: 'https://id.example.com' });
    });

    it('touches neither the data directory nor the secret of an installation', async () => {
      const dataDir = join(folder, 'data');
      mkdirSync(dataDir);
      const env = { LATCHKEY_DATA_DIR: dataDir, LATCHKEY_SECRET: SECRET, LATCHKEY_WORKERS: '2' };
      const server = await serve({ users: ['ann'] }, env);
      assert.equal(await server.stop(), 0);
      assert.deepEqual(readdirSync(dataDir), []);
      const never = join(folder, 'never');
      await (await serve({}, { LATCHKEY_DATA_DIR: never })).stop();
      assert.equal(existsSync(never), false);
    });
  });

  it('names the option that is wrong', async () => {
    await assertRefused(/users\.1/, { users: ['ann', 'ANN'] });
    await assertRefused(/pin: .*demands 6/, { pin: '12345' });
    await assertRefused(/nowhere\.yaml does not exist/, { config: join(folder, 'nowhere.yaml') });
    await assertRefused(/roles\.A\.grantedPermision/, { config: { roles: { A: { grantedPermision: [] } } } });
    const { code, err } = await start(['-'], {}, 'not: [closed\n').ended;
    assert.equal(code, 1);
    assert.match(err, /^latchkey: options:1:/);
  });

  it('takes texts with every character that JSON has', async () => {
    const users = [{ userName: 'ann', password: 'a line\u2028a paragraph\u2029\r\n\u0085' }];
    const { code, out, err } = await start(['-'], {}, `${JSON.stringify({ users })}\n`).ended;
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    assert.match(out, /"url"/);
  });

  it('says that a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    // A server that listens at a port has an address that is an object.
    const { port } = other.address() as AddressInfo;
    try {
      await assertRefused(new RegExp(`Port ${port} is in use`), { port });
    } finally {
      other.close();
    }
  });

  it('ends with standard input if that has its options, and otherwise with a signal', async () => {
    const { child, ended } = startCommandLine(['test-server', '-'], {}, { cwd: folder, input: '{}\n' });
    assert.equal((await ended).code, 0);
    assert.equal(child.signalCode, null);
    const server = await serve();
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 200, 'its standard input has ended by now');
    assert.equal(await server.stop(), 0);
  });

  describe('its control', () => {
    let url: string;
    let stop: () => Promise<unknown>;
    before(async () => {
      const users = ['ann'];
      ({ url, stop } = await serve(
        { users, applications: { shop: { name: 'Shop', kind: 'web' } } },
        { LATCHKEY_TEST_KEY: KEY },
      ));
    });
    after(() => stop());

    const call = (path: string, body: unknown, headers: Record<string, string> = { authorization: `Bearer ${KEY}` }) =>
      fetch(`${url}/test-server/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });

    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
    const read = async (path: string, body: unknown): Promise<any> => (await call(path, body)).json();

    it('answers by HTTP what the kit returns', async () => {
      const state = await read('state', {});
      assert.equal(state.url, url);
      assert.match(state.secrets['applications.shop.clientSecret'], /^\S{32,}$/);
      const { token } = await read('sign-in', { userName: 'ann' });
      const readUser = async () => {
        const { result } = await callProcess(url, 'GET', WHO, { token });
        return result.user?.userName;
      };
      assert.equal(await readUser(), 'ann');
      const { now } = await read('advance', { seconds: 86_400 });
      assert.ok(Date.parse(now) > Date.now() + 86_000_000);
      assert.equal(await readUser(), undefined);
    });

    it('needs its key', async () => {
      for (const authorization of ['', 'Bearer ', `Bearer ${KEY}x`, `Bearer ${KEY.slice(1)}`, `Basic ${KEY}`]) {
        for (const path of ['state', 'sign-in', 'last-message', 'advance'])
          assert.equal((await call(path, { userName: 'ann', seconds: 1 }, { authorization })).status, 403);
      }
      assert.equal((await fetch(`${url}/test-server/state`)).status, 404);
    });

    it('refuses what makes no sense', async () => {
      for (const seconds of [-1, '1', null, 1e12]) assert.equal((await call('advance', { seconds })).status, 400);
      assert.equal((await call('sign-in', { userName: 'nobody' })).status, 404);
      assert.equal((await call('sign-in', ['ann'])).status, 400);
      const { error } = await read('last-message', { address: 'ann@example.com' });
      assert.equal(error.details, 'No message was sent to ann@example.com. No message was sent at all.');
    });
  });

  it('answers nothing under the name of another machine', async () => {
    const server = await serve();
    const { port } = new URL(server.url);
    for (const path of ['/login', '/health/ready', '/.well-known/jwks.json', WHO]) {
      assert.equal(await statusOf(port, path, `localhost:${port}`), 200);
      for (const host of ['id.example.com', 'localhost.example.com', '0.0.0.0', '127.0.0.1.example.com'])
        assert.equal(await statusOf(port, path, host), 421, `${path} ${host}`);
    }
    for (const host of ['id.example.com@localhost', 'localhost/id.example.com', 'localhost#'])
      assert.equal(await statusOf(port, WHO, host), 421, host);
    for (const host of ['LOCALHOST', '127.0.0.1:80', '[::1]:8080']) assert.equal(await statusOf(port, WHO, host), 200);
    await server.stop();
  });

  it('answers nothing that a proxy has got under the name of another machine', async () => {
    const server = await serve();
    const { port } = new URL(server.url);
    const statusFor = (more: Record<string, string>) => statusOf(port, WHO, `localhost:${port}`, more);
    for (const name of ['id.example.com', 'localhost, id.example.com', 'id.example.com:443'])
      assert.equal(await statusFor({ 'x-forwarded-host': name }), 421, name);
    for (const forwarded of ['for=10.0.0.1;host=id.example.com', 'host=localhost, Host="id.example.com:443"'])
      assert.equal(await statusFor({ forwarded }), 421, forwarded);
    assert.equal(await statusFor({ 'x-forwarded-host': `localhost:${port}`, forwarded: 'for=::1;host="[::1]"' }), 200);
    await server.stop();
  });
});
