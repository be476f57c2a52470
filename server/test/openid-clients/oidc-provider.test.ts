// oidc-provider as the oracle: it and this service get the same requests, and each difference is explained.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { Provider as Oracle } from 'oidc-provider';
import {
  begin,
  createClient,
  createVerifier,
  openBrowser,
  proceed,
  REDIRECT_URI,
  readAnswer,
  toRequest,
} from '../support/oauth.ts';
import { type Provider, startProvider } from '../support/real-clients.ts';

const OUR_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  push: '/oauth/par',
  revoke: '/oauth/revoke',
  device: '/oauth/device-authorization',
};
type Call = keyof typeof OUR_PATHS;
const ORACLE_PATHS: Record<Call, string> = {
  authorize: '/auth',
  token: '/token',
  userinfo: '/me',
  push: '/request',
  revoke: '/token/revocation',
  device: '/device/auth',
};

/** A request. `client`: how the client of the form authenticates. */
type Case = {
  readonly name: string;
  readonly call: Call;
  readonly form: Readonly<Record<string, string>>;
  readonly client?: 'right' | 'wrong' | 'none';
  readonly bearer?: string;
  /** What both answer, or what each does and why they differ. */
  readonly answer: string | { readonly ours: string; readonly oracle: string; readonly because: string };
};

const asked = {
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid email',
  state: 'a state',
  nonce: 'a nonce',
  code_challenge: createVerifier(),
  code_challenge_method: 'S256',
};
const without = (name: keyof typeof asked) => Object.fromEntries(Object.entries(asked).filter(([key]) => key !== name));

/** One that neither has, as after its time or use. */
const PUSHED_BEFORE = 'urn:ietf:params:oauth:request_uri:6b1c0a52-92a4-4a5c-9d0e-0b7f7c1b2d3e';

const NOT_ALLOWED = {
  ours: '400 unauthorized_client',
  oracle: '400 invalid_request',
  because: 'RFC 6749 (5.2) has a code of its own for a client that may not use a grant type.',
};

const authorize = (name: string, form: Record<string, string>, answer: Case['answer']): Case => ({
  name,
  call: 'authorize',
  form,
  client: 'none',
  answer,
});
const post = (
  call: Call,
  name: string,
  form: Record<string, string>,
  answer: Case['answer'],
  client: Case['client'] = 'right',
): Case => ({ name, call, form, client, answer });

const cases: readonly Case[] = [
  authorize('nobody is signed in, and nobody may be asked', { ...asked, prompt: 'none' }, '303 login_required'),
  authorize('no response type', without('response_type'), '303 invalid_request'),
  authorize('an unknown response type', { ...asked, response_type: 'other' }, '303 unsupported_response_type'),
  authorize('a prompt beside none', { ...asked, prompt: 'none login' }, '303 invalid_request'),
  authorize('an unknown prompt', { ...asked, prompt: 'other' }, '303 invalid_request'),
  authorize('a challenge by the method plain', { ...asked, code_challenge_method: 'plain' }, '303 invalid_request'),
  authorize('a challenge that is none', { ...asked, code_challenge: 'short' }, '303 invalid_request'),
  authorize('a max_age that is no number', { ...asked, max_age: 'soon' }, '303 invalid_request'),
  authorize('a request object', { ...asked, request: 'x' }, '303 request_not_supported'),
  authorize(
    'a request_uri of another place',
    { ...asked, request_uri: 'https://app.example/request' },
    '303 request_uri_not_supported',
  ),
  authorize('a pushed request that has expired', { ...asked, request_uri: PUSHED_BEFORE }, '303 invalid_request_uri'),
  authorize('another redirect URI', { ...asked, redirect_uri: 'https://evil.example/' }, '400'),
  post('push', 'a request', asked, '201'),
  post('push', 'another redirect URI', { ...asked, redirect_uri: 'https://evil.example/' }, '400 invalid_request'),
  post('push', 'a wrong secret', asked, '401 invalid_client', 'wrong'),
  post(
    'push',
    'a request_uri',
    { ...asked, request_uri: 'x' },
    {
      ours: '400 invalid_request',
      oracle: '400 request_uri_not_supported',
      because:
        'RFC 9126 (2.1) forbids it for every provider. The oracle refuses request objects of other places first.',
    },
  ),
  post('token', 'no grant type', {}, '400 invalid_request'),
  post('token', 'an unknown grant type', { grant_type: 'password' }, '400 unsupported_grant_type'),
  post(
    'token',
    'an unknown code',
    { grant_type: 'authorization_code', code: 'x', redirect_uri: REDIRECT_URI, code_verifier: createVerifier() },
    '400 invalid_grant',
  ),
  post('token', 'no code', { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI }, '400 invalid_request'),
  post('token', 'an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }, '400 invalid_grant'),
  post('token', 'no refresh token', { grant_type: 'refresh_token' }, '400 invalid_request'),
  post('token', 'a wrong secret', { grant_type: 'refresh_token', refresh_token: 'x' }, '401 invalid_client', 'wrong'),
  post('token', 'no secret', { grant_type: 'refresh_token', refresh_token: 'x' }, '401 invalid_client', 'none'),
  post('token', 'a grant type of others', { grant_type: 'client_credentials' }, NOT_ALLOWED),
  {
    name: 'no token',
    call: 'userinfo',
    form: {},
    answer: {
      ours: '401',
      oracle: '401 invalid_token',
      because: 'RFC 6750 (3.1): the answer to a request without a token should have no error code.',
    },
  },
  { name: 'an unknown token', call: 'userinfo', form: {}, bearer: 'x', answer: '401 invalid_token' },
  post('revoke', 'an unknown token', { token: 'x' }, '200'),
  post('revoke', 'no token', {}, '400 invalid_request'),
  post('revoke', 'a wrong secret', { token: 'x' }, '401 invalid_client', 'wrong'),
  post('device', 'a client that may not', { scope: 'openid' }, NOT_ALLOWED),
];

/** What an answer is made of: the type of each member. */
const shapeOf = (answer: object) =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, Array.isArray(value) ? 'array' : typeof value]),
  );

