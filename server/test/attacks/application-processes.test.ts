// Sessions of an application that runs as two processes: parallel requests near expiry reach both, and all are answered.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, describe } from 'node:test';
import { createSessions, type SessionsOptions } from 'latchkey-sdk/session';
import { openBrowser } from '../support/application-browser.ts';
import { engines } from '../support/databases.ts';
import { root } from '../support/guide.ts';
import { createClient, REDIRECT_URI } from '../support/oauth.ts';
import { openPerson, type Provider, startProvider } from '../support/real-clients.ts';
import { itAtLength } from '../support/scale.ts';

const HOST = 'app.example.com';
const HOME = `https://${HOST}/`;

/** An application behind a proxy that ends TLS, whose clock is ahead. It prints its port. */
const server = `
  import { createServer } from 'node:http';
  import { createSessions, toSessionRequest } from 'latchkey-sdk/session';
  const { now } = Date;
  Date.now = () => now() + Number(process.env.AHEAD);
  const sessions = createSessions(JSON.parse(process.env.OPTIONS));
  createServer(async ({ url, headers }, response) => {
    const signedIn = await sessions.auth(toSessionRequest({ url, headers, protocol: 'https' }));
    response.statusCode = signedIn ? 200 : 401;
    for (const line of signedIn?.headers.getSetCookie() ?? []) response.appendHeader('set-cookie', line);
    response.end();
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

/** Starts the application as a process. @returns its port, and the process. */
async function start(options: SessionsOptions, ahead: number) {
  const env = { ...process.env, OPTIONS: JSON.stringify(options), AHEAD: String(ahead) };
  const args = ['--input-type=module', '--eval', server];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { child, port: Number(line) };
}

async function visit(port: number, cookie: string) {
  const sending = request({ port, host: '127.0.0.1', headers: { host: HOST, cookie }, agent: false }).end();
  const [answer] = await once(sending, 'response');
  answer.resume();
  const set: string[] = answer.headers['set-cookie'] ?? [];
  return { status: answer.statusCode, headers: new Headers(set.map((one) => ['set-cookie', one])) };
}

for (const engine of engines) {
  describe(`an application as two processes, with a service on ${engine}`, () => {
    let provider: Provider;
    const running: ChildProcess[] = [];
    before(async () => {
      provider = await startProvider(engine);
    });
    after(async () => {
      for (const child of running) child.kill();
      await provider?.close();
    });

    async function signIn(options: SessionsOptions) {
      const sessions = createSessions(options);
      const browser = openBrowser();
      const begun = await sessions.signIn(browser.to(HOME));
      browser.keep(begun);
      const { url } = await openPerson(provider).open(begun.headers.get('location') ?? '', { until: REDIRECT_URI });
      browser.keep(await sessions.callback(browser.to(url.href)));
      const { token } = (await sessions.auth(browser.to(HOME))) ?? assert.fail();
      return { browser, token };
    }

    for (const count of [6, 50]) {
      itAtLength(`answers ${count} parallel requests near expiry`, async () => {
        const { clientId, secret } = await createClient(provider.test, { pkce: 'required' });
        const application = { clientId, clientSecret: secret ?? '', redirectUri: REDIRECT_URI };
        const options = { baseUrl: provider.url, secret: 'a secret of at least thirty-two characters', application };
        const { browser, token } = await signIn(options);
        const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
        provider.test.clock.advance(iat + (exp - iat) * 0.99 - provider.test.clock.now() / 1000);

        const ahead = provider.test.clock.now() - Date.now();
        const processes = await Promise.all([start(options, ahead), start(options, ahead)]);
        running.push(...processes.map(({ child }) => child));
        const ports = processes.map(({ port }) => port);
        const cookie = browser.to(HOME).headers.get('cookie') ?? '';
        const answers = await Promise.all(
          Array.from({ length: count }, (_, index) => visit(ports[index % 2] ?? 0, cookie)),
        );
        assert.deepEqual(
          answers.map(({ status }) => status),
          Array.from({ length: count }, () => 200),
        );
        const refreshed = answers.filter(({ headers }) => headers.getSetCookie().length > 0);
        assert.ok(refreshed.length > 0, 'the token was refreshed');
        // The browser keeps the cookie of the answer that came last: of one process or of the other.
        for (const answer of refreshed.slice(-2)) {
          browser.keep(answer);
          const next = browser.to(HOME).headers.get('cookie') ?? '';
          assert.deepEqual(await Promise.all(ports.map(async (port) => (await visit(port, next)).status)), [200, 200]);
        }
      });
    }
  });
}
