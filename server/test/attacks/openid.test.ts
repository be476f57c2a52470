// Attacks on the sign-in through an OpenID provider: codes of another sign-in, and hostile providers.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { altered } from '../support/forge.ts';
import { type HostileProvider, type Question, type Reply, startHostileProvider } from '../support/hostile-openid.ts';
import {
  type Answer,
  type Claims,
  clients,
  type OpenidProvider,
  registrationOf,
  startOpenidProvider,
  toAccessCode,
} from '../support/openid-provider.ts';
import { startTestService, type TestService } from '../support/service.ts';

type Case<Given> = [what: string, given: Given];

function signIn(service: TestService, providerKey: string, providerAccessCode: string, authProvider = 'latchkey') {
  const body = { authProvider, providerKey, providerAccessCode };
  return service.post('/api/TokenAuth/ExternalAuthenticateAsync', { body });
}

async function countUsers(service: TestService): Promise<number> {
  const { result } = await service.get('/api/services/app/User/GetAll', { token: await service.admin() });
  return result.totalCount;
}

async function assertRefused(service: TestService, answer: Awaited<ReturnType<typeof signIn>>, users: number) {
  assert.deepEqual([answer.status, answer.error.reason], [401, 'external.couldNotValidate'], answer.text);
  assert.equal(await countUsers(service), users, 'no account is created');
}

describe('codes of another sign-in', () => {
  const ann = { email: 'ann@example.com', email_verified: true, given_name: 'Ann', family_name: 'Lee' };
  let provider: OpenidProvider;
  let service: TestService;
  let users = 0;

  before(async () => {
    provider = await startOpenidProvider();
    provider.people.set('ann-1', ann).set('bob-2', { ...ann, email: 'bob@example.com' });
    const providers = [registrationOf(provider.issuer), registrationOf(provider.issuer, 'public')];
    service = await startTestService('sqlite', { additions: { providers } });
    users = await countUsers(service);
  });
  after(async () => {
    await service.close();
    await provider.stop();
  });

  const changes: Case<(answer: Answer) => Record<string, string>>[] = [
    ['another verifier', () => ({ code_verifier: randomBytes(32).toString('base64url') })],
    ['the verifier in upper case', (answer) => ({ code_verifier: answer.code_verifier.toUpperCase() })],
    ['another nonce', () => ({ nonce: randomBytes(32).toString('base64url') })],
    ['another redirect URI', () => ({ redirect_uri: 'https://evil.example.com/signed-in' })],
    ['a redirect URI that is almost the same', (answer) => ({ redirect_uri: `${answer.redirect_uri}&` })],
    ['another issuer', () => ({ iss: 'https://evil.example.com' })],
    ['an empty issuer', () => ({ iss: '' })],
    ['another code', (answer) => ({ code: altered(answer.code) })],
    ['a code of any bytes', () => ({ code: '\u0000\r\n&code=x\ud800' })],
  ];
  for (const [what, change] of changes) {
    it(`${what}: refused`, async () => {
      const answer = await provider.signIn('ann-1');
      await assertRefused(service, await signIn(service, 'ann-1', toAccessCode(answer, change(answer))), users);
    });
  }

  it('a code that was issued to another client: refused', async () => {
    for (const client of ['other', 'public'] as const) {
      const answer = await provider.signIn('ann-1', { client });
      await assertRefused(service, await signIn(service, 'ann-1', toAccessCode(answer)), users);
    }
    const ours = await provider.signIn('ann-1');
    await assertRefused(service, await signIn(service, 'ann-1', toAccessCode(ours), 'public'), users);
  });

  it('a code of another identity than the key: refused', async () => {
    for (const key of ['bob-2', 'ann-', 'ANN-1', ' ann-1']) {
      const answer = await provider.signIn('ann-1');
      await assertRefused(service, await signIn(service, key, toAccessCode(answer)), users);
    }
  });

  it('no challenge: the provider issues no code', async () => {
    const url = new URL('/auth', provider.issuer);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: 'latchkey',
      redirect_uri: 'https://app.example.com/signed-in?from=company',
      scope: 'openid',
    }).toString();
    assert.equal((await provider.browse(url, 'ann-1')).searchParams.get('error'), 'invalid_request');
  });

  it('a malformed access code: refused without a request to the provider', async () => {
    const answer = await provider.signIn('ann-1');
    const sound = toAccessCode(answer);
    const without = (name: string) => toAccessCode(answer, { [name]: undefined });
    const required = ['code', 'code_verifier', 'redirect_uri', 'nonce'];
    const asked = provider.requests.length;
    const junk = [
      answer.code,
      JSON.stringify(answer),
      '&&==%%%',
      ...required.map(without),
      ...required.map((name) => toAccessCode(answer, { [name]: '' })),
      ...[...required, 'iss'].map((name) => `${sound}&${name}=${encodeURIComponent(answer[name as 'code'])}`),
      `${sound}&client_id=other`,
      `${sound}&grant_type=client_credentials`,
      `${sound}&__proto__=x`,
      toAccessCode(answer, { code_verifier: 'too-short' }),
      toAccessCode(answer, { code_verifier: 'x'.repeat(129) }),
      toAccessCode(answer, { code_verifier: `${'x'.repeat(42)}\n` }),
    ];
    for (const code of junk) await assertRefused(service, await signIn(service, 'ann-1', code), users);
    assert.equal(provider.requests.length, asked);
    assert.equal((await signIn(service, 'ann-1', sound)).status, 200, 'the code is still valid');
    users += 1;
  });

  it('a code that was used: refused', async () => {
    const accessCode = toAccessCode(await provider.signIn('ann-1'));
    assert.equal((await signIn(service, 'ann-1', accessCode)).status, 200);
    await assertRefused(service, await signIn(service, 'ann-1', accessCode), users);
  });

  it('are not logged as failures of the provider', () => {
    const lines = service.logs.filter((line) => /OpenID provider/.test(line));
    assert.deepEqual(lines, [], 'a refusal is not logged as a failure of the provider');
  });
});