/** Compares answers. @param more what this service tells besides. */
function assertSameShape(ours: object, theirs: object, more: Readonly<Record<string, string>>) {
  assert.deepEqual(shapeOf(ours), { ...shapeOf(theirs), ...more });
}

describe('beside oidc-provider', () => {
  let provider: Provider;
  let server: Oracle;
  let oracle: ReturnType<typeof createServer>;
  let oracleUrl: string;
  let registered: { clientId: string; secret: string };
  let device: string;
  before(async () => {
    provider = await startProvider();
    const { clientId, secret } = await createClient(provider.test);
    device = (await createClient(provider.test, { name: 'Device', kind: 'native', redirectUris: [] })).clientId;
    registered = { clientId, secret: secret ?? '' };
    oracle = createServer().listen(0, '127.0.0.1');
    await once(oracle, 'listening');
    oracleUrl = `http://127.0.0.1:${(oracle.address() as AddressInfo).port}`;
    const isEnabled = { enabled: true };
    server = new Oracle(oracleUrl, {
      clients: [
        {
          client_id: clientId,
          client_secret: secret,
          redirect_uris: [REDIRECT_URI],
          grant_types: ['authorization_code', 'refresh_token'],
        },
        {
          client_id: device,
          token_endpoint_auth_method: 'none',
          grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
          response_types: [],
          redirect_uris: [],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      issueRefreshToken: async () => true,
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, email: 'ann@example.com', email_verified: true }),
      }),
      scopes: ['openid', 'email', 'offline_access'],
      features: {
        devInteractions: { enabled: false },
        deviceFlow: isEnabled,
        revocation: isEnabled,
        clientCredentials: isEnabled,
        pushedAuthorizationRequests: isEnabled,
      },
    });
    oracle.on('request', server.callback());
  });
  after(async () => {
    oracle.closeAllConnections();
    oracle.close();
    await provider.close();
  });

  /** Sends a form as the client. */
  async function post(address: string, form: Record<string, string>, isOfDevice = false) {
    const { clientId, secret } = registered;
    const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
    const answer = await fetch(address, {
      method: 'POST',
      headers: isOfDevice ? {} : { authorization: basic },
      body: new URLSearchParams({ ...(isOfDevice && { client_id: device }), ...form }),
    });
    const caching = answer.headers.get('cache-control');
    return { status: answer.status, caching, body: (await answer.json()) as Record<string, string> };
  }

  /** Returns a code of the oracle, as if a person had signed in. */
  async function makeCode(verifier: string): Promise<string> {
    const client = (await server.Client.find(registered.clientId)) ?? assert.fail();
    const grant = new server.Grant({ accountId: 'ann', clientId: client.clientId });
    grant.addOIDCScope('openid email');
    const code = new server.AuthorizationCode({
      accountId: 'ann',
      client,
      grantId: await grant.save(),
      redirectUri: REDIRECT_URI,
      scope: 'openid email',
      nonce: 'a nonce',
      codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
      codeChallengeMethod: 'S256',
      gty: 'authorization_code',
    });
    return code.save();
  }

  it('answers a code, a refresh and userinfo alike, and tells more in the ID token', async () => {
    const client = { ...registered, id: '' };
    const browser = openBrowser(provider.test);
    const verifier = createVerifier();
    const waiting = await begin(browser, toRequest(client, verifier, { scope: 'openid email' }));
    const { result } = await proceed(browser, waiting, await provider.test.signIn('ann'));
    const { code = '' } = readAnswer((result as { redirectTo: string }).redirectTo);
    const form = (given: string) => ({
      grant_type: 'authorization_code',
      code: given,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    });
    const redeemAt = async (base: string, path: string, given: string) => post(`${base}${path}`, form(given));
    let ours = await redeemAt(provider.url, OUR_PATHS.token, code);
    let theirs = await redeemAt(oracleUrl, ORACLE_PATHS.token, await makeCode(verifier));
    const told = { auth_time: 'number', acr: 'string', amr: 'array', azp: 'string', sid: 'string', at_hash: 'string' };
    const inIdToken = { email: 'string', email_verified: 'boolean' };
    for (const turn of ['code', 'refresh']) {
      assert.deepEqual([ours.status, ours.caching], [theirs.status, theirs.caching], turn);
      assertSameShape(ours.body, theirs.body, {});
      assert.deepEqual([ours.body.token_type, ours.body.scope], [theirs.body.token_type, theirs.body.scope]);
      const [own, other] = [ours, theirs].map(({ body }) => decodeJwt(body.id_token ?? ''));
      // The oracle tells claims of scopes at the userinfo endpoint alone, and the nonce again at a refresh.
      const { nonce: _, ...again } = other ?? assert.fail();
      assertSameShape(own ?? assert.fail(), turn === 'code' ? (other ?? {}) : again, { ...told, ...inIdToken });
      const [mine, its] = await Promise.all([
        readUserinfo(provider.url + OUR_PATHS.userinfo, ours.body.access_token),
        readUserinfo(oracleUrl + ORACLE_PATHS.userinfo, theirs.body.access_token),
      ]);
      assertSameShape(mine, its, {});
      const next = ({ body }: typeof ours) => ({
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token ?? '',
      });
      ours = await post(provider.url + OUR_PATHS.token, next(ours));
      theirs = await post(oracleUrl + ORACLE_PATHS.token, next(theirs));
    }
  });

  it('answers a device alike, and tells it how often to ask', async () => {
    const ours = await post(provider.url + OUR_PATHS.device, { scope: 'openid' }, true);
    const theirs = await post(oracleUrl + ORACLE_PATHS.device, { scope: 'openid' }, true);
    assert.deepEqual([ours.status, ours.caching], [theirs.status, theirs.caching]);
    assertSameShape(ours.body, theirs.body, { interval: 'number' });
    const poll = (code = '') => ({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code });
    const mine = await post(provider.url + OUR_PATHS.token, poll(ours.body.device_code), true);
    const its = await post(oracleUrl + ORACLE_PATHS.token, poll(theirs.body.device_code), true);
    assert.deepEqual([mine.status, mine.body.error], [its.status, its.body.error]);
  });

  async function readUserinfo(address: string, token = ''): Promise<object> {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200);
    return (await answer.json()) as object;
  }

  /** Sends a request. @returns the status and the error. */
  async function send(base: string, path: string, { call, form, client, bearer }: Case): Promise<string> {
    const { clientId, secret } = registered;
    const all = new URLSearchParams({
      ...((client === 'none' || call === 'push') && { client_id: clientId }),
      ...form,
    });
    const password = client === 'right' ? secret : 'wrong';
    const basic = `Basic ${Buffer.from(`${clientId}:${password}`).toString('base64')}`;
    const isBasic = client === 'right' || client === 'wrong';
    const authorization = isBasic ? basic : bearer && `Bearer ${bearer}`;
    const isRead = call === 'authorize' || call === 'userinfo';
    const answer = await fetch(`${base}${path}${isRead ? `?${all}` : ''}`, {
      redirect: 'manual',
      method: isRead ? 'GET' : 'POST',
      headers: { ...(authorization && { authorization }), accept: 'application/json' },
      ...(!isRead && { body: all }),
    });
    const location = answer.headers.get('location');
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') && text.startsWith('{');
    const error =
      location === null
        ? isJson && call !== 'authorize' && JSON.parse(text).error
        : new URL(location, base).searchParams.get('error');
    return [answer.status, error].filter(Boolean).join(' ');
  }

  for (const one of cases) {
    it(`${one.call}: ${one.name}`, async () => {
      const { answer } = one;
      const expected = typeof answer === 'string' ? { ours: answer, oracle: answer } : answer;
      const ours = await send(provider.url, OUR_PATHS[one.call], one);
      const theirs = await send(oracleUrl, ORACLE_PATHS[one.call], one);
      const because = typeof answer === 'string' ? 'both answer alike' : answer.because;
      assert.deepEqual({ ours, oracle: theirs }, { ours: expected.ours, oracle: expected.oracle }, because);
    });
  }
});
