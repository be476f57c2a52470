// The providers of the world for tests: each behaves as its maker documents, at its real addresses, behind an egress of the test.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, importSPKI, jwtVerify, SignJWT } from 'jose';
import { createEgress, type Egress, type EgressRequest, parseEgressAllowance } from '../../src/foundation/egress.ts';
import {
  APPLE,
  CLIENT_ID,
  CLIENT_SECRET,
  oauths,
  openIds,
  type Peculiarities,
  PLAIN_SECRET,
  withinScopes,
} from './makers.ts';

/** An answer of an endpoint: JSON unless `body` is text. One without an end stops after its body, and the connection stays. */
export type Reply = { status?: number; headers?: Record<string, string>; body: unknown; isEndless?: boolean };

/** A request as it left the service. */
export type Asked = { url: URL; method: string; headers: Readonly<Record<string, string>>; form: URLSearchParams };

type Endpoint = (asked: Asked) => Reply | Promise<Reply>;

/** A person at a provider: what its ID token and userinfo say, and what it posts beside the code. */
export type Person = { claims: Record<string, unknown>; userinfo?: Record<string, unknown>; user?: string };

export interface World {
  readonly egress: Egress;
  /** Every request that left the service, in order. */
  readonly asked: readonly Asked[];
  /** Signs this person in at the address that the service gave. @returns what the browser brings back. */
  visit(address: string, person: Person): Record<string, string>;
  /** Replaces the endpoint at this address, until `behave` is called. */
  answer(address: string, endpoint: Endpoint): void;
  /** Gives no answer at this address, or one without an end. @returns once the first request has come. */
  hang(address: string, how?: 'silent' | 'endless'): Promise<void>;
  /** Changes the issuer, or claims, of the next ID tokens. */
  twist(changes: { issuer?: string; claims?: Record<string, unknown> }): void;
  /** Signs the next ID tokens by a new key, and publishes it alone. */
  rotate(): Promise<void>;
  /** Signs the next ID tokens by a key that nobody publishes, until `behave` is called. */
  forge(): Promise<void>;
  behave(): void;
  close(): Promise<void>;
}

/** What a person has agreed to at a provider. */
type Grant = {
  person: Person;
  redirectUri: string;
  challenge: string | null;
  nonce: string | null;
  provider: string;
  scopes: readonly string[];
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
    if (openIds[provider]?.pkce === 'ignored') return grant;
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
      if (provider.pkce === 'refused' && request.form.has('code_verifier'))
        return { status: 401, body: { error: 'invalid_client' } };
      const grant = redeem(issuer, request.form);
      if (!grant) return { status: 400, body: { error: 'invalid_grant' } };
      const idToken = await signIdToken(issuer, grant, provider.repeatsNonce ?? true);
      const { token_type, ...granted } = grantToken(grant);
      const tokenType = provider.namesTokenType === false ? {} : { token_type };
      return { body: { ...granted, ...tokenType, expires_in: 3600, id_token: idToken } };
    });
    if (provider.userinfo)
      endpoints.set(provider.userinfo, (request) => {
        const grant = ownerOf(request);
        if (!grant) return { status: 401, body: {} };
        const { person, scopes } = grant;
        return { body: { sub: person.claims.sub, ...withinScopes(person.userinfo ?? {}, scopes) } };
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
      return grant ? { body: { ...grantToken(grant), scope: grant.scopes.join(',') } } : provider.refusal;
    });
    endpoints.set(provider.userinfo, (request) => {
      const grant = ownerOf(request);
      if (!grant || !request.headers['user-agent']) return { status: 403, body: { message: 'Forbidden' } };
      const { claims } = grant.person;
      return { body: name === 'facebook' ? readFields(claims, request.url, grant.scopes) : claims };
    });
    if (provider.emails)
      endpoints.set(provider.emails, (request) => {
        const grant = ownerOf(request);
        if (!grant) return { status: 403, body: {} };
        // GitHub has nothing here without the scope.
        if (!grant.scopes.includes('user:email')) return { status: 404, body: { message: 'Not Found' } };
        return { body: grant.person.userinfo?.emails ?? [] };
      });
  }
}

