// The providers of the world for tests: each behaves as its maker documents, at its real addresses, behind an egress of the test.
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, importSPKI, jwtVerify, SignJWT } from 'jose';
import { createEgress, type Egress, type EgressRequest, parseEgressAllowance } from '../../src/foundation/egress.ts';

/** An answer of an endpoint: JSON unless `body` is text. */
export type Reply = { status?: number; headers?: Record<string, string>; body: unknown };

/** A request as it left the service. */
export type Asked = { url: URL; method: string; headers: Readonly<Record<string, string>>; form: URLSearchParams };

type Endpoint = (asked: Asked) => Reply | Promise<Reply>;

/** A person at a provider: what its ID token and userinfo say, and what it posts beside the code. */
export type Person = { claims: Record<string, unknown>; userinfo?: Record<string, unknown>; user?: string };

export const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';
export const CLIENT_ID = 'client-of-latchkey';
export const CLIENT_SECRET = 'canary: secret & of % latchkey';
export const APPLE = (() => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    teamId: 'A1B2C3D4E5',
    keyId: 'F6G7H8I9J0',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
})();

/** How an OpenID provider differs from one without peculiarities. */
type Peculiarities = {
  authorization: string;
  token: string;
  keys: string;
  userinfo?: string;
  /** Publishes no metadata at the usual place. */
  isSilent?: boolean;
  metadata?: Record<string, unknown>;
  /** How the client must authenticate. */
  authentication: 'basic' | 'post' | 'apple';
  refusesPkce?: boolean;
  repeatsNonce?: boolean;
  mode?: 'query' | 'form_post';
  scopes: readonly string[];
};

export interface World {
  readonly egress: Egress;
  /** Every request that left the service, in order. */
  readonly asked: readonly Asked[];
  /** Signs this person in at the address that the service gave. @returns what the browser brings back. */
  visit(address: string, person: Person): Record<string, string>;
  /** Replaces the endpoint at this address, until `behave` is called. */
  answer(address: string, endpoint: Endpoint): void;
  /** Changes the issuer, or claims, of the next ID tokens. */
  twist(changes: { issuer?: string; claims?: Record<string, unknown> }): void;
  /** Signs the next ID tokens by a new key. */
  rotate(): Promise<void>;
  behave(): void;
  close(): Promise<void>;
}

type Grant = { person: Person; redirectUri: string; challenge: string | null; nonce: string | null; provider: string };

