// The code flow with an OpenID provider: web clients over http on loopback, of each kind, on each engine.
// Alone in its process: it stands in for a browser's globals.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { decodeJwt } from 'jose';
import { type Claims, type ExternalLoginProviderInfo, OidcProviderApiBase } from '../../src/extensions/index.ts';
import { assertEnvelope, assertRefused } from '../support/answers.ts';
import { authorize, BEGIN, begin, LINK_BY_CODE, signInByCode } from '../support/code-flow.ts';
import { failure, writeExtension } from '../support/extensions.ts';
import { readGuideFile } from '../support/guide.ts';
import {
  clients,
  type OpenidProvider,
  REDIRECT_URI,
  registrationOf,
  startOpenidProvider,
  toAccessCode,
  WEB_REDIRECT_URI,
} from '../support/openid-provider.ts';
import { createTestProvider } from '../support/providers.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const ann = { email: 'ann@example.com', email_verified: true, given_name: 'Ann', family_name: 'Lee' };

/** The provider's registrations with each way to authenticate a client, and one that asks for the hybrid flow. */
function registrations({ issuer }: OpenidProvider): ExternalLoginProviderInfo[] {
  class Posting extends OidcProviderApiBase {
    readonly issuer = issuer;
    override readonly clientAuthentication = 'client_secret_post';
  }
  class Hybrid extends OidcProviderApiBase {
    readonly issuer = issuer;
    override readonly responseType = 'code id_token';
  }
  class Hooked extends OidcProviderApiBase {
    readonly issuer = issuer;
    override readonly emailTrust = 'always';
    override readonly scopes = ['openid', 'email'];
    override readonly authorizationParameters = { claims_locales: 'de', state: 'ignored', scope: 'ignored' };
    override mapClaims(claims: Claims, userinfo: Claims) {
      const emailAddress = String(userinfo.email);
      return { providerKey: `staff:${claims.sub}`, name: 'Mapped', surname: String(userinfo.sub), emailAddress };
    }
  }
  return [
    registrationOf(issuer),
    { ...registrationOf(issuer, 'web'), name: 'hooked', displayName: 'The company', providerApiType: Hooked },
    registrationOf(issuer, 'web'),
    { ...registrationOf(issuer, 'webPost'), providerApiType: Posting },
    registrationOf(issuer, 'webPublic'),
    { ...registrationOf(issuer), name: 'hybrid', providerApiType: Hybrid },
    createTestProvider('Plain').info,
  ];
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the code flow, with ${engine}`, () => {
    let provider: OpenidProvider;
    let service: TestService;
    before(async () => {
      provider = await startOpenidProvider();
      service = await startTestService(engine, { additions: { providers: registrations(provider) } });
    });
    after(async () => {
      await service.close();
      await provider.stop();
    });

    it('follows the hooks of a class: its scopes and parameters, whom it trusts, and how it maps claims', async () => {
      const { address } = await begin(service, 'hooked');
      const { scope, claims_locales, state = '' } = Object.fromEntries(address.searchParams);
      assert.deepEqual([scope, claims_locales], ['openid email', 'de']);
      assert.match(state, /^[\w-]{43}$/);
      provider.people.set('hooked-1', { email: 'hooked@example.com', email_verified: false });
      const answer = await signInByCode(service, await authorize(service, provider, 'hooked-1', { name: 'hooked' }));
      assert.equal(answer.status, 200, answer.text);
      const { user } = (
        await service.get('/api/services/app/Session/GetCurrentLoginInfo', { token: answer.result.accessToken })
      ).result;
      assert.deepEqual([user?.firstName, user?.lastName, user?.email], ['Mapped', 'hooked-1', 'hooked@example.com']);
      const [login] = await service.service.externalLogins.list(service.service.database.sql, Number(user?.id));
      assert.equal(login?.providerKey, 'staff:hooked-1');
      const { result } = await service.get('/api/TokenAuth/GetExternalAuthenticationProviders');
      assert.equal(result.find(({ name }) => name === 'hooked')?.displayName, 'The company');
    });

    it('requests a code with state, nonce and an S256 challenge, and tells the browser no verifier', async () => {
      const answer = await service.post(BEGIN, { body: { name: 'web', redirectUri: WEB_REDIRECT_URI } });
      assertEnvelope(answer);
      const { address, clientId, request } = answer.result;
      assert.equal(clientId, clients.web.clientId);
      const { origin, pathname, searchParams } = new URL(address);
      const { state = '', nonce = '', code_challenge: challenge = '', ...rest } = Object.fromEntries(searchParams);
      assert.equal(origin + pathname, `${provider.issuer}/auth`);
      assert.deepEqual(rest, {
        response_type: 'code',
        response_mode: 'query',
        client_id: 'web',
        redirect_uri: WEB_REDIRECT_URI,
        scope: 'openid profile email',
        code_challenge_method: 'S256',
      });
      const secrets = [state, nonce, challenge, request ?? ''];
      for (const text of secrets) assert.match(text, /^[\w-]{43}$/);
      const again = await begin(service, 'web');
      const others = ['state', 'nonce', 'code_challenge'].map((name) => again.address.searchParams.get(name) ?? '');
      assert.equal(new Set([...secrets, ...others, again.request]).size, 8, 'no two are the same');
      const stored = JSON.stringify(
        await service.service.database.sql.selectFrom('authorization_request').selectAll().execute(),
      );
      for (const text of secrets) assert.ok(!stored.includes(text), 'the store holds none of it');
      const known = secrets.map((text) => createHash('sha256').update(text).digest('base64url'));
      assert.ok(!known.includes(challenge), 'the verifier is none of what the browser knows');
    });

    const kinds = { web: 'POST /token Basic', webPost: 'POST /token', webPublic: 'POST /token' } as const;
    for (const [name, tokenRequest] of Object.entries(kinds)) {
      it(`makes an account at the first sign-in and signs in at the second: client ${name}`, async () => {
        provider.people.set(name, { ...ann, email: `${name}@example.com` });
        const ids = new Set<number | null>();
        for (const _ of ['first', 'second']) {
          const response = await authorize(service, provider, name, { name });
          const answer = await signInByCode(service, response);
          assert.equal(answer.status, 200, answer.text);
          assert.equal(answer.result.waitingForActivation, false);
          const { amr, name: fullName, email } = decodeJwt(answer.result.accessToken ?? '');
          assert.deepEqual([amr, fullName, email], [['ext'], 'Ann Lee', `${name}@example.com`]);
          assert.equal(
            provider.requests.findLast((request) => request.startsWith('POST /token')),
            tokenRequest,
          );
          ids.add(answer.result.userId);
        }
        assert.equal(ids.size, 1);
      });
    }

    it('leads to the same account as the access code of a front end that makes its own request', async () => {
      provider.people.set('both', { ...ann, email: 'both@example.com' });
      const providerAccessCode = toAccessCode(await provider.signIn('both'));
      const body = { authProvider: 'latchkey', providerKey: 'both', providerAccessCode };
      const own = await service.post('/api/TokenAuth/ExternalAuthenticateAsync', { body });
      assert.equal(own.status, 200, own.text);
      const how = { name: 'latchkey', redirectUri: REDIRECT_URI };
      const byCode = await signInByCode(service, await authorize(service, provider, 'both', how));
      assert.equal(byCode.result.userId, own.result.userId);
    });

    it('links the provider to an account, with its password, which may be mistyped first', async () => {
      provider.people.set('owner', { ...ann, email: 'owner@example.com' });
      const id = await service.createUser('owner');
      const token = await service.signIn('owner');
      const response = await authorize(service, provider, 'owner');
      const link = (currentPassword: string) =>
        service.post(LINK_BY_CODE, { token, body: { ...response, currentPassword } });
      assertRefused(await link('mistyped'), 400, 'password.incorrect');
      assert.equal((await link(USER_PASSWORD)).status, 200);
      assertRefused(await link(USER_PASSWORD), 401, 'external.couldNotValidate', 'once');
      const signedIn = await signInByCode(service, await authorize(service, provider, 'owner'));
      assert.equal(signedIn.result.userId, id);
    });

    it('records each try with the provider, but no name that is not registered', async () => {
      provider.people.set('audited', { ...ann, email: 'audited@example.com' });
      assert.equal((await signInByCode(service, await authorize(service, provider, 'audited'))).status, 200);
      const response = await authorize(service, provider, 'audited');
      await signInByCode(service, response, { more: { code: 'wrong' } });
      await signInByCode(service, response, { more: { authProvider: 'canary typed name' } });
      const token = await service.admin();
      const query = { maxResultCount: 3, action: 'signIn.external' };
      const { items } = (await service.get('/api/services/app/Audit/GetAll', { token, query })).result;
      assert.deepEqual(
        items.map(({ reason, details }) => [reason, details]),
        [
          ['external.unknownProvider', { provider: null }],
          ['external.couldNotValidate', { provider: 'web' }],
          [null, { provider: 'web' }],
        ],
      );
    });

    it('forgets requests after half an hour', async () => {
      provider.people.set('late', { ...ann, email: 'late@example.com' });
      const inTime = await authorize(service, provider, 'late');
      service.clock.advance(1799);
      assert.equal((await signInByCode(service, inTime)).status, 200);
      const late = await authorize(service, provider, 'late');
      service.clock.advance(1800);
      assertRefused(await signInByCode(service, late), 401, 'external.couldNotValidate');
      service.clock.advance(1);
      await service.service.authorizationRequests.deleteExpired();
      const rows = await service.service.database.sql.selectFrom('authorization_request').selectAll().execute();
      assert.deepEqual(rows, []);
    });
  });
}

describe('the begin of a sign-in', () => {
  let provider: OpenidProvider;
  let service: TestService;
  before(async () => {
    provider = await startOpenidProvider();
    service = await startTestService('sqlite', { additions: { providers: registrations(provider) } });
  });
  after(async () => {
    await service.close();
    await provider.stop();
  });

  it('leaves the request to the front end where a class asks for the hybrid flow', async () => {
    const answer = await service.post(BEGIN, { body: { name: 'hybrid', redirectUri: WEB_REDIRECT_URI } });
    const { clientId } = clients.latchkey;
    assert.deepEqual(answer.result, { address: `${provider.issuer}/auth`, clientId, request: null, mayBeHybrid: true });
  });

  it('needs a provider with a sign-in page, and an absolute redirect URI without a fragment', async () => {
    for (const name of ['Plain', 'nobody', 'WEB', '__proto__']) {
      const answer = await service.post(BEGIN, { body: { name, redirectUri: WEB_REDIRECT_URI } });
      assertRefused(answer, 400, 'external.unknownProvider', name);
    }
    for (const redirectUri of ['', '/signed-in', 'app.example.com', `${WEB_REDIRECT_URI}#`, 7, undefined]) {
      const answer = await service.post(BEGIN, { body: { name: 'web', redirectUri } });
      assertRefused(answer, 400, 'request.invalid', redirectUri);
    }
    const wrong = await service.post(BEGIN, { body: { name: 'web', redirectUri: '/signed-in' } });
    assert.match(wrong.error.details ?? '', /redirectUri must be an absolute URI without a fragment/);
  });

  it('uses the budget of sign-ins', async () => {
    const ip = '192.0.2.9';
    const call = { ip, body: { name: 'web', redirectUri: WEB_REDIRECT_URI } };
    for (let turn = 0; turn < 10; turn += 1) assert.equal((await service.post(BEGIN, call)).status, 200);
    assertRefused(await service.post(BEGIN, call), 429, 'rateLimit.exceeded');
    assertRefused(await signInByCode(service, {}, { ip }), 429, 'rateLimit.exceeded');
  });

  it('leaves it to the provider which redirect URIs a client may use', async () => {
    const { address } = await begin(service, 'web', 'http://127.0.0.1:4200/elsewhere');
    await assert.rejects(provider.browse(address, 'ann-1'), /invalid_redirect_uri/);
  });

  it('stops the start of a service whose class has another response type', async () => {
    const text = `import { OidcProviderApiBase } from 'latchkey/extension';
      class Api extends OidcProviderApiBase {
        issuer = 'https://id.example.com';
        responseType = 'token';
      }
      export const initialize = ({ externalAuth: { providers } }) =>
        providers.push({ name: 'Odd', clientId: 'x', clientSecret: '', providerApiType: Api });`;
    assert.match(
      await failure([writeExtension('odd.mjs', text)]),
      /The responseType of provider "Odd" must be "code" or "code id_token"\./,
    );
  });
});

