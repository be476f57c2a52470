// The guide on sessions: its applications, started as printed there, and a person who signs in and out.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readGuideFile, root } from '../support/guide.ts';
import { createClient } from '../support/oauth.ts';
import { findFreePort } from '../support/ports.ts';
import { startProgram } from '../support/program.ts';
import { openPerson, type Provider, startProvider } from '../support/real-clients.ts';

const GUIDE = 'sessions.md';
const PRINTED = '3000';

/** The files of the examples that the guide shows, by how it calls them. */
const shown = {
  'server.mjs: an application of Express': 'express/server.mjs',
  'server.mjs: an application of Fastify': 'fastify/server.mjs',
  'sessions.js': 'next/sessions.js',
  'proxy.js': 'next/proxy.js',
  'app/auth/[action]/route.js': 'next/app/auth/[action]/route.js',
  'app/orders/page.jsx': 'next/app/orders/page.jsx',
};

describe('the guide on sessions', () => {
  let provider: Provider;
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-sessions-'));
  before(async () => {
    provider = await startProvider();
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(root, 'dist/package/sdk'), join(folder, 'node_modules/latchkey-sdk'));
    for (const name of ['express', 'fastify']) {
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    }
  });
  after(async () => {
    await provider.close();
    rmSync(folder, { recursive: true });
  });

  it('shows the code of the examples', () => {
    for (const [name, file] of Object.entries(shown)) {
      assert.equal(readGuideFile(GUIDE, name), readFileSync(join(root, 'examples', file), 'utf8'));
    }
  });

  /** Registers the application at a free port, and writes its code. @returns its variables. */
  async function write(name: string, file = name) {
    const port = await findFreePort();
    const url = `http://localhost:${port}`;
    const { clientId, secret } = await createClient(provider.test, {
      redirectUris: [`${url}/auth/callback`],
      postLogoutRedirectUris: [`${url}/`],
    });
    const code = readGuideFile(GUIDE, name);
    assert.ok(code.includes(PRINTED));
    writeFileSync(join(folder, file), code.replaceAll(PRINTED, String(port)));
    const env = {
      LATCHKEY_URL: provider.url,
      LATCHKEY_CLIENT_ID: clientId,
      LATCHKEY_CLIENT_SECRET: secret ?? '',
      SESSION_SECRET: 'a secret of at least thirty-two characters',
    };
    return { url, env };
  }

  for (const framework of ['Express', 'Fastify']) {
    it(`signs a person in to an application of ${framework}, and out of it`, async () => {
      const { url, env } = await write(`server.mjs: an application of ${framework}`, 'server.mjs');
      const start = (variables: typeof env) =>
        startProgram([process.execPath, 'server.mjs'], { url, env: variables, cwd: folder });
      let program = await start(env);
      try {
        const person = openPerson(provider);
        const arrived = await person.open(`${url}/orders`);
        assert.deepEqual([arrived.url.href, arrived.status], [`${url}/orders`, 200], program.output());
        assert.match(arrived.text, /The orders of ann/);
        const cookie = [...person.jarOf(url)].map((pair) => pair.join('=')).join('; ');
        const signOut = (site: string) =>
          fetch(`${url}/sign-out`, {
            method: 'POST',
            headers: { cookie, 'sec-fetch-site': site, 'content-type': 'application/x-www-form-urlencoded' },
            body: '',
            redirect: 'manual',
          });
        assert.equal((await signOut('cross-site')).status, 403);
        const answer = await signOut('same-origin');
        assert.match(answer.headers.get('set-cookie') ?? '', /^latchkey=; .*Max-Age=0/);
        assert.match(answer.headers.get('location') ?? '', /\/oauth\/end-session\?.*id_token_hint=/);
        const asked = await fetch(`${url}/orders`, { headers: { cookie }, redirect: 'manual' });
        assert.equal(asked.headers.get('location'), '/sign-in', 'the former cookie opens nothing');
        await program.stop();
        program = await start({ ...env, LATCHKEY_URL: 'http://127.0.0.1:1' });
        const unknown = await fetch(`${url}/orders`, { headers: { cookie }, redirect: 'manual' });
        assert.deepEqual([unknown.status, unknown.headers.get('retry-after')], [503, '1'], 'with the service away');
      } finally {
        await program.stop();
      }
    });
  }

  it('signs a person in to a function that takes a request', async () => {
    const name = 'sessions-fetch.mjs';
    const { url, env } = await write(name);
    Object.assign(process.env, env);
    const { handle } = await import(pathToFileURL(join(folder, name)).href);
    const jar: string[] = [];
    const call = async (path: string): Promise<Response> => {
      const answer = await handle(new Request(url + path, { headers: { cookie: jar.join('; ') } }));
      jar.push(...answer.headers.getSetCookie().map((line: string) => line.split(';')[0] ?? ''));
      return answer;
    };
    assert.equal((await call('/orders')).headers.get('location'), '/sign-in');
    const begun = await call('/sign-in');
    const { url: back } = await openPerson(provider).open(begun.headers.get('location') ?? '', { until: url });
    assert.equal((await call(back.pathname + back.search)).headers.get('location'), '/orders');
    assert.deepEqual(await (await call('/orders')).json(), { orders: [], of: 'ann' });
    Object.assign(process.env, { LATCHKEY_URL: 'http://127.0.0.1:1' });
    const cut = await import(`${pathToFileURL(join(folder, name)).href}?cut`);
    const signedOut = await cut.handle(
      new Request(`${url}/sign-out`, { method: 'POST', headers: { cookie: jar.join('; ') } }),
    );
    assert.match(signedOut.headers.get('set-cookie') ?? '', /^latchkey=; .*Max-Age=0/, 'with the service away');
  });
});
