// The guide on protecting services: Express and Fastify with its code, as processes of their own.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createRunningClock } from '../support/clock.ts';
import { GUIDE } from '../support/guarded.ts';
import { readGuideFile, root } from '../support/guide.ts';
import { findFreePort } from '../support/ports.ts';
import { ownEnvironment } from '../support/process.ts';
import { type ProxyAnswer, sendTo } from '../support/protected-application.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSidecar } from '../support/sidecar.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const LOOK_MS = 20;

for (const framework of ['express', 'fastify']) {
  describe(`${framework} with the verifier`, () => {
    let test: TestService;
    /** Between the application and Latchkey. */
    let line: TcpProxy;
    let folder: string;
    let application: ChildProcess;
    let port: number;

    before(async () => {
      const servicePort = await findFreePort();
      line = await startTcpProxy(servicePort);
      const issuer = `http://127.0.0.1:${line.port}`;
      test = await startTestService('sqlite', { publicUrl: issuer, clock: createRunningClock() });
      await test.app.listen({ port: servicePort, host: '127.0.0.1' });
      await test.createUser('thandi', { roleNames: ['Clerk'] });
      await test.createUser('accountant', { roleNames: ['Accountant'] });
      port = await findFreePort();
      folder = writeApplication(framework, { issuer, port });
      const env = {
        ...ownEnvironment(),
        NODE_ENV: 'production',
        LATCHKEY_SERVICE_KEY: await test.createServiceKey('orders', ['revocations']),
      };
      application = spawn(process.execPath, [`${framework}.mjs`], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      await untilListening();
    });
    after(async () => {
      if (application?.exitCode === null) {
        application.kill();
        await once(application, 'exit');
      }
      if (folder) rmSync(folder, { recursive: true, force: true });
      await line?.close();
      await test?.close();
    });

    async function untilListening() {
      let output = '';
      for (const stream of [application.stdout, application.stderr]) {
        stream?.setEncoding('utf8').on('data', (chunk) => {
          output += chunk;
        });
      }
      while (!(await call('/orders').catch(() => undefined))) {
        assert.equal(application.exitCode, null, output);
        await sleep(LOOK_MS);
      }
    }

    const call = (path: string, token?: string) =>
      sendTo(port, path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

    async function callWhile(status: number, token: string): Promise<ProxyAnswer> {
      for (;;) {
        const answer = await call('/orders', token);
        if (answer.status !== status) return answer;
      }
    }

    it('passes valid tokens, and refuses others with the challenge', async () => {
      const answer = await call('/orders', await test.signIn('thandi'));
      assert.deepEqual([answer.status, JSON.parse(answer.text)], [200, { user: 'thandi' }]);
      const missing = await call('/orders');
      assert.deepEqual([missing.status, missing.headers['www-authenticate']], [401, 'Bearer realm="latchkey"']);
      const wrong = await call('/orders', 'nonsense');
      assert.equal(wrong.status, 401);
      assert.match(String(wrong.headers['www-authenticate']), /invalid_token/);
      assert.doesNotMatch(wrong.text, /\.(js|ts|mjs):/, 'no stack trace');
    });

    it('refuses a token that was signed off or exchanged', async () => {
      const [first, second] = [await test.signIn('thandi'), await test.signIn('thandi')];
      for (const token of [first, second]) assert.equal((await call('/orders', token)).status, 200);
      await test.post('/api/TokenAuth/SignOff', { token: first });
      const { result } = await test.post('/api/TokenAuth/RefreshTokenAsync', { token: second });
      for (const token of [first, second]) assert.equal((await callWhile(200, token)).status, 401);
      assert.equal((await call('/orders', result.accessToken)).status, 200);
    });

    it('demands a role', async () => {
      assert.equal((await call('/accounting', await test.signIn('thandi'))).status, 403);
      assert.equal((await call('/accounting', await test.signIn('accountant'))).status, 200);
    });

    it('refuses every token while it does not hear from Latchkey', async () => {
      const token = await test.signIn('thandi');
      line.swallow();
      assert.equal((await callWhile(200, token)).status, 503);
      line.pass();
      assert.equal((await callWhile(503, token)).status, 200);
    });
  });
}

/** `npm run test:verifiers` sets it: run the code for Java too, with Debian's package default-jdk-headless. */
if (process.env.LATCHKEY_TEST_VERIFIERS) {
  describe('the class for Spring', () => {
    /** Prints for each argument, a list of headers: who calls, `refused`, or `unknown` if the sidecar does not tell. */
    const program = `
      class Main {
        public static void main(String[] args) throws Exception {
          Latchkey latchkey = new Latchkey(args[0]);
          var out = new java.io.PrintStream(System.out, true, java.nio.charset.StandardCharsets.UTF_8);
          for (int i = 1; i < args.length; i++) {
            java.util.List<String> headers = args[i].isEmpty() ? java.util.List.of() : java.util.List.of(args[i].split(";"));
            String line;
            try {
              line = latchkey.findCaller(headers).map(Object::toString).orElse("refused");
            } catch (java.io.IOException error) {
              line = "unknown";
            }
            out.println(line);
          }
        }
      }`;
    const run = promisify(execFile);

    it('tells who calls, as long as the sidecar does', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-java-'));
      writeFileSync(join(folder, 'Latchkey.java'), readGuideFile(GUIDE, 'Latchkey.java'));
      writeFileSync(join(folder, 'Main.java'), program);
      const sources = ['Latchkey.java', 'Main.java'];
      await run('javac', ['-Xlint:all', '-Werror', ...sources], { cwd: folder }).catch(({ code, stderr }) => {
        assert.fail(code === 'ENOENT' ? 'There is no Java: apt-get install default-jdk-headless' : stderr);
      });
      const port = await findFreePort();
      const issuer = `http://127.0.0.1:${port}`;
      const test = await startTestService('sqlite', { publicUrl: issuer, clock: createRunningClock() });
      await test.app.listen({ port, host: '127.0.0.1' });
      const sidecar = await startSidecar(test, issuer);
      try {
        const id = await test.createUser('jürgen+1', { roleNames: ['Clerk', 'Größe, EU', 'A+B'] });
        const token = `Bearer ${await test.signIn('jürgen+1')}`;
        const ask = async (...headers: string[]) => {
          const { stdout } = await run('java', ['-cp', folder, 'Main', `http://127.0.0.1:${sidecar.port}`, ...headers]);
          return stdout.trimEnd().split('\n');
        };
        const caller = `Caller[id=${id}, userName=jürgen+1, roles=[`;
        const [first = '', ...rest] = await ask(token, 'Bearer nonsense', '', `${token};${token}`);
        assert.ok(first.startsWith(caller), first);
        for (const role of ['Clerk', 'Größe, EU', 'A+B']) assert.ok(first.includes(role), first);
        assert.deepEqual(rest, ['refused', 'refused', 'refused']);
        await sidecar.stop();
        assert.deepEqual(await ask(token), ['unknown']);
      } finally {
        await sidecar.stop();
        await test.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
}

/** Writes the code of the guide to a new folder that finds its packages. @returns the folder. */
function writeApplication(framework: string, { issuer, port }: { issuer: string; port: number }): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-application-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'node_modules', framework), join(folder, 'node_modules', framework));
  symlinkSync(join(root, 'dist/package/sdk'), join(folder, 'node_modules/latchkey-sdk'));
  // The issuer comes last: its own port may have the digits of the printed one.
  const replacements = [
    ['5000', String(port)],
    ['https://id.example.com', issuer],
  ] as const;
  const code = replacements.reduce(
    (text, [printed, own]) => {
      assert.ok(text.includes(printed), `the guide has ${printed}`);
      return text.replaceAll(printed, own);
    },
    readGuideFile(GUIDE, `${framework}.mjs`),
  );
  writeFileSync(join(folder, `${framework}.mjs`), code);
  return folder;
}
