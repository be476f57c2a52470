// What OWASP ASVS and OpenID Connect Core demand of the service as a whole, and no other test shows.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import {
  begin,
  type Client,
  callAs,
  createClient,
  createVerifier,
  openBrowser,
  readAnswer,
  refresh,
  signInTo,
  toRequest,
} from '../support/oauth.ts';
import { startTestService, type TestService } from '../support/service.ts';

describe('the service, as standards demand', () => {
  let test: TestService;
  let client: Client;
  before(async () => {
    test = await startTestService('sqlite');
    client = await createClient(test);
    await test.createUser('ann');
  });
  after(() => test.close());

  const authorize = (more: Record<string, string>, browser = openBrowser(test)) =>
    browser.send('GET', '/oauth/authorize', { query: toRequest(client, createVerifier(), more) });

  it('asks nobody who may not be asked, and asks again who must sign in again', async () => {
    assert.equal(readAnswer((await authorize({ prompt: 'none' })).headers.location).error, 'login_required');
    const { browser } = await signInTo(test, client, 'ann');
    assert.ok(readAnswer((await authorize({}, browser)).headers.location).code, 'the browser is signed in');
    test.clock.advance(1);
    for (const prompt of ['login', 'select_account']) {
      await begin(browser, toRequest(client, createVerifier(), { prompt }));
    }
  });

  it('accepts display, ui_locales, claims_locales and acr_values of values that it does not know', async () => {
    const unknown = { display: 'popup', ui_locales: 'xx-XX', claims_locales: 'xx', acr_values: 'urn:example:gold' };
    await begin(openBrowser(test), toRequest(client, createVerifier(), unknown));
  });

  it('asks again after max_age, and tells the time of the authentication', async () => {
    const { browser, id_token } = await signInTo(test, client, 'ann', { request: { max_age: '300' } });
    const now = Math.floor(test.clock.now() / 1000);
    assert.equal(decodeJwt(id_token).auth_time, now);
    test.clock.advance(200);
    assert.ok(readAnswer((await authorize({ max_age: '300' }, browser)).headers.location).code);
    test.clock.advance(101);
    await begin(browser, toRequest(client, createVerifier(), { max_age: '300' }));
  });

  it('ends a refresh token when its session has lasted for its time', async () => {
    for (const scope of ['openid', 'openid offline_access']) {
      let { refresh_token: token } = await signInTo(test, client, 'ann', { request: { scope } });
      for (let day = 1; day < 30; day += 1) {
        test.clock.advance(86_400);
        const next = await refresh(test, client, token);
        assert.equal(next.status, 200, `${scope}, day ${day}`);
        token = next.body.refresh_token;
      }
      test.clock.advance(86_400);
      assert.equal((await refresh(test, client, token)).body.error, 'invalid_grant', scope);
    }
  });

  it('has neither the implicit flow, nor the hybrid flow, nor the grant of a password', async () => {
    for (const response_type of ['token', 'id_token', 'id_token token', 'code token', 'code id_token']) {
      const { error } = readAnswer((await authorize({ response_type })).headers.location);
      assert.equal(error, 'unsupported_response_type', response_type);
    }
    const form = { grant_type: 'password', username: 'ann', password: 'x' };
    assert.equal((await callAs(test, client, '/oauth/token', form)).body.error, 'unsupported_grant_type');
  });

  it('asks passkeys to sign challenges of 128 bits or more, each another one', async () => {
    await test.set('Latchkey.Factors', { passkeys: true, authenticator: false });
    const challenges = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      const { result } = await test.post('/api/TokenAuth/GetPasskeyOptions');
      challenges.add(result.options.challenge);
      assert.ok(Buffer.from(result.options.challenge, 'base64url').length >= 16);
    }
    assert.equal(challenges.size, 5);
  });

  it('answers no TRACE', async () => {
    for (const path of ['/', '/health/live', '/oauth/token', '/api/TokenAuth/Authenticate']) {
      const { statusCode, body } = await test.app.inject({
        method: 'TRACE' as 'GET',
        url: path,
        headers: { cookie: 'a=canary' },
      });
      assert.ok([400, 404, 405, 501].includes(statusCode), `${path}: ${statusCode}`);
      assert.doesNotMatch(body, /canary/);
    }
  });

  it('takes a password of five years ago', async () => {
    test.clock.advance(5 * 365 * 86_400);
    const who = await test.get('/api/services/app/Session/GetCurrentLoginInformations', {
      token: await test.signIn('ann'),
    });
    assert.equal(who.status, 200);
  });
});
