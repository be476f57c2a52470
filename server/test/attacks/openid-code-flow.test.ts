// Attacks on the code flow: injected codes, mix-up, replay, another browser's response, and hostile providers.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { authorize, BEGIN, BY_CODE, begin, LINK_BY_CODE, type Response, signInByCode } from '../support/code-flow.ts';
import { type HostileProvider, type Question, startHostileProvider } from '../support/hostile-openid.ts';
import {
  clients,
  type OpenidProvider,
  registrationOf,
  startOpenidProvider,
  toAccessCode,
  WEB_REDIRECT_URI,
} from '../support/openid-provider.ts';
import { often } from '../support/scale.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const ann = { email: 'ann@example.com', email_verified: true, given_name: 'Ann', family_name: 'Lee' };
const mallory = { ...ann, email: 'mallory@example.com', given_name: 'Mallory' };

const assertNotValidated = (answer: Awaited<ReturnType<typeof signInByCode>>, what: string) =>
  assertRefused(answer, 401, 'external.couldNotValidate', what);

describe('one response, sent many times at once', () => {
  for (const [name, start] of Object.entries(setUps)) {
    it(`signs in once, with ${name}`, async (context) => {
      const provider = await startOpenidProvider();
      context.after(() => provider.stop());
      provider.people.set('ann-1', ann);
      const { here, there, close }: SetUp = await start({
        additions: { providers: [registrationOf(provider.issuer, 'web')] },
      });
      context.after(close);
      const response = await authorize(here, provider, 'ann-1');
      const before = provider.requests.length;
      const answers = await Promise.all(
        Array.from({ length: often(40, 200) }, (_, turn) => signInByCode(turn % 2 === 0 ? here : there, response)),
      );
      // The service may be too busy for some: whoever has used the code up may be one of them.
      const [first = 0, ...others] = answers.map(({ status }) => status).toSorted();
      assert.ok(first === 200 || others.includes(503), 'one signs in');
      for (const status of others) assert.ok([401, 503].includes(status), String(status));
      const tokenRequests = provider.requests.slice(before).filter((request) => request.startsWith('POST /token'));
      assert.equal(tokenRequests.length, 1, 'the code goes to the provider once');
    });
  }
});

