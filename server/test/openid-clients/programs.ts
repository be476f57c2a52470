// The programs with libraries that people use, and what each of them can do.
import { join } from 'node:path';
import type { createClient } from '../support/oauth.ts';

type Registration = NonNullable<Parameters<typeof createClient>[1]>;

/** Each is also how the name of the test says it. */
type Ability = 'refreshes' | 'signs out' | 'learns of sign-outs';

/**
 * A program. It answers `/` with the person who is signed in, and `/login` begins a sign-in. It has the variables `ISSUER`,
 * `CLIENT_ID`, `CLIENT_SECRET`, `PORT`, `PAGES` and `FOLDER`, which is empty.
 */
export type Kind = {
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

export const PROGRAMS = join(import.meta.dirname, 'programs');

const node = (file: string) => [process.execPath, file];

export const kinds: readonly Kind[] = [
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
    name: 'Authlib',
    command: ['/usr/bin/python3', 'authlib-server.py'],
    tools: {
      probe: ['/usr/bin/python3', '-c', 'import authlib, requests'],
      packages: 'python3-authlib python3-requests',
    },
    can: ['refreshes'],
  },
  {
    name: 'OmniAuth',
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
