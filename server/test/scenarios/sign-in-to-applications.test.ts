// Signing in to applications: the code flow, refresh tokens, single sign-on, and what ends them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { serviceErrors } from '../../src/foundation/errors.ts';
import type { Database } from '../../src/storage/database.ts';
import { enginesAtLength } from '../support/databases.ts';
import {
  begin,
  type Client,
  callAs,
  createClient,
  createVerifier,
  openBrowser,
  proceed,
  REDIRECT_URI,
  readAnswer,
  redeem,
  refresh,
  signInTo,
  toRequest,
} from '../support/oauth.ts';
import { ISSUER, startTestService, type TestService } from '../support/service.ts';

for (const engine of enginesAtLength) {
  describe(`signing in to applications, with ${engine}`, () => {
    let test: TestService;
    let client: Client;
    let personId: number;
    before(async () => {
      test = await startTestService(engine);
      client = await createClient(test);
      personId = await test.createUser('ann', {
        name: 'Ann',
        surname: 'Lee',
        emailAddress: 'ann@example.com',
        isEmailConfirmed: true,
        roleNames: ['editor'],
      });
    });
    after(() => test.close());

    const isActive = async (accessToken: string) => {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await test.app.inject({ url: '/oauth/userinfo', headers })).statusCode === 200;
    };

    it('takes an empty secret for none: a public application passes, and one with a secret does not', async () => {
      const device = await createClient(test, { kind: 'native', redirectUris: [] });
      for (const [{ clientId }, status] of [
        [device, 200],
        [client, 401],
      ] as const) {
        const empty = { id: '', clientId, secret: '' };
        assert.equal((await callAs(test, empty, '/oauth/device-authorization', { scope: 'openid' })).status, status);
      }
    });

    it('gives a code, and for it tokens of the scopes that were asked', async () => {
      const { access_token, id_token, refresh_token, expires_in, scope } = await signInTo(test, client, 'ann');
      assert.equal(expires_in, 600);
      assert.equal(scope, 'openid profile email roles');
      assert.ok(refresh_token.length >= 43);
      const keys = createLocalJWKSet((await test.app.inject('/.well-known/jwks.json')).json());
      const options = { issuer: ISSUER, audience: client.clientId, currentDate: new Date(test.clock.now()) };
      const access = await jwtVerify(access_token, keys, { ...options, typ: 'at+jwt' });
      const id = await jwtVerify(id_token, keys, { ...options, typ: 'JWT' });
      assert.deepEqual(
        [access.protectedHeader.alg, id.protectedHeader.alg, decodeProtectedHeader(id_token).typ],
        ['ES256', 'RS256', 'JWT'],
      );
      const { sub, sid, nonce, azp, email, email_verified, name, roles, groups, acr, preferred_username } = id.payload;
      assert.deepEqual(
        { sub, nonce, azp, email, email_verified, name, roles, groups, acr, preferred_username },
        {
          sub: String(personId),
          nonce: 'a nonce',
          azp: client.clientId,
          email: 'ann@example.com',
          email_verified: true,
          name: 'Ann Lee',
          roles: ['editor'],
          groups: ['editor'],
          acr: 'aal1',
          preferred_username: 'ann',
        },
      );
      assert.equal(access.payload.sid, sid);
      assert.deepEqual(
        [access.payload.client_id, access.payload.scope, access.payload.gen, access.payload.sub],
        [client.clientId, scope, 0, sub],
      );
      const info = await test.app.inject({
        url: '/oauth/userinfo',
        headers: { authorization: `Bearer ${access_token}` },
      });
      assert.equal(info.json().email, 'ann@example.com');
      const refused = await test.get('/api/services/app/Session/GetAll', { token: access_token });
      assert.deepEqual([refused.status, refused.error.reason], [401, 'token.invalid']);
    });

    it('tells when the names or addresses of a person last changed', async () => {
      const id = await test.createUser('eve');
      const created = Math.floor(test.clock.now() / 1000);
      const { id_token, access_token } = await signInTo(test, client, 'eve');
      assert.equal(decodeJwt(id_token).updated_at, created);
      test.clock.advance(5);
      const update = { id, surname: 'Adams' };
      await test.send('PUT', '/api/services/app/User/Update', { token: await test.admin(), body: update });
      test.clock.advance(5);
      const info = await test.app.inject({
        url: '/oauth/userinfo',
        headers: { authorization: `Bearer ${access_token}` },
      });
      assert.deepEqual([info.json().family_name, info.json().updated_at], ['Adams', created + 5]);
    });

    it('answers with issuer and state', async () => {
      const browser = openBrowser(test);
      const verifier = createVerifier();
      const id = await begin(browser, toRequest(client, verifier));
      const answer = await proceed(browser, id, await test.signIn('ann'));
      const { redirectTo } = answer.result as { redirectTo: string };
      assert.ok(redirectTo.startsWith(`${REDIRECT_URI}?code=`));
      const { iss, state } = readAnswer(redirectTo);
      assert.deepEqual([iss, state], [ISSUER, 'a state']);
      const again = await proceed(browser, id, await test.signIn('ann'));
      assert.deepEqual([again.status, again.error.reason], [404, 'authorization.notFound']);
    });

    it('tells the sign-in page which languages the application asks for, also in a pushed request', async () => {
      const languagesOf = async (query: Record<string, string>) => {
        const { headers } = await openBrowser(test).send('GET', '/oauth/authorize', { query });
        return new URL(String(headers.location)).searchParams.get('ui_locales');
      };
      const asked = (ui_locales: string) => toRequest(client, createVerifier(), { ui_locales });
      assert.equal(await languagesOf(toRequest(client, createVerifier())), null);
      assert.equal(await languagesOf(asked('fr-CA de zh-Hant-TW')), 'fr-CA de zh-Hant-TW');
      assert.equal(await languagesOf(asked('<b> d  de_AT ../x')), null);
      assert.equal(await languagesOf(asked(`${'x'.repeat(9)} en ${'de '.repeat(100)}`)), `en${' de'.repeat(9)}`);
      const { body } = await callAs(test, client, '/oauth/par', asked('de'));
      assert.equal(await languagesOf({ client_id: client.clientId, request_uri: body.request_uri }), 'de');
    });

    it('leads to the own page of a front end only if that is set, also below the public URL', async () => {
      const call = { token: await test.admin(), body: { appKey: 'portal', name: 'Portal' } };
      assert.equal((await test.post('/api/services/app/FrontEndApp/Create', call)).status, 200);
      await test.set('Latchkey.Links.BaseAddress', `${ISSUER}/portal`, 'portal');
      const ofPortal = await createClient(test, { frontEnd: 'portal' });
      const signInPage = async () => {
        const query = toRequest(ofPortal, createVerifier());
        const { headers } = await openBrowser(test).send('GET', '/oauth/authorize', { query });
        const { origin, pathname, searchParams } = new URL(String(headers.location));
        assert.equal(searchParams.get('frontEnd'), 'portal');
        return origin + pathname;
      };
      assert.equal(await signInPage(), `${ISSUER}/login`);
      await test.set('Latchkey.Links.SignIn', true, 'portal');
      assert.equal(await signInPage(), `${ISSUER}/portal/login`);
    });

    it('shows its own pages in the language that the application asks for, and asks in it whether to sign out', async () => {
      const browser = openBrowser(test);
      const languageOf = ({ text }: { text: string }) => /<html lang="(\w+)">/.exec(text)?.[1];
      const unknown = (ui_locales: string) => ({ client_id: 'nobody', ui_locales });
      const refused = (query: Record<string, string>, language = 'en-GB') =>
        browser.send('GET', '/oauth/authorize', { query, headers: { 'accept-language': language } });
      assert.equal(languageOf(await refused(unknown('tlh de-AT en'))), 'de');
      assert.equal(languageOf(await refused(unknown('en'), 'de-DE')), 'en');
      assert.equal(languageOf(await refused(unknown('tlh'), 'de-DE')), 'de');
      assert.equal(languageOf(await refused(unknown('fr-CA de'), 'de-DE')), 'fr');
      assert.equal(languageOf(await refused(unknown(''), 'FR,en;q=0.5')), 'fr');
      const form = { response_mode: 'form_post', ui_locales: 'de' };
      const id = await begin(browser, toRequest(client, createVerifier(), form));
      const answer = await proceed(browser, id, await test.signIn('ann'));
      const { redirectTo } = answer.result as { redirectTo: string };
      const { pathname, search } = new URL(redirectTo);
      assert.equal(languageOf(await browser.send('GET', pathname + search)), 'de');
      const asked = await browser.send('GET', '/oauth/end-session', { query: { ui_locales: 'de en' } });
      const page = new URL(String(asked.headers.location));
      assert.deepEqual([page.pathname, page.searchParams.get('ui_locales')], ['/sign-out', 'de en']);
      const body = { question: page.searchParams.get('question') };
      const ended = await browser.send('POST', '/api/services/app/Authorization/EndSession', { body });
      const done = new URL((ended.result as { redirectTo: string }).redirectTo);
      assert.deepEqual([done.pathname, done.searchParams.get('ui_locales')], ['/signed-out', 'de en']);
    });

    it('lets a person through who is signed in, until the session ends', async () => {
      const { browser, token } = await signInTo(test, client, 'ann');
      const verifier = createVerifier();
      const query = toRequest(client, verifier, { prompt: 'none' });
      const through = await browser.send('GET', '/oauth/authorize', { query });
      const { code = '' } = readAnswer(through.headers.location);
      assert.equal((await redeem(test, client, code, verifier)).status, 200);
      await test.post('/api/TokenAuth/SignOff', { token });
      const refused = await browser.send('GET', '/oauth/authorize', { query });
      assert.equal(readAnswer(refused.headers.location).error, 'login_required');
    });

    it('asks the sign-in page about a person who may have been inactive for longer than automatic log-off allows', async () => {
      await test.set('Shesha.Security', { useAutoLogoff: true, autoLogoffTimeout: 600 });
      try {
        const { browser, token } = await signInTo(test, client, 'ann');
        const query = toRequest(client, createVerifier(), {});
        const open = () => browser.send('GET', '/oauth/authorize', { query });
        test.clock.advance(599);
        assert.notEqual(readAnswer((await open()).headers.location).code, undefined);
        test.clock.advance(1);
        const silent = await browser.send('GET', '/oauth/authorize', { query: { ...query, prompt: 'none' } });
        assert.equal(readAnswer(silent.headers.location).error, 'login_required');
        // The page of somebody who was active has a token.
        assert.equal((await proceed(browser, await begin(browser, query), token)).status, 200);
      } finally {
        await test.set('Shesha.Security', { useAutoLogoff: false });
      }
    });

    it('exchanges a refresh token once, and for 30 seconds again for the same next one', async () => {
      const { refresh_token: first, access_token } = await signInTo(test, client, 'ann');
      const second = await refresh(test, client, first);
      const again = await refresh(test, client, first);
      assert.deepEqual([second.status, again.status], [200, 200]);
      assert.equal(again.body.refresh_token, second.body.refresh_token);
      assert.equal(decodeJwt(second.body.access_token).gen, 1);
      assert.ok(await isActive(access_token), 'a refresh revokes no access token');
      test.clock.advance(30);
      const late = await refresh(test, client, first);
      assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant']);
      assert.equal((await refresh(test, client, second.body.refresh_token)).body.error, 'invalid_grant');
      assert.equal(await isActive(access_token), false);
    });

    it('ends what a code has given when it comes again', async () => {
      const { code, verifier, access_token } = await signInTo(test, client, 'ann');
      assert.ok(await isActive(access_token));
      assert.equal((await redeem(test, client, code, verifier)).body.error, 'invalid_grant');
      assert.equal(await isActive(access_token), false);
    });

    it('ends with the session in which it was given, and survives a sign-off with offline_access', async () => {
      const online = await signInTo(test, client, 'ann');
      const offline = await signInTo(test, client, 'ann', { request: { scope: 'openid offline_access' } });
      for (const { token } of [online, offline]) await test.post('/api/TokenAuth/SignOff', { token });
      assert.deepEqual([await isActive(online.access_token), await isActive(offline.access_token)], [false, true]);
      assert.equal((await refresh(test, client, online.refresh_token)).body.error, 'invalid_grant');
      assert.equal((await refresh(test, client, offline.refresh_token)).status, 200);
      const ended = await test.post('/api/services/app/Session/EndOthers', { token: await test.signIn('ann') });
      assert.equal(ended.status, 200);
      assert.equal(await isActive(offline.access_token), false);
    });

    it('gives a machine a token of its own', async () => {
      const machine = await createClient(test, { name: 'Robot', kind: 'machine', redirectUris: [], scopes: ['read'] });
      const answer = await callAs(test, machine, '/oauth/token', { grant_type: 'client_credentials' });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const { sub, client_id, scope, aud } = decodeJwt(answer.body.access_token);
      assert.deepEqual([sub, client_id, scope, aud], [machine.clientId, machine.clientId, 'read', machine.clientId]);
      assert.deepEqual([answer.body.refresh_token, answer.body.id_token], [undefined, undefined]);
    });

    it('asks a person who must agree', async () => {
      const asking = await createClient(test, { name: 'Asking', consent: 'ask' });
      const browser = openBrowser(test);
      const id = await begin(browser, toRequest(asking, createVerifier()));
      const token = await test.signIn('ann');
      const asked = await proceed(browser, id, token);
      assert.deepEqual(asked.result, {
        consentNeeded: { application: { name: 'Asking' }, scopes: ['openid', 'profile', 'email', 'roles'] },
      });
      const answer = await proceed(browser, id, token, { consent: true });
      assert.ok(readAnswer((answer.result as { redirectTo: string }).redirectTo).code);
      const next = await begin(browser, toRequest(asking, createVerifier(), { prompt: 'consent' }));
      const refused = await proceed(browser, next, token, { consent: false });
      assert.equal(readAnswer((refused.result as { redirectTo: string }).redirectTo).error, 'access_denied');
    });

    it('forgets what a person agreed to when the account is deleted, and nothing of others', async () => {
      const asking = await createClient(test, { name: 'Asking', consent: 'ask' });
      const [left, kept] = [await test.createUser('carl'), await test.createUser('dora')];
      for (const name of ['carl', 'dora']) await signInTo(test, asking, name, { reply: { consent: true } });
      const call = { token: await test.admin(), query: { id: left } };
      assert.equal((await test.send('DELETE', '/api/services/app/User/Delete', call)).status, 200);
      const consents = test.service.database.sql.selectFrom('application_consent').select('account_id');
      assert.deepEqual(await consents.where('application_id', '=', asking.id).execute(), [{ account_id: kept }]);
    });

    it('asks again if another person is signed in than the one who was asked', async () => {
      const asking = await createClient(test, { name: 'Asking', consent: 'ask' });
      const userId = await test.createUser('bob');
      const token = await test.signIn('bob');
      const answer = async (more: object) => {
        const browser = openBrowser(test);
        const id = await begin(browser, toRequest(asking, createVerifier()));
        return (await proceed(browser, id, token, more)).result as { redirectTo?: string; consentNeeded?: object };
      };
      const asOther = { consent: true, userId: personId };
      assert.ok((await answer(asOther)).consentNeeded);
      assert.deepEqual((await test.get('/api/services/app/Consent/GetAll', { token })).result, { items: [] });
      assert.ok(readAnswer((await answer({ consent: true, userId })).redirectTo).code);
      // The page named somebody else, even if the present person has agreed before.
      assert.ok((await answer(asOther)).consentNeeded);
      assert.ok(readAnswer((await answer({})).redirectTo).code);
    });
  });
}

