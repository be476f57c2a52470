// Programs with the libraries that people use: each is started, signs a person in, and does all else that it can.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../support/oauth.ts';
import { findFreePort } from '../support/ports.ts';
import { requireTools, startProgram } from '../support/program.ts';
import { openPerson, type Person, type Provider, startProvider } from '../support/real-clients.ts';
import { isLong } from '../support/scale.ts';

type Registration = NonNullable<Parameters<typeof createClient>[1]>;

/** Each is also how the name of the test says it. */
type Ability = 'refreshes' | 'signs out' | 'learns of sign-outs';

/**
 * A program. It answers `/` with the person who is signed in, and `/login` begins a sign-in. It has the variables `ISSUER`,
 * `CLIENT_ID`, `CLIENT_SECRET` and `PORT`.
 */
type Kind = {
  readonly name: string;
  /** In the folder of the programs. */
  readonly command: readonly string[];
  /** The paths of its addresses. Default: `/callback`. */
  readonly redirectPath?: string;
  readonly registration?: Registration;
  readonly tools?: {
    readonly probe: readonly string[];
    readonly packages: string;
    readonly env?: Record<string, string>;
  };
  /** Whether it refreshes its tokens, signs out at the service, and learns of sign-outs by the back channel. */
  readonly can: readonly Ability[];
};

const node = (file: string) => [process.execPath, file];

const kinds: readonly Kind[] = [
  { name: 'openid-client 5', command: node('openid-client-5.mjs'), can: ['refreshes', 'signs out'] },
  { name: 'Auth.js', command: node('auth-core.mjs'), redirectPath: '/auth/callback/latchkey', can: [] },
  { name: 'passport-openidconnect', command: node('passport-openidconnect.mjs'), can: [] },
  {
    name: 'express-openid-connect',
    command: node('express-openid-connect.mjs'),
    can: ['refreshes', 'signs out', 'learns of sign-outs'],
  },
];

const ann = { email: 'ann@example.com', groups: ['editor'] };

function testProgram({ name, command, redirectPath = '/callback', registration, tools, can }: Kind) {
  describe(name, () => {
    let provider: Provider;
    before(async () => {
      if (tools) await requireTools(tools.probe, tools);
      provider = await startProvider();
    });
    after(() => provider?.close());

    it(['signs in', ...can].join(', '), async () => {
      const port = await findFreePort();
      const url = `http://localhost:${port}`;
      const { id, clientId, secret } = await createClient(provider.test, {
        redirectUris: [`${url}${redirectPath}`],
        postLogoutRedirectUris: [`${url}/signed-out`],
        ...(can.includes('learns of sign-outs') && { backchannelLogoutUri: `${url}/backchannel-logout` }),
        ...registration,
      });
      const variables = { ISSUER: provider.url, CLIENT_ID: clientId, CLIENT_SECRET: secret ?? '', PORT: String(port) };
      const env = { ...variables, ...tools?.env };
      const program = await startProgram(command, { url, env, cwd: join(import.meta.dirname, 'programs') });
      try {
        const read = (person: Person, path: string) => readJson(person, `${url}${path}`, program.output);
        const who = { sub: provider.sub, ...ann };
        const person = openPerson(provider);
        assert.deepEqual(await read(person, '/login'), who);
        if (can.includes('refreshes')) assert.deepEqual(await read(person, '/refresh'), who);
        if (can.includes('signs out')) {
          assert.deepEqual(await read(person, '/logout'), { isSignedOut: true });
          const kept = [...person.jarOf(provider.url).keys()];
          assert.ok(!kept.includes('latchkey-session'), 'the browser has no session at the service');
        }
        if (!can.includes('learns of sign-outs')) return;
        assert.deepEqual(await read(person, '/login'), who);
        await provider.test.post('/api/services/app/Session/EndOthers', { token: await provider.test.signIn('ann') });
        assert.deepEqual(await read(person, '/'), who, 'it has not been told');
        await provider.test.service.signOutDeliveries.deliverDue(id);
        assert.equal(await read(person, '/'), null);
      } finally {
        await program.stop();
      }
    });
  });
}

/** Opens an address, and reads the answer of the program to which the browser comes. */
async function readJson(person: Person, url: string, output: () => string): Promise<unknown> {
  const arrival = await person.open(url);
  try {
    return JSON.parse(arrival.text);
  } catch {
    return assert.fail(`${arrival.url} answers ${arrival.status}: ${arrival.text}\n${output()}`);
  }
}

if (isLong) for (const kind of kinds) testProgram(kind);