describe('a response of the code flow', () => {
  let company: OpenidProvider;
  let other: OpenidProvider;
  let service: TestService;
  before(async () => {
    [company, other] = [await startOpenidProvider(), await startOpenidProvider()];
    for (const { people } of [company, other]) people.set('ann-1', ann).set('mallory-1', mallory);
    const providers = [
      registrationOf(company.issuer, 'web'),
      registrationOf(company.issuer, 'webPublic'),
      { ...registrationOf(other.issuer, 'web'), name: 'Other' },
    ];
    service = await startTestService('sqlite', { additions: { providers } });
  });
  after(async () => {
    await service.close();
    await company.stop();
    await other.stop();
  });

  const tokenRequests = () =>
    [company, other].flatMap(({ requests }) => requests.filter((request) => request.startsWith('POST /token'))).length;

  /** Refused before the code has gone to any provider. */
  async function assertNotSent(response: object, what: string) {
    const before = tokenRequests();
    assertNotValidated(await signInByCode(service, response), what);
    assert.equal(tokenRequests(), before, what);
  }

  it('works only in the browser that began, and stays usable there', async () => {
    const victim = await authorize(service, company, 'ann-1');
    const attacker = await begin(service, 'web');
    const own = attacker.address.searchParams.get('state') ?? '';
    await assertNotSent({ ...victim, request: attacker.request }, 'the state of another browser');
    await assertNotSent({ ...victim, request: 'x'.repeat(43) }, 'a made-up secret');
    await assertNotSent({ ...victim, request: victim.state }, 'the state as the secret');
    for (const state of [own, `${victim.state}A`, victim.state.slice(1), victim.state.toUpperCase()]) {
      await assertNotSent({ ...victim, state }, state);
    }
    assert.equal((await signInByCode(service, victim)).status, 200);
  });

  it('cannot carry a stolen code into another request: the provider and the nonce refuse', async () => {
    const victim = await authorize(service, company, 'ann-1');
    const attacker = await authorize(service, company, 'mallory-1');
    assertNotValidated(await signInByCode(service, { ...attacker, code: victim.code }), 'injected');
    assert.equal((await signInByCode(service, victim)).status, 200, 'the owner of the code is not harmed');
  });

  it('cannot carry a code of another client or redirect URI', async () => {
    const [secret, open] = [
      await authorize(service, company, 'ann-1'),
      await authorize(service, company, 'ann-1', { name: 'webPublic' }),
    ];
    assertNotValidated(await signInByCode(service, { ...secret, code: open.code }), 'of the public client');
    assertNotValidated(await signInByCode(service, { ...open, code: secret.code }), 'of the confidential client');
  });

  it('works once, and not after a failure either', async () => {
    const used = await authorize(service, company, 'ann-1');
    assert.equal((await signInByCode(service, used)).status, 200);
    await assertNotSent(used, 'replayed');
    const failed = await authorize(service, company, 'ann-1');
    assertNotValidated(await signInByCode(service, { ...failed, code: 'guessed' }), 'a guessed code');
    await assertNotSent(failed, 'the right code, after a guess');
  });

  it('goes to the provider of the request alone: mix-up', async () => {
    const atCompany = await authorize(service, company, 'ann-1');
    await assertNotSent({ ...atCompany, authProvider: 'Other' }, 'presented as the answer of the other provider');
    const atOther = await begin(service, 'Other');
    const state = atOther.address.searchParams.get('state') ?? '';
    const mixed: Response = { ...atCompany, authProvider: 'Other', request: atOther.request, state };
    await assertNotSent(mixed, 'the other provider has led the browser to the company');
    const { iss: _, ...silent } = { ...mixed, request: atOther.request };
    await assertNotSent(silent, 'the request is used up');
    assert.equal((await signInByCode(service, atCompany)).status, 200);
  });

  it('must name its issuer, exactly, if the provider says that it does (RFC 9207)', async () => {
    for (const iss of [undefined, null, '', `${company.issuer}/`, other.issuer]) {
      const response = await authorize(service, company, 'ann-1');
      await assertNotSent({ ...response, iss }, String(iss));
    }
  });

  it('links only the account whose owner sends it with the password', async () => {
    await service.createUser('victim');
    const token = await service.signIn('victim');
    const response = await authorize(service, company, 'mallory-1', { name: 'webPublic' });
    const link = (more: object, by: string | null = token) =>
      service.post(LINK_BY_CODE, { token: by, body: { ...response, currentPassword: USER_PASSWORD, ...more } });
    assertRefused(await link({}, null), 401, 'token.missing');
    assertRefused(await link({ state: 'x'.repeat(43) }), 401, 'external.couldNotValidate');
    assertRefused(await link({ currentPassword: 'wrong' }), 400, 'password.incorrect');
    assert.deepEqual((await service.get('/api/services/app/ExternalLogin/GetAll', { token })).result.items, []);
  });

  it('is no access code, and an access code is no response', async () => {
    const response = await authorize(service, company, 'ann-1');
    const form = new URLSearchParams(Object.entries(response)).toString();
    for (const providerAccessCode of [response.code, form]) {
      const body = { authProvider: 'web', providerKey: 'ann-1', providerAccessCode };
      assertRefused(
        await service.post('/api/TokenAuth/ExternalAuthenticateAsync', { body }),
        401,
        'external.couldNotValidate',
      );
    }
    const code = toAccessCode(await company.signIn('ann-1'));
    assertNotValidated(await signInByCode(service, { ...response, code }), 'an access code');
  });

  it('is taken from a body with all of its members as text, and nowhere else', async () => {
    const response = await authorize(service, company, 'ann-1');
    for (const member of ['authProvider', 'request', 'state', 'code'] as const) {
      for (const value of [undefined, null, '', 7, [response[member]], { toString: 'x' }]) {
        const answer = await signInByCode(service, response, { more: { [member]: value } });
        assertRefused(answer, 400, 'request.invalid', [member, value]);
      }
    }
    assertRefused(await service.post(BY_CODE, { query: response }), 400, 'request.invalid');
    assertRefused(await signInByCode(service, response, { more: { iss: [company.issuer] } }), 400, 'request.invalid');
    assert.equal((await signInByCode(service, response)).status, 200);
  });
});