describe('signing in to applications while the database is away', () => {
  it('shows a page to a person and tells a program, with status 503 and the time to wait', async (context) => {
    let isAway = false;
    const around = (database: Database): Database => ({
      ...database,
      transaction: async (work, options) => {
        if (isAway) throw serviceErrors.unavailable({ retryAfterSeconds: 1, cause: new Error('ECONNREFUSED') });
        return database.transaction(work, options);
      },
    });
    const test = await startTestService('sqlite', { around });
    context.after(() => test.close());
    await test.createUser('ann');
    const client = await createClient(test);
    const { browser } = await signInTo(test, client, 'ann');
    isAway = true;
    const query = toRequest(client, createVerifier(), { ui_locales: 'de' });
    const answerTo = async (accept: string) => {
      const { status, headers, text } = await browser.send('GET', '/oauth/authorize', { query, headers: { accept } });
      assert.deepEqual([status, headers['retry-after']], [503, '1']);
      return { type: String(headers['content-type']), policy: String(headers['content-security-policy']), text };
    };
    const page = await answerTo('text/html,application/xhtml+xml,*/*;q=0.8');
    assert.deepEqual([page.type, /<html lang="de">/.test(page.text)], ['text/html; charset=utf-8', true]);
    assert.match(page.policy, /style-src 'nonce-/);
    assert.match((await answerTo('*/*')).type, /^application\/json/);
  });
});
