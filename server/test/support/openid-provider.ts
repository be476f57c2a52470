// A real OpenID provider for tests: `oidc-provider` on loopback, with people, clients and a browser that signs people in.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { type ExternalLoginProviderInfo, OidcProviderApiBase } from '../../src/extensions/index.ts';
import { findFreePort } from './ports.ts';
import { readForm, sendForm } from './sign-in-form.ts';

/** Where the provider redirects people to; no server listens there. */
export const REDIRECT_URI = 'https://app.example.com/signed-in?from=company';

/** The registered clients. */
export const clients = {
  latchkey: { clientId: 'latchkey', clientSecret: 'canary client secret: & % +' },
  other: { clientId: 'other', clientSecret: 'another client secret' },
  public: { clientId: 'public', clientSecret: '' },
  /** For the service's own pages: redirects to any port of this machine, as only native clients may (RFC 8252, 7.3). */
  pages: { clientId: 'pages', clientSecret: 'canary secret of the pages' },
  /** Gets no code without an ID token. */
  hybrid: { clientId: 'hybrid', clientSecret: 'canary secret of the hybrid client' },
  /** Web clients of the code flow alone, over http on loopback. */
  web: { clientId: 'web', clientSecret: 'canary secret: of the & web client' },
  webPost: { clientId: 'webPost', clientSecret: 'canary secret of the posting web client' },
  webPublic: { clientId: 'webPublic', clientSecret: '' },
} as const;

type ClientName = keyof typeof clients;

/** Where web clients redirect to, until {@link OpenidProvider.redirectWebClientsTo} is called. */
export const WEB_REDIRECT_URI = 'http://127.0.0.1:4200/signed-in?from=company';

/** The claims of a person at the provider, except `sub`. */
export type Claims = Readonly<Record<string, unknown>>;

/** What the browser brings back from the provider, and what the front end generated before. */
export type Answer = Readonly<Record<'code' | 'code_verifier' | 'redirect_uri' | 'nonce' | 'iss', string>> & {
  /** From the front channel; empty in the code flow. */
  readonly idToken: string;
};

export interface OpenidProvider {
  readonly issuer: string;
  /** By `sub`. */
  readonly people: Map<string, Claims>;
  /** Method and path of every request it received, and the scheme of its authorization, in order. */
  readonly requests: readonly string[];
  /** Requests authorization, signs this person in and consents. @returns the final redirect to the front end. */
  browse(authorizationUrl: string | URL, sub: string): Promise<URL>;
  /** A front end's complete sign-in: PKCE, nonce and state, the browser, and the parsed answer. */
  signIn(sub: string, how?: { client?: ClientName; flow?: 'code' | 'code id_token' }): Promise<Answer>;
  /** Registers the web clients with this redirect URI only. Forgets all sessions and codes. */
  redirectWebClientsTo(uri: string): void;
  /**
   * From now on, paths with this prefix get this status, or never an answer.
   * @returns `reached`: the first request has come; `left`: its client has closed the connection.
   */
  fail(path: string, how: number | 'hang'): { reached: Promise<void>; left: Promise<void> };
  /** Works normally again. */
  recover(): void;
  /** Drops all connections, and accepts no more. */
  stop(): Promise<void>;
  /** Accepts connections again, on the same port. */
  start(): Promise<void>;
}

/** One of the clients at the issuer, as an extension registers it, under the client's name. */
export function registrationOf(issuer: string, client: ClientName = 'latchkey'): ExternalLoginProviderInfo {
  class Company extends OidcProviderApiBase {
    readonly issuer = issuer;
  }
  return { name: client, ...clients[client], providerApiType: Company };
}

/** The access code that represents an answer; members may be changed, or removed with `undefined`. */
export function toAccessCode(answer: Answer, changed: Readonly<Record<string, string | undefined>> = {}): string {
  const { idToken: _, ...members } = answer;
  const told = Object.entries({ ...members, ...changed }).filter(([, value]) => value !== undefined);
  return new URLSearchParams(told as [string, string][]).toString();
}

/** How a provider behaves. */
export type OpenidProviderOptions = {
  /** Signs ID tokens. */
  algorithm?: 'RS256' | 'PS256' | 'ES256' | 'Ed25519';
  /** Whether the ID token holds the claims of userinfo. */
  tellsAll?: boolean;
  /** The only way in which it accepts secrets; absent: it accepts all, and clients are registered for Basic. */
  secretIn?: 'client_secret_post';
};