describe('e-mail addresses that are not verified', () => {
  const values: Case<Claims>[] = [
    ['false', { email_verified: false }],
    ['1', { email_verified: 1 }],
    ['"True"', { email_verified: 'True' }],
    ['"1"', { email_verified: '1' }],
    ['[true]', { email_verified: [true] }],
    ['null', { email_verified: null }],
    ['nothing', {}],
  ];
  for (const tellsAll of [false, true]) {
    it(`from ${tellsAll ? 'the ID token' : 'userinfo'} are refused for every value other than true`, async () => {
      const provider = await startOpenidProvider({ tellsAll });
      const service = await startTestService('sqlite', {
        additions: { providers: [registrationOf(provider.issuer)] },
      });
      const users = await countUsers(service);
      for (const [what, verified] of values) {
        const sub = `told ${what}`;
        provider.people.set(sub, { email: 'ann@example.com', given_name: 'Ann', family_name: 'Lee', ...verified });
        const accessCode = toAccessCode(await provider.signIn(sub));
        await assertRefused(service, await signIn(service, sub, accessCode), users);
      }
      await service.close();
      await provider.stop();
    });
  }
});

describe('a hostile OpenID provider', () => {
  const { clientId, clientSecret } = clients.latchkey;
  const nonce = 'canary-nonce';
  const accessCode = new URLSearchParams({
    code: 'canary-code',
    code_verifier: `canary-verifier-${'x'.repeat(43)}`,
    redirect_uri: 'https://app.example.com/signed-in',
    nonce,
  }).toString();
  let provider: HostileProvider;
  let service: TestService;

  before(async () => {
    provider = await startHostileProvider(clientId);
    service = await startTestService('sqlite', {
      additions: {
        providers: [registrationOf(provider.issuer), { ...registrationOf('http://id.example.com'), name: 'plain' }],
      },
    });
  });
  afterEach(() => provider.behave());
  after(async () => {
    await service.close();
    await provider.stop();
  });

  /** @param reason matches the logged message, once JSON quoting is removed. */
  async function assertUnavailable(answer: Awaited<ReturnType<typeof signIn>>, reason: RegExp) {
    assert.deepEqual([answer.status, answer.error?.reason], [502, 'external.unavailable'], answer.text);
    const last = service.logs.findLast((line) => line.includes('OpenID provider')) ?? '';
    const [, told = ''] = /OpenID provider (http.*?[^\\])(\\n|")/.exec(last) ?? [];
    assert.match(told.replaceAll('\\"', '"'), reason);
    assert.equal(await countUsers(service), 1, 'no account is created');
  }
  const attempt = () => signIn(service, 'mallory-1', accessCode);

  /** Makes the service request metadata and keys again. */
  const forget = async () => assertUnavailable(await attempt(), /token request: .* status code \(404\)/);

  /** Makes the token endpoint answer with an ID token. */
  function give(make: () => string | undefined | Promise<string | undefined>) {
    provider.answers['/token'] = async () => provider.tokens(await make());
  }
  const claims = (changed: Claims = {}) => provider.claims(nonce, changed);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const fromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  const foreignKey = async (alg = 'RS256') => (await generateKeyPair(alg, { extractable: true })).privateKey;
  const noKey = /no applicable keys found/;
  const forged = /JWT signature verification failed/;

  const idTokens: [what: string, reason: RegExp, make: () => string | undefined | Promise<string>][] = [
    ['none at all', /the answer has no ID token/, () => undefined],
    ['no JWT', /Invalid JWT/, () => 'canary-id-token'],
    ['an empty one', /"id_token" property must not be empty/, () => ''],
    ['alg none', /unsupported JWS "alg"/, () => `${encode({ alg: 'none' })}.${encode(claims())}.`],
    ['alg None', /unexpected JWT "alg"/, () => `${encode({ alg: 'None' })}.${encode(claims())}.`],
    [
      'HS256 with the client secret',
      /unsupported JWS algorithm/,
      () => provider.sign(claims(), new TextEncoder().encode(clientSecret), { alg: 'HS256' }),
    ],
    ['a foreign key', forged, async () => provider.sign(claims(), await foreignKey())],
    [
      'a foreign key with its own key id',
      noKey,
      async () => provider.sign(claims(), await foreignKey(), { alg: 'RS256', kid: 'mine' }),
    ],
    [
      'a foreign key of another algorithm',
      noKey,
      async () => provider.sign(claims(), await foreignKey('ES256'), { alg: 'ES256' }),
    ],
    [
      'a key in its own header',
      forged,
      async () => {
        const key = await foreignKey();
        const { d: _, ...jwk } = await exportJWK(key);
        return provider.sign(claims(), key, { alg: 'RS256', jwk });
      },
    ],
    [
      'claims that were changed',
      forged,
      async () => (await provider.sign(claims())).replace(/\.[^.]+\./, `.${encode(claims({ sub: 'admin' }))}.`),
    ],
    ['another issuer', /"iss"/, () => provider.sign(claims({ iss: 'https://evil.example.com' }))],
    ['an issuer with an extra slash', /"iss"/, () => provider.sign(claims({ iss: `${provider.issuer}/` }))],
    ['another audience', /"aud"/, () => provider.sign(claims({ aud: 'other' }))],
    ['a second audience', /"aud"/, () => provider.sign(claims({ aud: [clientId, 'other'] }))],
    ['another authorized party', /"azp"/, () => provider.sign(claims({ aud: [clientId, 'other'], azp: 'other' }))],
    ['expired', /"exp".*past current timestamp/, () => provider.sign(claims({ exp: fromNow(-600) }))],
    ['not yet valid', /"nbf"/, () => provider.sign(claims({ nbf: fromNow(600) }))],
    ['without an expiry', /"exp".*missing/, () => provider.sign(claims({ exp: undefined }))],
    ['without a subject', /"sub".*missing/, () => provider.sign(claims({ sub: undefined }))],
    ['a subject that is no text', /"sub".*type/, () => provider.sign(claims({ sub: 1 }))],
    ['an unknown critical extension', /"crit"/, () => `${encode({ alg: 'RS256', crit: ['x'], x: 1 })}.${encode({})}.x`],
  ];
  for (const [what, reason, make] of idTokens) {
    it(`ID token: ${what}: 502`, async () => {
      give(make);
      await assertUnavailable(await attempt(), reason);
    });
  }

  it('userinfo with another, an empty or no subject: 502', async () => {
    give(() => provider.sign(claims({ email: undefined })));
    for (const sub of ['ann-1', '', undefined, null, ['mallory-1']]) {
      provider.answers['/me'] = () => ({ body: { ...claims(), sub } });
      await assertUnavailable(await attempt(), /userinfo request: .*"sub"/);
    }
  });

  it('a missing or different nonce: 401', async () => {
    for (const other of [undefined, '', 'another', [nonce], 1]) {
      give(() => provider.sign({ ...claims(), nonce: other }));
      await assertRefused(service, await attempt(), 1);
    }
  });

  it('an address that another answer calls verified: 401', async () => {
    const address = 'ann@example.com';
    const told: [inToken: Claims, inUserinfo: Claims][] = [
      [{ email: address, email_verified: false, given_name: undefined }, claims()],
      [
        { email: address, email_verified: undefined },
        { sub: 'mallory-1', email_verified: true },
      ],
      [
        { email: undefined, email_verified: true },
        { sub: 'mallory-1', email: address },
      ],
    ];
    for (const [inToken, inUserinfo] of told) {
      give(() => provider.sign(claims(inToken)));
      provider.answers['/me'] = () => ({ body: inUserinfo });
      await assertRefused(service, await attempt(), 1);
    }
  });

  it('a remote issuer without TLS: 502 without a request', async () => {
    const answer = await signIn(service, 'mallory-1', accessCode, 'plain');
    await assertUnavailable(answer, /^http:\/\/id\.example\.com, discovery: only requests to HTTPS are allowed/);
  });

  const metadata: [reason: RegExp, make: (issuer: string) => Reply][] = [
    [/discovered metadata issuer does not match/, () => ({ body: { issuer: 'https://evil.example.com' } })],
    [/"issuer" property must be a string/, () => ({ body: {} })],
    [/valid "as.token_endpoint"/, (issuer) => ({ body: { issuer } })],
    [/valid "as.token_endpoint"/, (issuer) => ({ body: { issuer, token_endpoint: ['?'] } })],
    [/only HTTP and HTTPS requests/, (issuer) => ({ body: { issuer, token_endpoint: 'file:///etc/passwd' } })],
    [/no valid answer/, (issuer) => ({ body: { issuer, token_endpoint_auth_methods_supported: 1 } })],
    [/must be a top level object/, () => ({ body: [] })],
    [/failed to parse "response" body as JSON/, () => ({ body: '<html>' })],
    [/failed to parse "response" body as JSON/, (issuer) => ({ body: { issuer, x: 'x'.repeat(2 * 1024 * 1024) } })],
    [/status code \(302\)/, (issuer) => ({ status: 302, headers: { location: `${issuer}/me` }, body: '' })],
  ];
  it('invalid metadata: 502', async () => {
    await forget();
    for (const [reason, make] of metadata) {
      provider.answers['/.well-known/openid-configuration'] = () => make(provider.issuer);
      await assertUnavailable(await attempt(), reason);
    }
  });

  const keySets: [reason: RegExp, reply: Reply][] = [
    [/no applicable keys found/, { body: { keys: [] } }],
    [/"keys" property members must be JWK/, { body: { keys: [null] } }],
    [/"keys" property must be an array/, { body: {} }],
    [/status code \(500\)/, { status: 500, body: '' }],
    [
      /unsupported RSASSA-PKCS1-v1_5 modulusLength/,
      { body: { keys: [{ kty: 'RSA', kid: 'only', n: 'AQAB', e: '!' }] } },
    ],
  ];
  it('an invalid key set: 502', async () => {
    await forget();
    give(() => provider.sign(claims()));
    for (const [reason, reply] of keySets) {
      provider.answers['/jwks'] = () => reply;
      await assertUnavailable(await attempt(), reason);
    }
  });

  it('an answer of 5 MB, with tokens or userinfo: 502', async () => {
    const more = { more: 'x'.repeat(5_000_000) };
    const idToken = await provider.sign(claims({ email: undefined }));
    provider.answers['/token'] = () => ({ body: { ...(provider.tokens(idToken).body as object), ...more } });
    await assertUnavailable(await attempt(), /token request: /);
    give(() => idToken);
    provider.answers['/me'] = () => ({ body: { ...claims(), ...more } });
    await assertUnavailable(await attempt(), /userinfo request: /);
  });

  it('claims named like prototype properties: 502, and no prototype is polluted', async () => {
    const address = { email: 'ann@example.com', email_verified: true, polluted: true };
    const odd = JSON.parse(JSON.stringify({ proto: address, constructor: { ...address, prototype: address } }));
    const told = JSON.parse(JSON.stringify({ sub: 'mallory-1', ...odd }).replaceAll('"proto"', '"__proto__"'));
    for (const inToken of [told, {}]) {
      give(() => provider.sign({ ...claims({ email: undefined, email_verified: undefined }), ...inToken }));
      provider.answers['/me'] = () => ({ body: told });
      const answer = await attempt();
      assert.deepEqual([answer.status, answer.error?.reason], [502, 'external.incompleteProfile'], answer.text);
    }
    assert.ok(!('polluted' in {}) && !('polluted' in Object), 'no prototype is polluted');
    assert.equal(await countUsers(service), 1, 'the service still answers, and no account is created');
  });

  /** Returns replies that repeat the request in every place that a reply has. */
  function echoes({ form, authorization }: Question, idToken: string): Reply[] {
    const all = JSON.stringify({ form, authorization, clientSecret });
    const { code = '' } = form;
    const junk = { access_token: 'canary-access-token', token_type: 'Bearer', id_token: idToken };
    return [
      { status: 400, body: { error: code, error_description: all, error_uri: all } },
      { status: 400, body: { error: 'invalid_client', error_description: all } },
      { status: 401, headers: { 'www-authenticate': `Basic realm="${code}", error="${code}"` }, body: all },
      { status: 500, body: all },
      { status: 302, headers: { location: `/${code}` }, body: all },
      { status: 200, body: all },
      { status: 200, body: `{${code}` },
      { status: 200, headers: { 'content-type': `text/${code}` }, body: all },
      { status: 200, body: { ...junk, token_type: code } },
      { status: 200, body: { ...junk, expires_in: code } },
      { status: 200, body: { ...junk, scope: [code] } },
      { status: 200, body: { ...junk, id_token: `${encode({ alg: code, form })}.${encode(form)}.${code}` } },
      { status: 200, body: { ...junk, id_token: `${code}.${encode(form)}.x` } },
      { status: 200, body: { ...junk, access_token: `canary-access-token\n${code}\u{1f600}` } },
    ];
  }

  it('that repeats the request: neither the log nor the answer does', async () => {
    const idToken = await provider.sign(claims({ email: undefined, canary: 'canary-claim' }));
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const before = service.logs.length;
    let count = 1;
    for (let turn = 0; turn < count; turn++) {
      provider.answers['/token'] = (question) => {
        const replies = echoes(question, idToken);
        count = replies.length;
        return replies[turn] ?? assert.fail();
      };
      const answer = await attempt();
      assert.equal(answer.status, 502, `${turn}: ${answer.text}`);
      assert.doesNotMatch(answer.text, /canary/);
    }
    give(() => idToken);
    for (const body of [{ sub: 'canary-sub', canary: 'canary-claim' }, 'canary-claim', { canary: idToken }]) {
      provider.answers['/me'] = () => ({ body });
      await assertUnavailable(await attempt(), /userinfo request: /);
    }
    const told = service.logs.slice(before).join('');
    assert.ok(told.split('OpenID provider http').length > count, 'each failure is logged');
    for (const canary of ['canary', idToken, credentials, encodeURIComponent(clientSecret)]) {
      assert.ok(!told.includes(canary), `${canary} in ${told}`);
    }
  });

  it('with two addresses: only the verified one is used', async () => {
    const sub = 'mallory-2';
    give(() => provider.sign(claims({ sub, email: 'ann@example.com', email_verified: undefined })));
    provider.answers['/me'] = () => ({ body: { sub, email: 'moe@example.com', email_verified: true } });
    const answer = await signIn(service, sub, accessCode);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(decodeJwt(answer.result.accessToken ?? '').email, 'moe@example.com');
  });

  it('that answers correctly: 200, with a new key too', async () => {
    give(() => provider.sign(claims()));
    const answer = await attempt();
    assert.equal(answer.status, 200, answer.text);
    assert.equal(await countUsers(service), 3);
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'new' };
    provider.answers['/jwks'] = () => ({ body: { keys: [jwk] } });
    give(() => provider.sign(claims(), privateKey, { alg: 'ES256', kid: 'new' }));
    assert.equal((await attempt()).status, 200);
  });
});
