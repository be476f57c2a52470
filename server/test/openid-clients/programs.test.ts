// Programs with the libraries that people use: each is started, signs a person in, and does all else that it can.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
 * `CLIENT_ID`, `CLIENT_SECRET`, `PORT`, `PAGES` and `FOLDER`, which is empty.
 */
type Kind = {
  readonly name: string;
  /** In the folder of the programs. */
  readonly command: readonly string[];
  /** Default: `/callback`. */
  readonly redirectPath?: string;
  /** Default: `/logout`. */
  readonly signOutPath?: (signedOut: string) => string;
  /** Default: `/backchannel-logout`. */
  readonly backChannelPath?: string;
  readonly registration?: Registration;
  readonly tools?: {
    readonly probe: readonly string[];
    readonly packages: string;
    readonly env?: Record<string, string>;
  };
  /** Whether it refreshes its tokens, signs out at the service, and learns of sign-outs by the back channel. */
  readonly can: readonly Ability[];
};

const PROGRAMS = join(import.meta.dirname, 'programs');

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
  {
    name: 'Apache with mod_auth_openidc',
    command: ['/usr/sbin/apache2', '-D', 'FOREGROUND', '-d', '.', '-f', 'apache.conf'],
    redirectPath: '/redirect',
    signOutPath: (signedOut) => `/redirect?logout=${encodeURIComponent(signedOut)}`,
    backChannelPath: '/redirect?logout=backchannel',
    tools: {
      probe: ['/bin/test', '-e', '/usr/lib/apache2/modules/mod_auth_openidc.so'],
      packages: 'apache2 libapache2-mod-auth-openidc',
    },
    can: ['refreshes', 'signs out', 'learns of sign-outs'],
  },
  {
    name: 'Authlib (Python)',
    command: ['/usr/bin/python3', 'authlib-server.py'],
    tools: {
      probe: ['/usr/bin/python3', '-c', 'import authlib, requests'],
      packages: 'python3-authlib python3-requests',
    },
    can: ['refreshes'],
  },
  {
    name: 'OmniAuth (Ruby)',
    command: ['/usr/bin/ruby', 'omniauth.rb'],
    redirectPath: '/auth/latchkey/callback',
    tools: {
      probe: ['/usr/bin/ruby', '-e', 'require "omniauth_openid_connect"; require "webrick"'],
      packages: 'ruby-omniauth-openid-connect ruby-webrick',
    },
    can: [],
  },
  {
    name: 'go-oidc',
    command: ['/bin/sh', '-c', 'go build -o "$FOLDER/program" ./go-oidc && exec "$FOLDER/program"'],
    // It has no PKCE.
    registration: { pkce: 'orNonce' },
    tools: {
      probe: ['/usr/bin/go', 'list', 'github.com/coreos/go-oidc/...'],
      packages: 'golang-go golang-github-coreos-go-oidc-dev',
      env: { GO111MODULE: 'off', GOPATH: '/usr/share/gocode' },
    },
    can: ['refreshes'],
  },
];

const ann = { email: 'ann@example.com', groups: ['editor'] };

const toSignOut = () => '/logout';

function testProgram({ name, command, redirectPath = '/callback', registration, tools, can, ...paths }: Kind) {
  const { signOutPath = toSignOut, backChannelPath = '/backchannel-logout' } = paths;
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
        ...(can.includes('learns of sign-outs') && { backchannelLogoutUri: `${url}${backChannelPath}` }),
        ...registration,
      });
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-client-'));
      const place = { PAGES: join(PROGRAMS, 'pages'), FOLDER: folder };
      const variables = {
        ...place,
        ISSUER: provider.url,
        CLIENT_ID: clientId,
        CLIENT_SECRET: secret ?? '',
        PORT: String(port),
      };
      const env = { ...variables, ...tools?.env };
      const program = await startProgram(command, { url, env, cwd: PROGRAMS });
      try {
        const read = (person: Person, path: string) => readJson(person, `${url}${path}`, program.output);
        const who = { sub: provider.sub, ...ann };
        const person = openPerson(provider);
        assert.deepEqual(await read(person, '/login'), who);
        if (can.includes('refreshes')) assert.deepEqual(await read(person, '/refresh'), who);
        if (can.includes('signs out')) {
          assert.deepEqual(await read(person, signOutPath(`${url}/signed-out`)), { isSignedOut: true });
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
        rmSync(folder, { recursive: true });
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