/** Starts on its own port on 127.0.0.1. */
export async function startOpenidProvider(options: OpenidProviderOptions = {}): Promise<OpenidProvider> {
  const people = new Map<string, Claims>();
  const { answerBy, ...server } = await startServer();
  const configuration = await configure(people, options);
  function redirectWebClientsTo(uri: string) {
    const registered = configuration.clients.map((client) =>
      isWebClient(client.client_id) ? { ...client, redirect_uris: [uri] } : client,
    );
    const provider = new Provider(server.issuer, { ...configuration, clients: registered });
    const callback = provider.callback();
    answerBy((request, response) =>
      request.url?.startsWith('/interaction/') ? interact(provider, request, response) : callback(request, response),
    );
  }
  redirectWebClientsTo(WEB_REDIRECT_URI);
  const browse: OpenidProvider['browse'] = (url, sub) => follow(new URL(url), sub, server.issuer);
  return {
    ...server,
    people,
    browse,
    redirectWebClientsTo,
    signIn: (sub, { client = 'latchkey', flow = 'code id_token' } = {}) =>
      goThrough({ issuer: server.issuer, browse }, sub, client, flow),
  };
}

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Sits between the network and the provider, and fails on demand. */
async function startServer() {
  const requests: string[] = [];
  let fault: { path: string; how: number | 'hang'; onReached: () => void; onLeft: () => void } | undefined;
  let handle: Handle | undefined;
  const port = await findFreePort();

  const server = createServer((request, response) => {
    const [path = ''] = request.url?.split('?') ?? [];
    const [scheme = ''] = request.headers.authorization?.split(' ') ?? [];
    requests.push(`${request.method} ${path} ${scheme}`.trim());
    if (!fault || !path.startsWith(fault.path)) return handle?.(request, response);
    response.on('close', fault.onLeft);
    if (fault.how !== 'hang') response.writeHead(fault.how, { location: '/elsewhere' }).end('no');
    fault.onReached();
  });

  async function start() {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  await start();
  return {
    issuer: `http://127.0.0.1:${port}`,
    requests,
    answerBy(next: Handle) {
      handle = next;
    },
    fail(path: string, how: number | 'hang') {
      const { promise: reached, resolve: onReached } = Promise.withResolvers<void>();
      const { promise: left, resolve: onLeft } = Promise.withResolvers<void>();
      fault = { path, how, onReached, onLeft };
      return { reached, left };
    },
    recover() {
      fault = undefined;
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    start,
  };
}

const isWebClient = (name: ClientName) => name.startsWith('web');

/** The flows and redirect URIs that a client is registered for. */
function registrationFor(name: ClientName) {
  if (isWebClient(name)) {
    const flow = { grant_types: ['authorization_code'], response_types: ['code'] };
    return { application_type: 'web', redirect_uris: [WEB_REDIRECT_URI], ...flow };
  }
  return {
    ...(name === 'pages' || name === 'hybrid'
      ? { application_type: 'native', redirect_uris: ['http://127.0.0.1/login/external/Company'] }
      : { redirect_uris: [REDIRECT_URI] }),
    grant_types: ['authorization_code', 'implicit'],
    response_types: name === 'hybrid' ? ['code id_token'] : ['code id_token', 'code'],
  };
}

async function configure(people: ReadonlyMap<string, Claims>, options: OpenidProviderOptions) {
  const { algorithm = 'RS256', tellsAll = false, secretIn } = options;
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const toClient = (name: ClientName) => {
    const { clientSecret } = clients[name];
    const usual = secretIn ?? (name === 'webPost' ? 'client_secret_post' : 'client_secret_basic');
    return {
      client_id: name,
      ...(clientSecret !== '' && { client_secret: clientSecret }),
      token_endpoint_auth_method: clientSecret === '' ? 'none' : usual,
      id_token_signed_response_alg: algorithm,
      ...registrationFor(name),
    };
  };
  const hour = 3600;
  return {
    clients: (Object.keys(clients) as ClientName[]).map(toClient),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: 'first' }] },
    ...(secretIn && { clientAuthMethods: [secretIn, 'none'] }),
    cookies: { keys: ['signs the cookies of the browser'] },
    pkce: { required: () => true },
    // By default, only the userinfo endpoint returns the claims of scopes (OpenID Connect Core 1.0, 5.4).
    conformIdTokenClaims: !tellsAll,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: hour, AuthorizationCode: 60, Grant: hour, IdToken: hour, Interaction: hour, Session: hour },
    findAccount: (_: unknown, sub: string) =>
      people.has(sub) ? { accountId: sub, claims: () => ({ sub, ...people.get(sub) }) } : undefined,
  };
}

/** The page on which people sign in; they consent to everything. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (request.method === 'GET' && prompt.name === 'login') return sendForm(response, 'Company');
  const accountId = prompt.name === 'login' ? await readForm(request) : session?.accountId;
  if (accountId === undefined) return provider.interactionFinished(request, response, { error: 'access_denied' });
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId } });
  const grant = new provider.Grant({ accountId, clientId: params.client_id });
  grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(' '));
  grant.addOIDCClaims(prompt.details.missingOIDCClaims ?? []);
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** A browser that handles redirects and cookies, and answers every form by posting who the person is. */
async function follow(start: URL, sub: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  while (url.origin === issuer) {
    const isQuestion = url.pathname.startsWith('/interaction/');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') },
      ...(isQuestion && { method: 'POST', body: new URLSearchParams({ login: sub }) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    assert.ok(location, `${url} answers ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url);
  }
  return url;
}

async function goThrough(
  { issuer, browse }: Pick<OpenidProvider, 'issuer' | 'browse'>,
  sub: string,
  client: ClientName,
  flow: 'code' | 'code id_token',
): Promise<Answer> {
  const [codeVerifier, nonce, state] = Array.from({ length: 3 }, () => randomBytes(32).toString('base64url'));
  assert.ok(codeVerifier && nonce && state);
  const url = new URL('/auth', issuer);
  url.search = new URLSearchParams({
    response_type: flow,
    client_id: clients[client].clientId,
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    nonce,
    state,
  }).toString();
  const back = await browse(url, sub);
  const told = flow === 'code' ? back.searchParams : new URLSearchParams(back.hash.slice(1));
  assert.equal(told.get('state'), state, back.href);
  const idToken = told.get('id_token') ?? '';
  const iss = told.get('iss') ?? decodeJwt(idToken).iss ?? '';
  const code = told.get('code') ?? '';
  return { code, code_verifier: codeVerifier, redirect_uri: REDIRECT_URI, nonce, iss, idToken };
}