describe('the code flow of the guide', () => {
  type Snippet = {
    goToProvider(how: { service: string; name: string; redirectUri: string }): Promise<void>;
    finishSignIn(how: { service: string }): Promise<{ accessToken: string; userId: number }>;
  };

  /** A page: the part of the browser's globals that the snippet uses and Node lacks. */
  function openPage(address: URL) {
    const page = { left: '', shown: address.href };
    const assign = (url: string) => {
      page.left = url;
    };
    const replaceState = (_: unknown, __: string, path: string) => {
      page.shown = path;
    };
    Object.assign(globalThis, { location: Object.assign(new URL(address), { assign }), history: { replaceState } });
    return page;
  }

  it('signs people in, in a front end of another origin', async () => {
    const provider = await startOpenidProvider();
    provider.people.set('zoe-1', { ...ann, email: 'zoe@example.com' });
    const providers = [registrationOf(provider.issuer, 'web')];
    const test = await startTestService('sqlite', { additions: { providers } });
    const service = await test.app.listen({ host: '127.0.0.1', port: 0 });
    try {
      const snippet = readGuideFile('external-providers.md', 'code-flow.js');
      const path = pathToFileURL(writeExtension('code-flow.js', snippet)).href;
      const { goToProvider, finishSignIn }: Snippet = await import(path);
      const users = new Set<number>();
      for (const _ of ['first', 'second']) {
        const start = openPage(new URL('http://127.0.0.1:4200/'));
        await goToProvider({ service, name: 'web', redirectUri: WEB_REDIRECT_URI });
        const end = openPage(await provider.browse(start.left, 'zoe-1'));
        const { accessToken, userId } = await finishSignIn({ service });
        assert.equal(decodeJwt(accessToken).email, 'zoe@example.com');
        assert.equal(end.shown, '/signed-in', 'the code is gone from the address bar');
        await assert.rejects(finishSignIn({ service }), /This page made no such request/);
        users.add(userId);
      }
      assert.equal(users.size, 1);
      const start = openPage(new URL('http://127.0.0.1:4200/'));
      await goToProvider({ service, name: 'web', redirectUri: WEB_REDIRECT_URI });
      const state = new URL(start.left).searchParams.get('state');
      openPage(new URL(`${WEB_REDIRECT_URI}&error=access_denied&state=${state}`));
      await assert.rejects(finishSignIn({ service }), /The provider reports: access_denied/);
    } finally {
      await test.close();
      await provider.stop();
    }
  });
});
