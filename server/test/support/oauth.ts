// Signing in to applications in tests: browsers that keep cookies, and clients that exchange codes.
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { operator } from '../../src/app/first-start.ts';
import { freshAddress, ISSUER, type TestService } from './service.ts';

export const REDIRECT_URI = 'https://app.example.com/callback';

type Applications = TestService['service']['applications'];
type ApplicationInput = Parameters<Applications['create']>[0];

/** A registered application with its client secret. */
export type Client = { readonly id: string; readonly clientId: string; readonly secret: string | null };

export async function createClient(test: TestService, input: Partial<ApplicationInput> = {}): Promise<Client> {
  const all = { name: 'Grafana', kind: 'web', redirectUris: [REDIRECT_URI], ...input } as const;
  const { application, clientSecret } = await test.service.applications.create(all, operator('test'));
  return { id: application.id, clientId: application.clientId, secret: clientSecret };
}

/** A key of a machine, and the assertions that it signs (RFC 7523). */
export async function createSigner() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const { crv, x, y } = await exportJWK(publicKey);
  const kid = randomUUID();
  const jwk = { kty: 'EC' as const, kid, ...(crv && { crv }), ...(x && { x }), ...(y && { y }) };
  /** @param seconds until it expires. */
  async function sign(clientId: string, now: number, seconds = 60) {
    const assertion = new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(ISSUER)
      .setExpirationTime(Math.floor(now / 1000) + seconds);
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion.sign(privateKey),
    };
  }
  return { jwk, sign };
}

/** A browser: it keeps the cookies of the service, and follows no redirect. */
export function openBrowser(test: TestService, ip = freshAddress()) {
  const jar = new Map<string, string>();
  async function send(method: 'GET' | 'POST', path: string, call: Parameters<TestService['send']>[2] = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...call.headers };
    const answer = await test.send(method, path, { ip, ...call, headers });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = '', ...attributes] = String(line).split('; ');
      const [name = '', value = ''] = pair.split('=');
      if (attributes.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }
  return { jar, send };
}
export type Browser = ReturnType<typeof openBrowser>;

export const createVerifier = () => randomBytes(32).toString('base64url');
const toChallenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** Returns the parameters of an authorization request. */
export const toRequest = (client: Client, verifier: string, more: Record<string, string> = {}) => ({
  client_id: client.clientId,
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid profile email roles',
  state: 'a state',
  nonce: 'a nonce',
  code_challenge: toChallenge(verifier),
  code_challenge_method: 'S256',
  ...more,
});

/** Begins an authorization. @returns the id of the request that waits for the person. */
export async function begin(browser: Browser, request: Record<string, string>): Promise<string> {
  const answer = await browser.send('GET', '/oauth/authorize', { query: request });
  assert.equal(answer.status, 303, answer.text);
  const id = new URL(String(answer.headers.location)).searchParams.get('authorization');
  assert.ok(id, String(answer.headers.location));
  return id;
}

/** Answers a request that waits. */
export const proceed = (browser: Browser, authorization: string, token: string, more: object = {}) =>
  browser.send('POST', '/api/services/app/Authorization/Continue', { token, body: { authorization, ...more } });

/** Returns the members of the answer that an application gets in its redirect URI. */
export const readAnswer = (address: unknown) => Object.fromEntries(new URL(String(address)).searchParams);

/** Calls an endpoint with a form, as an authenticated client. */
export async function callAs(
  test: TestService,
  client: Client,
  path: string,
  form: Record<string, string>,
  more: { ip?: string; headers?: Record<string, string> } = {},
) {
  const { clientId, secret } = client;
  const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
  const answer = await test.app.inject({
    method: 'POST',
    url: path,
    remoteAddress: more.ip ?? freshAddress(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(secret !== null && { authorization: `Basic ${basic}` }),
      ...more.headers,
    },
    payload: new URLSearchParams({ ...(secret === null && { client_id: clientId }), ...form }).toString(),
  });
  const body = answer.body === '' ? {} : answer.json();
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** Exchanges a code. */
export const redeem = (test: TestService, client: Client, code: string, verifier: string) =>
  callAs(test, client, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  });

export const refresh = (test: TestService, client: Client, token: string, more: Record<string, string> = {}) =>
  callAs(test, client, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...more });

/** Signs a person in to an application. @returns the answer of the token endpoint, the browser, and the person's token. */
export async function signInTo(
  test: TestService,
  client: Client,
  userName: string,
  more: { request?: Record<string, string>; browser?: Browser; reply?: object } = {},
) {
  const { browser = openBrowser(test), request = {}, reply = {} } = more;
  const verifier = createVerifier();
  const id = await begin(browser, toRequest(client, verifier, request));
  const token = await test.signIn(userName);
  const answer = await proceed(browser, id, token, reply);
  assert.equal(answer.status, 200, answer.text);
  const { code = '' } = readAnswer((answer.result as { redirectTo: string }).redirectTo);
  const tokens = await redeem(test, client, code, verifier);
  assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
  return { ...tokens.body, browser, token, code, verifier } as {
    access_token: string;
    refresh_token: string;
    id_token: string;
    expires_in: number;
    scope: string;
    browser: Browser;
    token: string;
    code: string;
    verifier: string;
  };
}