/** The OpenID providers, by the address of their issuer. */
const openIds: Readonly<Record<string, Peculiarities>> = {
  'https://accounts.google.com': {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    keys: 'https://www.googleapis.com/oauth2/v3/certs',
    userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
    metadata: {
      code_challenge_methods_supported: ['plain', 'S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    },
    authentication: 'basic',
    scopes: ['openid', 'profile', 'email'],
  },
  [`https://login.microsoftonline.com/${TENANT}/v2.0`]: {
    authorization: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/authorize`,
    token: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/token`,
    keys: `https://login.microsoftonline.com/${TENANT}/discovery/v2.0/keys`,
    userinfo: 'https://graph.microsoft.com/oidc/userinfo',
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    },
    authentication: 'basic',
    scopes: ['openid', 'profile', 'email'],
  },
  'https://appleid.apple.com': {
    authorization: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
    keys: 'https://appleid.apple.com/auth/keys',
    isSilent: true,
    authentication: 'apple',
    mode: 'form_post',
    scopes: ['name', 'email'],
  },
  'https://gitlab.com': {
    authorization: 'https://gitlab.com/oauth/authorize',
    token: 'https://gitlab.com/oauth/token',
    keys: 'https://gitlab.com/oauth/discovery/keys',
    userinfo: 'https://gitlab.com/oauth/userinfo',
    metadata: { code_challenge_methods_supported: ['plain', 'S256'] },
    authentication: 'basic',
    scopes: ['openid', 'profile', 'email'],
  },
  'https://www.linkedin.com/oauth': {
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    keys: 'https://www.linkedin.com/oauth/openid/jwks',
    userinfo: 'https://api.linkedin.com/v2/userinfo',
    authentication: 'post',
    refusesPkce: true,
    repeatsNonce: false,
    scopes: ['openid', 'profile', 'email'],
  },
  'https://sso.acme.example/realms/staff': {
    authorization: 'https://sso.acme.example/realms/staff/auth',
    token: 'https://sso.acme.example/realms/staff/token',
    keys: 'https://sso.acme.example/realms/staff/certs',
    userinfo: 'https://sso.acme.example/realms/staff/userinfo',
    metadata: { code_challenge_methods_supported: ['S256'], authorization_response_iss_parameter_supported: true },
    authentication: 'basic',
    scopes: ['openid', 'profile', 'email'],
  },
};

/** The providers of OAuth 2, by name. */
const oauths = {
  github: {
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    userinfo: 'https://api.github.com/user',
    emails: 'https://api.github.com/user/emails',
    iss: 'https://github.com/login/oauth',
    /** Errors come with the status 200. */
    refusal: {
      status: 200,
      body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
    },
  },
  facebook: {
    authorization: 'https://www.facebook.com/dialog/oauth',
    token: 'https://graph.facebook.com/oauth/access_token',
    userinfo: 'https://graph.facebook.com/me',
    emails: null,
    iss: null,
    refusal: {
      status: 400,
      body: { error: { message: 'This authorization code has been used.', type: 'OAuthException', code: 100 } },
    },
  },
  acme: {
    authorization: 'https://oauth.acme.example/authorize',
    token: 'https://oauth.acme.example/token',
    userinfo: 'https://oauth.acme.example/me',
    emails: null,
    iss: null,
    refusal: { status: 400, body: { error: 'invalid_grant' } },
  },
} as const;

export const ACME_ENDPOINTS = {
  authorization: oauths.acme.authorization,
  token: oauths.acme.token,
  userinfo: oauths.acme.userinfo,
};

const code = () => randomBytes(16).toString('base64url');

/** Redeems codes, and knows the access tokens that it has given. */
function createOffice(grants: Map<string, Grant>) {
  const tokens = new Map<string, Grant>();

  /** Redeems a code once, as RFC 6749 (4.1.3) and 7636 (4.6) ask. */
  function redeem(provider: string, form: URLSearchParams): Grant | undefined {
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    if (!grant || grant.provider !== provider || form.get('redirect_uri') !== grant.redirectUri) return undefined;
    if (grant.challenge === null) return form.has('code_verifier') ? undefined : grant;
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return verifier === grant.challenge ? grant : undefined;
  }

  function grantToken(grant: Grant): { access_token: string; token_type: string } {
    const token = `canary-token-${code()}`;
    tokens.set(token, grant);
    return { access_token: token, token_type: 'Bearer' };
  }
  const ownerOf = ({ headers }: Asked) => tokens.get((headers.authorization ?? '').replace(/^Bearer /, ''));
  return { redeem, grantToken, ownerOf };
}

type Office = ReturnType<typeof createOffice>;

function addOpenIds(
  endpoints: Map<string, Endpoint>,
  { redeem, grantToken, ownerOf }: Office,
  signIdToken: (issuer: string, grant: Grant, repeatsNonce: boolean) => Promise<string>,
  publicKeys: () => Promise<object>,
) {
  for (const [issuer, provider] of Object.entries(openIds)) {
    const metadata = {
      issuer,
      authorization_endpoint: provider.authorization,
      token_endpoint: provider.token,
      jwks_uri: provider.keys,
      ...(provider.userinfo && { userinfo_endpoint: provider.userinfo }),
      id_token_signing_alg_values_supported: ['RS256'],
      ...provider.metadata,
    };
    if (!provider.isSilent) endpoints.set(`${issuer}/.well-known/openid-configuration`, () => ({ body: metadata }));
    endpoints.set(provider.authorization, () => ({ body: 'a page' }));
    endpoints.set(provider.keys, async () => ({ body: await publicKeys() }));
    endpoints.set(provider.token, async (request) => {
      if (!(await isClient(provider, request))) return { status: 401, body: { error: 'invalid_client' } };
      if (provider.refusesPkce && request.form.has('code_verifier'))
        return { status: 401, body: { error: 'invalid_client' } };
      const grant = redeem(issuer, request.form);
      if (!grant) return { status: 400, body: { error: 'invalid_grant' } };
      const idToken = await signIdToken(issuer, grant, provider.repeatsNonce ?? true);
      return { body: { ...grantToken(grant), expires_in: 3600, id_token: idToken } };
    });
    if (provider.userinfo)
      endpoints.set(provider.userinfo, (request) => {
        const person = ownerOf(request)?.person;
        return person ? { body: { sub: person.claims.sub, ...person.userinfo } } : { status: 401, body: {} };
      });
  }
}

function addOAuths(endpoints: Map<string, Endpoint>, { redeem, grantToken, ownerOf }: Office) {
  for (const [name, provider] of Object.entries(oauths)) {
    endpoints.set(provider.token, ({ form, headers, method }) => {
      // GitHub has nothing here for others than clients.
      if (method === 'GET') return { status: 404, body: 'Not Found' };
      const isKnown = form.get('client_id') === CLIENT_ID && form.get('client_secret') === CLIENT_SECRET;
      // GitHub answers a form unless JSON is asked for.
      if (!isKnown || headers.accept !== 'application/json') return { status: 401, body: { error: 'invalid_client' } };
      const grant = redeem(name, form);
      return grant ? { body: { ...grantToken(grant), scope: 'email' } } : provider.refusal;
    });
    endpoints.set(provider.userinfo, (request) => {
      const person = ownerOf(request)?.person;
      if (!person || !request.headers['user-agent']) return { status: 403, body: { message: 'Forbidden' } };
      return { body: person.claims };
    });
    if (provider.emails)
      endpoints.set(provider.emails, (request) => {
        const person = ownerOf(request)?.person;
        return person ? { body: person.userinfo?.emails ?? [] } : { status: 403, body: {} };
      });
  }
}

/** Starts all of them in one server on loopback. */
export async function startProviderWorld(): Promise<World> {
  const asked: Asked[] = [];
  const grants = new Map<string, Grant>();
  const replaced = new Map<string, Endpoint>();
  const endpoints = new Map<string, Endpoint>();
  let signing = await generateKeyPair('RS256', { extractable: true });
  let twisted: Parameters<World['twist']>[0] = {};

  async function signIdToken(issuer: string, { person, nonce }: Grant, repeatsNonce: boolean) {
    const now = Math.floor(Date.now() / 1000);
    const claims = { ...person.claims, ...(repeatsNonce && nonce !== null && { nonce }), ...twisted.claims };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: kidOf() })
      .setIssuer(twisted.issuer ?? issuer)
      .setAudience(CLIENT_ID)
      .setIssuedAt(now)
      .setExpirationTime(now + 600)
      .sign(signing.privateKey);
  }
  let keyNumber = 1;
  const kidOf = () => `key-${keyNumber}`;
  const publicKeys = async () => ({
    keys: [{ ...(await exportJWK(signing.publicKey)), kid: kidOf(), alg: 'RS256', use: 'sig' }],
  });

  const office = createOffice(grants);
  addOpenIds(endpoints, office, signIdToken, publicKeys);
  addOAuths(endpoints, office);

  const server = createServer(async (request, response) => {
    const url = new URL(String(request.headers['x-real-address']));
    const form = new URLSearchParams(await readText(request));
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const one: Asked = { url, method: request.method ?? '', headers, form };
    asked.push(one);
    const address = url.origin + url.pathname;
    const endpoint = replaced.get(address) ?? endpoints.get(address);
    const { status = 200, headers: more = {}, body } = endpoint ? await endpoint(one) : { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const real = createEgress({ allowance: parseEgressAllowance(''), isDevelopment: true });

  return {
    asked,
    egress: {
      check: real.check,
      async fetch(address: string, request: EgressRequest) {
        real.check(address);
        const headers = { ...request.headers, 'x-real-address': address };
        return real.fetch(here, { ...request, headers });
      },
    },
    visit: (address, person) => visit(address, person, grants),
    answer: (address, endpoint) => void replaced.set(address, endpoint),
    twist(changes) {
      twisted = changes;
    },
    behave() {
      replaced.clear();
      twisted = {};
    },
    async rotate() {
      signing = await generateKeyPair('RS256', { extractable: true });
      keyNumber += 1;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Whether the request proves the client as this provider wants it. */
async function isClient({ authentication, token }: Peculiarities, { form, headers }: Asked): Promise<boolean> {
  if (authentication === 'basic') {
    const text = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    const [id = '', secret = ''] = text.split(':').map((part) => new URLSearchParams(`v=${part}`).get('v') ?? '');
    return id === CLIENT_ID && secret === CLIENT_SECRET && !form.has('client_secret');
  }
  if (form.get('client_id') !== CLIENT_ID || headers.authorization !== undefined) return false;
  if (authentication === 'post') return form.get('client_secret') === CLIENT_SECRET;
  const key = await importSPKI(APPLE.publicKey, 'ES256');
  const options = {
    issuer: APPLE.teamId,
    subject: CLIENT_ID,
    audience: new URL(token).origin,
    maxTokenAge: '5 minutes',
  };
  const verified = await jwtVerify(form.get('client_secret') ?? '', key, options).catch(() => undefined);
  return verified?.protectedHeader.kid === APPLE.keyId;
}

/** The provider's page: checks the request as its maker documents it, and answers as if the person had agreed. */
function visit(address: string, person: Person, grants: Map<string, Grant>): Record<string, string> {
  const url = new URL(address);
  const given = Object.fromEntries(url.searchParams);
  const where = url.origin + url.pathname;
  const [issuer, openId] = Object.entries(openIds).find(([, one]) => one.authorization === where) ?? [];
  const [name, oauth] = Object.entries(oauths).find(([, one]) => one.authorization === where) ?? [];
  assert.ok(openId ?? oauth, where);
  assert.deepEqual([given.response_type, given.client_id], ['code', CLIENT_ID]);
  assert.ok(given.state && given.redirect_uri);
  if (openId) {
    assert.deepEqual(given.scope?.split(' '), openId.scopes);
    // Apple demands it as soon as name or email is asked for.
    assert.equal(given.response_mode, openId.mode ?? 'query');
    assert.equal(given.code_challenge === undefined, openId.refusesPkce === true);
  }
  if (given.code_challenge !== undefined) assert.equal(given.code_challenge_method, 'S256');
  const granted = code();
  grants.set(granted, {
    person,
    redirectUri: given.redirect_uri,
    challenge: given.code_challenge ?? null,
    nonce: given.nonce ?? null,
    provider: issuer ?? name ?? '',
  });
  const iss = openId?.metadata?.authorization_response_iss_parameter_supported ? issuer : oauth?.iss;
  return {
    state: given.state,
    code: granted,
    ...(iss && { iss }),
    ...(person.user !== undefined && { user: person.user }),
  };
}