describe('a hostile OpenID provider in the code flow', () => {
  const { clientId, clientSecret } = clients.latchkey;
  let provider: HostileProvider;
  let service: TestService;
  before(async () => {
    provider = await startHostileProvider(clientId);
    service = await startTestService('sqlite', { additions: { providers: [registrationOf(provider.issuer)] } });
  });
  afterEach(() => provider.behave());
  after(async () => {
    await service.close();
    await provider.stop();
  });

  /** A response with any code, for the provider accepts all; and the nonce of its request. */
  async function respond() {
    const { address, request } = await begin(service, 'latchkey');
    const [state = '', nonce = ''] = ['state', 'nonce'].map((name) => address.searchParams.get(name) ?? '');
    return { response: { authProvider: 'latchkey', request, state, code: 'canary-code' }, nonce };
  }

  it('that ignores PKCE does not let a stolen code in: the nonce is another one', async () => {
    const victim = await respond();
    for (const nonce of [victim.nonce, undefined, '', [victim.nonce]]) {
      provider.answers['/token'] = async () => provider.tokens(await provider.sign({ ...provider.claims(''), nonce }));
      assertNotValidated(await signInByCode(service, (await respond()).response), String(nonce));
    }
    const { response, nonce } = await respond();
    provider.answers['/token'] = async () => provider.tokens(await provider.sign(provider.claims(nonce)));
    assert.equal((await signInByCode(service, response)).status, 200, 'the right nonce is accepted');
  });

  it('that answers without an ID token signs nobody in', async () => {
    provider.answers['/token'] = () => provider.tokens(undefined);
    assertRefused(await signInByCode(service, (await respond()).response), 502, 'external.unavailable');
    assert.match(service.logs.at(-1) ?? '', /the answer has no ID token/);
  });

  it('that offers a weaker challenge method gets no request, and no method is weakened', async () => {
    const metadata = provider.answers['/.well-known/openid-configuration'];
    for (const methods of [['plain'], []]) {
      service.clock.advance(10);
      provider.answers['/.well-known/openid-configuration'] = async (question) => {
        const { body } = await metadata(question);
        return { body: { ...(body as object), code_challenge_methods_supported: methods } };
      };
      const answer = await service.post(BEGIN, { body: { name: 'latchkey', redirectUri: WEB_REDIRECT_URI } });
      assertRefused(answer, 502, 'external.unavailable');
      assert.match(service.logs.at(-1) ?? '', /the metadata lists no code challenge method \\"S256\\"/);
    }
    service.clock.advance(10);
    provider.behave();
    assert.equal((await begin(service, 'latchkey')).address.searchParams.get('code_challenge_method'), 'S256');
  });

  it('cannot put parameters of its own over those of the request', async () => {
    const metadata = provider.answers['/.well-known/openid-configuration'];
    service.clock.advance(10);
    provider.answers['/.well-known/openid-configuration'] = async (question) => {
      const { body } = await metadata(question);
      const forced = 'tenant=1&state=forced&nonce=forced&code_challenge=forced&code_challenge_method=plain';
      return { body: { ...(body as object), authorization_endpoint: `${provider.issuer}/auth?${forced}` } };
    };
    const { address } = await begin(service, 'latchkey');
    assert.equal(address.searchParams.get('tenant'), '1');
    assert.ok(!address.href.includes('forced') && !address.href.includes('plain'));
    service.clock.advance(10);
  });

  it('that repeats the request: neither the log nor the answer does', async () => {
    const before = service.logs.length;
    let told: Question | undefined;
    provider.answers['/token'] = (question) => {
      told = question;
      return { status: 400, body: { error: 'invalid_request', error_description: JSON.stringify(question) } };
    };
    const { response } = await respond();
    const answer = await signInByCode(service, response);
    assertRefused(answer, 502, 'external.unavailable');
    const { code_verifier: verifier = '', code } = told?.form ?? {};
    assert.equal(code, 'canary-code');
    const logged = service.logs.slice(before).join('') + answer.text;
    assert.match(logged, /token request: the answer is 400 invalid_request/);
    for (const secret of [verifier, response.request, response.state, 'canary-code', clientSecret]) {
      assert.ok(secret !== '' && !logged.includes(secret));
    }
  });
});
