// A hostile OpenID provider for tests: an HTTP server that answers each endpoint as the test says.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';

/** What it received: the form of the token endpoint, and the Authorization header. */
export type Question = { form: Readonly<Record<string, string>>; authorization: string };

/** An answer: JSON unless `body` is text. */
export type Reply = { status?: number; headers?: Record<string, string>; body: unknown };

type Path = '/.well-known/openid-configuration' | '/token' | '/jwks' | '/me';

export interface HostileProvider {
  readonly issuer: string;
  /** How it answers; `/token` answers only once a test sets its answer. */
  readonly answers: Record<Path, (question: Question) => Reply | Promise<Reply>>;
  /** The claims of a valid ID token, with these changes. */
  claims(nonce: string, changed?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Signs with this key and header; absent: those of a valid token. */
  sign(claims: Record<string, unknown>, key?: CryptoKey | Uint8Array, header?: JWTHeaderParameters): Promise<string>;
  /** A valid answer of the token endpoint with this ID token. */
  tokens(idToken: string | undefined): Reply;
  /** Makes every answer valid again. */
  behave(): void;
  stop(): Promise<void>;
}

const SUB = 'mallory-1';
const ACCESS_TOKEN = 'canary-access-token';

/** Starts on its own port on 127.0.0.1. `clientId` is the audience of its ID tokens. */
export async function startHostileProvider(clientId: string): Promise<HostileProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'only', alg: 'RS256', use: 'sig' };
  const answers = {} as HostileProvider['answers'];

  const server = createServer(async (request, response) => {
    const answer = answers[request.url as Path];
    const { status = 200, headers = {}, body } = await answer(await readQuestion(request));
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/me`,
    id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none'],
  };
  const profile = { email: 'mallory@example.com', email_verified: true, given_name: 'Mallory', family_name: 'Moe' };

  const provider: HostileProvider = {
    issuer,
    answers,
    claims: (nonce, changed = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const sound = { iss: issuer, aud: clientId, sub: SUB, iat: now, exp: now + 600, nonce };
      return { ...sound, ...profile, ...changed };
    },
    sign: (claims, key = privateKey, header = { alg: 'RS256', kid: 'only' }) =>
      new SignJWT(claims).setProtectedHeader(header).sign(key),
    tokens: (idToken) => ({ body: { access_token: ACCESS_TOKEN, token_type: 'Bearer', id_token: idToken } }),
    behave() {
      answers['/.well-known/openid-configuration'] = () => ({ body: metadata });
      answers['/jwks'] = () => ({ body: { keys: [jwk] } });
      answers['/me'] = () => ({ body: { sub: SUB, ...profile } });
      answers['/token'] = () => ({ status: 404, body: {} });
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  provider.behave();
  return provider;
}

async function readQuestion(request: IncomingMessage): Promise<Question> {
  const form = Object.fromEntries(new URLSearchParams(await readText(request)));
  return { form, authorization: request.headers.authorization ?? '' };
}