/** Returns the fields that Facebook is asked for: id and name if none is, and the address only with its permission. */
function readFields(claims: Record<string, unknown>, { searchParams }: URL, scopes: readonly string[]) {
  const fields = (searchParams.get('fields') ?? 'id,name').split(',');
  const given = Object.entries(claims).filter(
    ([name]) => fields.includes(name) && (name !== 'email' || scopes.includes('email')),
  );
  return Object.fromEntries(given);
}

/** Starts all of them in one server on loopback. */
export async function startProviderWorld(): Promise<World> {
  const asked: Asked[] = [];
  const grants = new Map<string, Grant>();
  const replaced = new Map<string, Endpoint>();
  const endpoints = new Map<string, Endpoint>();
  const newKey = () => generateKeyPair('RS256', { extractable: true });
  let signing = await newKey();
  let forged: typeof signing | undefined;
  let twisted: Parameters<World['twist']>[0] = {};

  async function signIdToken(issuer: string, { person, nonce, scopes }: Grant, repeatsNonce: boolean) {
    const now = Math.floor(Date.now() / 1000);
    const told = withinScopes(person.claims, scopes);
    const claims = { ...told, ...(repeatsNonce && nonce !== null && { nonce }), ...twisted.claims };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: forged ? 'forged' : kidOf() })
      .setIssuer(twisted.issuer ?? issuer)
      .setAudience(CLIENT_ID)
      .setIssuedAt(now)
      .setExpirationTime(now + 600)
      .sign((forged ?? signing).privateKey);
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
    const { status = 200, headers: more = {}, body, isEndless } = (await endpoint?.(one)) ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    if (isEndless) response.write(text);
    else response.end(text);
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
    hang(address, how = 'silent') {
      const { promise: reached, resolve: onReached } = Promise.withResolvers<void>();
      replaced.set(address, () => {
        onReached();
        return how === 'endless' ? { body: '{', isEndless: true } : new Promise(() => {});
      });
      return reached;
    },
    twist(changes) {
      twisted = changes;
    },
    behave() {
      replaced.clear();
      twisted = {};
      forged = undefined;
    },
    async rotate() {
      signing = await newKey();
      keyNumber += 1;
    },
    async forge() {
      forged = await newKey();
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
  const text = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  if (authentication === 'plain basic') return text === `${CLIENT_ID}:${PLAIN_SECRET}` && !form.has('client_secret');
  if (authentication === 'basic') {
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
  const scopes = given.scope?.split(' ') ?? [];
  const unknown = scopes.filter((scope) => !(openId ?? oauth)?.scopes.some((one) => one === scope));
  assert.deepEqual(unknown, [], 'invalid_scope');
  if (openId) {
    assert.ok(scopes.includes('openid') || !openId.scopes.includes('openid'), 'no scope "openid"');
    // Apple demands it as soon as name or email is asked for.
    assert.equal(given.response_mode, openId.mode ?? 'query');
    assert.equal(given.code_challenge === undefined, openId.pkce === 'refused');
  }
  if (given.code_challenge !== undefined) assert.equal(given.code_challenge_method, 'S256');
  const granted = code();
  grants.set(granted, {
    person,
    redirectUri: given.redirect_uri,
    challenge: given.code_challenge ?? null,
    nonce: given.nonce ?? null,
    provider: issuer ?? name ?? '',
    scopes,
  });
  const iss = openId?.metadata?.authorization_response_iss_parameter_supported ? issuer : oauth?.iss;
  return {
    state: given.state,
    code: granted,
    ...(iss && { iss }),
    ...(person.user !== undefined && { user: person.user }),
  };
}
