// Attacks on signing in to applications: injected and replayed codes, downgrades, other browsers, other clients, and floods.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { operator } from '../../src/app/first-start.ts';
import { endAllSessions } from '../../src/app/restore-check.ts';
import { toInstant } from '../../src/foundation/clock.ts';
import { GRACE_SECONDS } from '../../src/grants/grant.ts';
import { createOpenIdStore } from '../../src/openid/store.sql.ts';
import type { Revocation } from '../../src/tokens/index.ts';
import { beside, createMigratedUrl } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { type Locks, openLocks, untilWaiting } from '../support/locks.ts';
import {
  type Browser,
  begin,
  type Client,
  callAs,
  createClient,
  createSigner,
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
import { itAtLength, often } from '../support/scale.ts';
import { freshAddress, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const MANY = 40;
/** Tries of what an attacker gains most by doing twice. */
const VERY_MANY = often(MANY, 200);

for (const [name, start] of Object.entries(setUps)) {
  describe(`attacks on applications, with ${name}`, () => {
    let setUp: SetUp;
    let test: TestService;
    let client: Client;
    let other: Client;
    before(async () => {
      setUp = await start();
      test = setUp.here;
      client = await createClient(test);
      other = await createClient(test, { name: 'Other' });
      await setUp.there.service.applications.load();
      await test.createUser('ann');
      await test.createUser('bob');
    });
    after(() => setUp.close());
    beforeEach(() => test.clock.advance(60));

    /** Returns the nodes that get this many calls, in turn. */
    const nodes = (count: number) =>
      Array.from({ length: count }, (_, place) => (place % 2 === 0 ? setUp.here : setUp.there));
    const authorize = (request: Record<string, string>, browser = openBrowser(test)) =>
      browser.send('GET', '/oauth/authorize', { query: request });
    async function codeFor(request: Record<string, string>, browser = openBrowser(test), userName = 'ann') {
      const answer = await proceed(browser, await begin(browser, request), await test.signIn(userName));
      return readAnswer((answer.result as { redirectTo: string }).redirectTo).code ?? '';
    }
    const isActive = async (token: string) =>
      (await test.app.inject({ url: '/oauth/userinfo', headers: { authorization: `Bearer ${token}` } })).statusCode ===
      200;

    it('a redirect URI that is nearly registered gets a page, and no redirect', async () => {
      const near = [
        `${REDIRECT_URI}/`,
        `${REDIRECT_URI}?x=1`,
        REDIRECT_URI.toUpperCase(),
        'https://app.example.com.evil.org/callback',
        'https://app.example.com@evil.org/callback',
        'https://app.example.com/callback/../other',
        'http://app.example.com/callback',
        '',
      ];
      for (const redirect_uri of near) {
        const answer = await authorize(toRequest(client, createVerifier(), { redirect_uri }));
        assert.deepEqual([answer.status, answer.headers.location], [400, undefined], redirect_uri);
      }
    });

    it('a code is for its client, redirect URI and verifier', async () => {
      const verifier = createVerifier();
      const code = await codeFor(toRequest(client, verifier));
      const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
      const { code_verifier: _, ...without } = form;
      const tries = [
        await callAs(test, other, '/oauth/token', form),
        await callAs(test, client, '/oauth/token', { ...form, redirect_uri: `${REDIRECT_URI}x` }),
        await callAs(test, client, '/oauth/token', { ...form, code_verifier: createVerifier() }),
        await callAs(test, client, '/oauth/token', without),
        await callAs(test, { ...client, secret: 'wrong' }, '/oauth/token', form),
      ];
      assert.deepEqual(
        tries.map(({ status, body }) => [status, body.error]),
        [...Array.from({ length: 4 }, () => [400, 'invalid_grant']), [401, 'invalid_client']],
      );
      assert.equal((await redeem(test, client, code, verifier)).status, 200, 'none of them has used it');
    });

    it('a verifier without a challenge is a downgrade, and plain is none', async () => {
      const { code_challenge: _, code_challenge_method: __, ...request } = toRequest(client, createVerifier());
      const code = await codeFor(request);
      assert.equal((await redeem(test, client, code, createVerifier())).body.error, 'invalid_grant');
      const plain = { ...toRequest(client, createVerifier()), code_challenge_method: 'plain' };
      assert.equal(readAnswer((await authorize(plain)).headers.location).error, 'invalid_request');
      const { nonce: ___, ...neither } = request;
      assert.equal(readAnswer((await authorize(neither)).headers.location).error, 'invalid_request');
    });

    it('a request belongs to its browser', async () => {
      const id = await begin(openBrowser(test), toRequest(client, createVerifier()));
      const answer = await proceed(openBrowser(test), id, await test.signIn('ann'));
      assert.deepEqual([answer.status, answer.error.reason], [404, 'authorization.notFound']);
    });

    it('of many redemptions of one code at most one gets tokens, and they end', async () => {
      const verifier = createVerifier();
      const code = await codeFor(toRequest(client, verifier));
      const answers = await Promise.all(nodes(VERY_MANY).map((node) => redeem(node, client, code, verifier)));
      const given = answers.filter(({ status }) => status === 200);
      assert.equal(given.length, 1);
      assert.equal(await isActive(given[0]?.body.access_token), false);
    });

    it('of many redemptions of a code with offline access no session is left', async () => {
      const verifier = createVerifier();
      const code = await codeFor(toRequest(client, verifier, { scope: 'openid offline_access' }));
      await Promise.all(nodes(MANY).map((node) => redeem(node, client, code, verifier)));
      test.clock.advance(61);
      const late = await codeFor(toRequest(client, verifier, { scope: 'openid offline_access' }));
      test.clock.advance(61);
      assert.equal((await redeem(test, client, late, verifier)).body.error, 'invalid_grant');
      const { items } = (await test.get('/api/services/app/Session/GetAll', { token: await test.signIn('ann') }))
        .result;
      assert.deepEqual(
        items.flatMap(({ application }) => application ?? []),
        [],
      );
    });

    it('an end of an application waits for an exchange under way, and leaves no session of it', async () => {
      const { service } = setUp.there;
      if (service.database.engine === 'sqlite') return;
      const doomed = await createClient(test);
      const code = await codeFor(toRequest(doomed, createVerifier(), { scope: 'openid offline_access' }));
      const token = await test.admin();
      let ending: Promise<{ status: number }> | undefined;
      await service.database.transaction(async (tx) => {
        const grant = (await service.grants.findByCode(tx, code)) ?? assert.fail();
        const grantee = { ...doomed, name: 'Doomed', accessTokenLifetime: 600, mayRefresh: true };
        assert.ok(await service.grants.redeem(tx, grantee, grant, { ipAddress: null, userAgent: null, frontEnd: '' }));
        ending = beside(() =>
          test.send('PUT', '/api/services/app/Application/Update', {
            token,
            body: { id: doomed.id, isEnabled: false },
          }),
        );
        await untilWaiting(service.database);
      });
      assert.equal((await ending)?.status, 200);
      const open = service.database.sql.selectFrom('session').select('id').where('application_id', '=', doomed.id);
      assert.deepEqual(await open.where('ended_at', 'is', null).execute(), []);
    });

    it('a refresh does not wait for a change of its application, which may wait for its grant', async () => {
      const { service } = setUp.there;
      if (service.database.engine === 'sqlite') return;
      const narrowed = await createClient(test);
      const { refresh_token } = await signInTo(test, narrowed, 'ann');
      const body = { id: narrowed.id, scopes: ['openid'] };
      await test.send('PUT', '/api/services/app/Application/Update', { token: await test.admin(), body });
      await service.database.transaction(async (tx) => {
        await tx.sql.selectFrom('application').select('id').where('id', '=', narrowed.id).forUpdate().execute();
        assert.equal((await beside(() => refresh(test, narrowed, refresh_token))).body.scope, 'openid');
      });
    });

    it('a refresh does not wait for a change of a role, which may wait for its session', async () => {
      const { service } = setUp.there;
      if (service.database.engine === 'sqlite') return;
      const admin = await test.admin();
      await test.post('/api/services/app/Role/Create', { token: admin, body: { name: 'Reader' } });
      await test.createUser('rita', { roleNames: ['Reader'] });
      const { refresh_token } = await signInTo(test, client, 'rita');
      const demand = async (requireForPermissions: boolean) => {
        const value = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions };
        const body = { name: 'Latchkey.Factors', value };
        assert.equal((await test.post('/api/services/app/Settings/UpdateValue', { token: admin, body })).status, 200);
      };
      await demand(true);
      await service.database.transaction(async (tx) => {
        await tx.sql.selectFrom('role').select('name').where('name', '=', 'Reader').forUpdate().execute();
        assert.equal((await beside(() => refresh(test, client, refresh_token))).status, 200);
      });
      await demand(false);
    });

    it('a node that does not know yet of a change asks the database before it refuses or gives', async () => {
      const { there } = setUp;
      const token = await test.admin();
      const update = async ({ id }: Client, changes: object) => {
        const body = { id, ...changes };
        const answer = await test.send('PUT', '/api/services/app/Application/Update', { token, body });
        assert.equal(answer.status, 200, answer.text);
      };
      const narrowed = await createClient(test, { scopes: ['openid', 'email'] });
      const machine = await createClient(test, { kind: 'machine', redirectUris: [], scopes: ['read'] });
      const { refresh_token } = await signInTo(test, narrowed, 'ann', { request: { scope: 'openid email' } });
      await update(narrowed, { scopes: ['openid'] });
      await there.service.applications.load();
      await update(narrowed, { scopes: ['openid', 'email'] });
      assert.equal((await refresh(there, narrowed, refresh_token)).body.scope, 'openid email');
      await update(machine, { isEnabled: false });
      const { status, body } = await callAs(there, machine, '/oauth/token', { grant_type: 'client_credentials' });
      assert.deepEqual([status, body.error], [401, 'invalid_client']);
    });

    it('of many uses of a pushed request, and of many answers to one that waits, one counts', async () => {
      const verifier = createVerifier();
      const pushed = await callAs(test, client, '/oauth/par', toRequest(client, verifier));
      assert.equal(pushed.status, 201);
      const request = { client_id: client.clientId, request_uri: String(pushed.body.request_uri) };
      const begun = await Promise.all(Array.from({ length: MANY }, () => authorize(request)));
      assert.equal(begun.filter(({ status }) => status === 303).length, 1);
      const browser = openBrowser(test);
      const id = await begin(browser, toRequest(client, verifier));
      const token = await test.signIn('ann');
      const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const call = { token, headers: { cookie }, body: { authorization: id } };
      const path = '/api/services/app/Authorization/Continue';
      const answers = await Promise.all(Array.from({ length: MANY }, () => test.post(path, call)));
      assert.deepEqual(
        [200, 404].map((status) => answers.filter((one) => one.status === status).length),
        [1, MANY - 1],
      );
    });

    it('of many polls of a device that was allowed, one gets tokens', async () => {
      const native = await createClient(test, {
        name: 'Set-top box',
        kind: 'native',
        redirectUris: ['http://localhost/x'],
      });
      const { body } = await callAs(test, native, '/oauth/device-authorization', { scope: 'openid' });
      const browser = openBrowser(test);
      const query = { userCode: String(body.user_code) };
      const found = await browser.send('GET', '/api/services/app/Device/Get', { query });
      const { authorization } = found.result as { authorization: string };
      assert.equal((await proceed(browser, authorization, await test.signIn('ann'), { consent: true })).status, 200);
      const form = {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: String(body.device_code),
      };
      const polls = await Promise.all(Array.from({ length: MANY }, () => callAs(test, native, '/oauth/token', form)));
      assert.equal(polls.filter(({ status }) => status === 200).length, 1);
    });

    it('of many uses of a client assertion one counts', async () => {
      const { jwk, sign } = await createSigner();
      const machine = { name: 'Signer', kind: 'machine', redirectUris: [], authentication: 'private_key_jwt' } as const;
      const { clientId } = await createClient(test, { ...machine, jwks: { keys: [jwk] } });
      const form = { grant_type: 'client_credentials', ...(await sign(clientId, test.clock.now())) };
      const anonymous = { id: '', clientId, secret: null };
      const answers = await Promise.all(
        Array.from({ length: MANY }, () => callAs(test, anonymous, '/oauth/token', form)),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      const fractional = { ...form, ...(await sign(clientId, test.clock.now(), 60.123456)) };
      assert.equal((await callAs(test, anonymous, '/oauth/token', fractional)).status, 200);
      assert.equal((await callAs(test, anonymous, '/oauth/token', fractional)).status, 401);
    });

    it('of many refreshes with one token all get the same next one, which works once', async () => {
      const { refresh_token } = await signInTo(test, client, 'ann');
      const answers = await Promise.all(nodes(VERY_MANY).map((node) => refresh(node, client, refresh_token)));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      const next = new Set(answers.map(({ body }) => body.refresh_token));
      assert.equal(next.size, 1);
      assert.equal((await refresh(test, client, [...next][0])).status, 200);
    });

    it('a refresh that meets a restriction of its session gives no token that verifiers accept', async () => {
      const revoked: Revocation[] = [];
      for (const node of new Set(nodes(2)))
        node.service.revocations.subscribe(async (_tx, some) => void revoked.push(...some));
      const admin = await test.admin();
      for (let round = 0; round < often(6, 60); round += 1) {
        const userName = `met${round}`;
        const id = await test.createUser(userName);
        const { refresh_token } = await signInTo(test, client, userName);
        const body = { id, requireChangePassword: true };
        const [restricted, refreshed] = await Promise.all([
          setUp.there.send('PUT', '/api/services/app/User/Update', { token: admin, body }),
          refresh(test, client, refresh_token),
        ]);
        assert.equal(restricted.status, 200, restricted.text);
        const { sid, gen } = refreshed.status === 200 ? claimsOf(refreshed.body.access_token) : {};
        const superseded = revoked.findLast((one) => one.kind === 'superseded' && one.sessionId === sid);
        assert.ok(sid === undefined || (superseded?.kind === 'superseded' && Number(gen) < superseded.generation));
      }
    });

    it('a refresh token opens nothing while a second factor is demanded, and goes on when the demand is over', async () => {
      // A new session of an administrator would be restricted, too.
      const admin = await test.admin();
      const demand = async (requireForPermissions: boolean) => {
        const value = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions };
        const body = { name: 'Latchkey.Factors', value };
        assert.equal((await test.post('/api/services/app/Settings/UpdateValue', { token: admin, body })).status, 200);
      };
      const id = await test.createUser('gus');
      const give = async (roleNames: string[]) => {
        const answer = await test.send('PUT', '/api/services/app/User/Update', {
          token: admin,
          body: { id, roleNames },
        });
        assert.equal(answer.status, 200, answer.text);
      };
      const online = await signInTo(test, client, 'gus');
      const offline = await signInTo(test, client, 'gus', { request: { scope: 'openid offline_access' } });
      const tokens = [online.refresh_token, offline.refresh_token];
      await demand(true);
      await give(['UserManager']);
      for (const token of tokens) assert.equal((await refresh(test, client, token)).body.error, 'invalid_grant');
      assert.deepEqual(await Promise.all([online, offline].map((one) => isActive(one.access_token))), [false, false]);
      await give([]);
      for (const token of tokens) {
        const { status, body } = await refresh(setUp.there, client, token);
        assert.deepEqual([status, status === 200 && (await isActive(body.access_token))], [200, true]);
      }
      await demand(false);
    });

    it('one session has a bounded number of handles, however often its page answers', async () => {
      const token = await test.signIn('ann');
      for (let count = 0; count < 55; count += 1) {
        const browser = openBrowser(test);
        const id = await begin(browser, toRequest(client, createVerifier()));
        assert.equal((await proceed(browser, id, token)).status, 200);
      }
      const handles = await test.service.database.sql
        .selectFrom('browser_session')
        .select('mac')
        .where('session_id', '=', String(claimsOf(token).sid))
        .execute();
      assert.equal(handles.length, 50);
    });

    it('a refresh token is for its client, and made-up ones end nothing', async () => {
      const { refresh_token, access_token } = await signInTo(test, client, 'ann');
      const [grant = '', secret = '', tag = ''] = refresh_token.split('.');
      const made = [`${grant}.${'A'.repeat(43)}.${tag}`, `${grant}.${secret}.${'A'.repeat(43)}`, 'x', `${grant}..`];
      for (const token of made) assert.equal((await refresh(test, client, token)).body.error, 'invalid_grant');
      assert.equal((await refresh(test, other, refresh_token)).body.error, 'invalid_grant');
      assert.ok(await isActive(access_token));
      const offline = await refresh(test, client, refresh_token, { scope: 'openid offline_access' });
      assert.equal(offline.body.scope, 'openid', 'a refresh adds no scope');
    });

    it('strange parameters are refused by the standard', async () => {
      const request = toRequest(client, createVerifier());
      const query = new URLSearchParams(request).toString();
      const twice = await test.get(`/oauth/authorize?${query}&state=another`);
      assert.deepEqual([twice.status, readAnswer(twice.headers.location).error], [303, 'invalid_request']);
      const cases = [
        { ...request, nonce: 'a\u0000b' },
        { ...request, state: 'x'.repeat(9000) },
        { ...request, state: '€'.repeat(3000), nonce: '€'.repeat(3000) },
        { ...request, request_uri: 'urn:ietf:params:oauth:request_uri:\u0000' },
      ];
      for (const one of cases) assert.ok([303, 400].includes((await authorize(one)).status));
      const gone = 'urn:ietf:params:oauth:request_uri:6b1c0a52-92a4-4a5c-9d0e-0b7f7c1b2d3e';
      const refused = await authorize({ ...request, request_uri: gone });
      const { error, state } = readAnswer(refused.headers.location);
      assert.deepEqual([error, state], ['invalid_request_uri', request.state]);
      const posted = await authorize({ ...request, request_uri: gone, response_mode: 'form_post' });
      assert.equal(new URL(String(posted.headers.location)).pathname, '/oauth/answer');
      const elsewhere = { redirect_uri: 'https://evil.example/', request_uri: gone };
      assert.equal((await authorize({ ...request, ...elsewhere })).status, 400);
      assert.equal((await authorize({ client_id: client.clientId, request_uri: gone })).status, 400);
      const many = new URLSearchParams(Array.from({ length: 16_000 }, (_, place) => [`a${place}`, '']));
      const flood = await callAs(test, client, '/oauth/token', Object.fromEntries(many));
      assert.ok([400, 413].includes(flood.status));
      const ending = await test.get('/oauth/end-session?state=a&state=b', { headers: { 'accept-language': 'de' } });
      assert.equal(ending.status, 400);
      assert.match(ending.text, /<h1>Diese Abmeldung kann nicht fortgesetzt werden<\/h1>/);
      assert.match((await test.get('/oauth/authorize')).text, /<h1>This sign-in cannot go on<\/h1>/);
      assert.equal((await test.get('/oauth/end-session?state=%00')).status, 400);
    });

    it('a hint of another person gives no code of this one', async () => {
      const { browser, token } = await signInTo(test, client, 'ann');
      const { id_token } = await signInTo(test, client, 'bob');
      const request = toRequest(client, createVerifier(), { prompt: 'none', id_token_hint: id_token });
      assert.equal(readAnswer((await authorize(request, browser)).headers.location).error, 'login_required');
      test.clock.advance(1);
      const asks = toRequest(client, createVerifier(), { id_token_hint: id_token });
      const id = await begin(browser, asks);
      const answer = await proceed(browser, id, token);
      assert.deepEqual([answer.status, answer.error.reason], [403, 'authorization.loginRequired']);
      const { redirectTo } = (await proceed(browser, id, await test.signIn('ann'))).result as { redirectTo: string };
      const { error, code } = readAnswer(redirectTo);
      assert.deepEqual([error, code], ['login_required', undefined]);
      assert.ok(await codeFor(asks, browser, 'bob'));
    });

    it('a browser lets no former person through after a sign-in or sign-off on the pages of the service', async () => {
      const query = toRequest(client, createVerifier(), { prompt: 'none' });
      const refusalIn = async (browser: Browser) =>
        readAnswer((await authorize(query, browser)).headers.location).error;
      const call = { body: { userNameOrEmailAddress: 'bob', password: USER_PASSWORD } };
      const first = await signInTo(test, client, 'ann');
      const wrong = { body: { ...call.body, password: 'wrong' } };
      assert.equal((await first.browser.send('POST', '/api/TokenAuth/Authenticate', wrong)).status, 401);
      await first.browser.send('POST', '/api/TokenAuth/RefreshTokenAsync', { token: first.token });
      assert.equal(await refusalIn(first.browser), undefined, 'the person is the same');
      assert.equal((await first.browser.send('POST', '/api/TokenAuth/Authenticate', call)).status, 200);
      assert.equal(await refusalIn(first.browser), 'login_required');
      const second = await signInTo(test, client, 'ann');
      await second.browser.send('POST', '/api/TokenAuth/SignOff', { token: await test.signIn('bob') });
      assert.equal(await refusalIn(second.browser), 'login_required');
      assert.ok(await isActive(second.access_token), 'the cookie ends no session');
      const { headers } = await openBrowser(test).send('POST', '/api/TokenAuth/Authenticate', call);
      assert.equal(headers['set-cookie'], undefined);
    });

    it('a request that an administrator has forbidden meanwhile gets no code', async () => {
      const changed = await createClient(test, {
        resources: ['books'],
        redirectUris: [REDIRECT_URI, `${REDIRECT_URI}2`],
      });
      const token = await test.admin();
      for (const changes of [{ redirectUris: [`${REDIRECT_URI}2`] }, { scopes: ['openid'] }, { resources: [] }]) {
        const browser = openBrowser(test);
        const id = await begin(browser, toRequest(changed, createVerifier(), { resource: 'books' }));
        const update = (body: object) =>
          test.send('PUT', '/api/services/app/Application/Update', { token, body: { id: changed.id, ...body } });
        const { id: _, ...before } = (
          await test.get('/api/services/app/Application/Get', { token, query: { id: changed.id } })
        ).result;
        assert.equal((await update(changes)).status, 200);
        const answer = await proceed(browser, id, await test.signIn('ann'));
        assert.deepEqual(
          [answer.status, answer.error.reason],
          [404, 'authorization.notFound'],
          JSON.stringify(changes),
        );
        const { redirectUris, scopes, resources } = before;
        assert.equal((await update({ redirectUris, scopes, resources })).status, 200);
        assert.equal((await proceed(browser, id, await test.signIn('ann'))).status, 200);
      }
    });

    it('a sign-out that another site posts loses no cookie, and asks', async () => {
      const { browser } = await signInTo(test, client, 'ann');
      const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' };
      const posted = await test.send('POST', '/oauth/end-session', { headers, body: 'state=x' });
      assert.ok(String(posted.headers.location).endsWith('/oauth/end-session?state=x'));
      assert.equal(posted.headers['set-cookie'], undefined);
      const asked = await browser.send('GET', '/oauth/end-session', { query: { state: 'x' } });
      assert.match(String(asked.headers.location), /\/sign-out\?question=/);
    });

    it('a long state leaves a person no question that cannot be answered', async () => {
      const way = { postLogoutRedirectUris: ['https://app.example.com/bye'] };
      const leaving = await createClient(test, way);
      const { browser, token } = await signInTo(test, leaving, 'ann');
      const [post_logout_redirect_uri = ''] = way.postLogoutRedirectUris;
      const query = { client_id: leaving.clientId, post_logout_redirect_uri, state: '%'.repeat(4000) };
      const asked = await browser.send('GET', '/oauth/end-session', { query });
      const question = new URL(String(asked.headers.location)).searchParams.get('question');
      const answer = await browser.send('POST', '/api/services/app/Authorization/EndSession', { body: { question } });
      assert.equal(answer.status, 200, answer.text);
      assert.equal((await test.get('/api/services/app/Session/GetAll', { token })).status, 401);
    });

    it('a flood from one address ends no sign-in that waits, and stops no other address', async () => {
      const [most, flood] = [30, 100];
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 1 });
      const open = await createClient(test, { name: 'CLI', kind: 'native', redirectUris: ['http://localhost/x'] });
      const ip = freshAddress();
      const known = (await signInTo(test, client, 'ann', { browser: openBrowser(test, ip) })).browser;
      const [honest, verifier] = [openBrowser(test), createVerifier()];
      const countRequests = async () => {
        const rows = await test.service.database.sql.selectFrom('application_request').select('id').execute();
        return rows.length;
      };
      const id = await begin(honest, toRequest(client, verifier));
      test.clock.advance(60);
      const request = toRequest(client, createVerifier());
      const answers = await Promise.all(
        nodes(flood).map((node) => authorize(request, openBrowser(node, ip)).then(({ status }) => status)),
      );
      assert.equal(answers.filter((status) => status === 303).length, most);
      assert.equal(answers.filter((status) => status === 429).length, flood - most);
      const headers = { accept: 'text/html' };
      const page = await openBrowser(test, ip).send('GET', '/oauth/authorize', { query: request, headers });
      const { location, 'set-cookie': cookie, 'retry-after': wait } = page.headers;
      assert.deepEqual([page.status, location, cookie, wait], [429, undefined, undefined, '60']);
      assert.match(page.text, /<h1>This sign-in cannot go on<\/h1>.*Too many requests/s);
      const local = { ...toRequest(open, createVerifier()), redirect_uri: 'http://localhost/x' };
      for (const [path, form] of [
        ['/oauth/par', local],
        ['/oauth/device-authorization', { scope: 'openid' }],
      ] as const) {
        const refused = await callAs(test, open, path, form, { ip });
        assert.deepEqual(
          [refused.status, refused.body.error, refused.headers['retry-after']],
          [429, 'invalid_request', '60'],
        );
        assert.ok((await callAs(test, open, path, form)).status < 300, path);
      }
      const { body: pushed } = await callAs(test, open, '/oauth/par', local);
      const shown = { client_id: open.clientId, request_uri: String(pushed.request_uri) };
      assert.equal((await authorize(shown, openBrowser(test, ip))).status, 303, 'it counted when it was pushed');
      const { body: device } = await callAs(test, open, '/oauth/device-authorization', { scope: 'openid' });
      const stored = await countRequests();
      const looked = { query: { userCode: String(device.user_code) }, ip };
      const look = async () => (await test.get('/api/services/app/Device/Get', looked)).status;
      for (const _ of nodes(10)) assert.equal(await look(), 429);
      assert.equal(await countRequests(), stored, 'a right code stores none either');
      assert.equal((await callAs(test, client, '/oauth/par', request, { ip })).status, 201, 'it has proven who it is');
      assert.ok(readAnswer((await authorize(request, known)).headers.location).code, 'nothing is stored');
      const silent = await authorize({ ...request, prompt: 'none' }, openBrowser(test, ip));
      assert.equal(readAnswer(silent.headers.location).error, 'login_required');
      assert.equal((await authorize(request)).status, 303);
      // As the job does, with room for what one address may begin and some others.
      await createOpenIdStore(test.service.database).deleteOld(test.clock.now(), most + 10, 500);
      const answer = await proceed(honest, id, await test.signIn('ann'));
      assert.equal(answer.status, 200, answer.text);
      const { code = '' } = readAnswer((answer.result as { redirectTo: string }).redirectTo);
      assert.equal((await redeem(test, client, code, verifier)).status, 200);
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 10 });
      assert.equal(await look(), 200, 'what was refused is no guess');
    });

    it('device codes are guessed ten times a minute, also in parallel', async () => {
      const native = await createClient(test, { name: 'TV', kind: 'native', redirectUris: ['http://localhost/x'] });
      const device = await callAs(test, native, '/oauth/device-authorization', { scope: 'openid' });
      const ip = freshAddress();
      const guess = (userCode: string) => test.get('/api/services/app/Device/Get', { query: { userCode }, ip });
      const guesses = Array.from({ length: 60 }, () => 'BBBB-BBBB');
      const answers = await Promise.all([...guesses, String(device.body.user_code)].map(guess));
      assert.equal(answers.filter(({ status }) => status === 404).length, 10);
      assert.equal(answers.at(-1)?.status, 429);
    });

    it('right codes of devices are no guesses', async () => {
      const native = await createClient(test, { name: 'TV', kind: 'native', redirectUris: ['http://localhost/x'] });
      const device = await callAs(test, native, '/oauth/device-authorization', { scope: 'openid' });
      const ip = freshAddress();
      const tryCodes = async (userCode: string, count: number) => {
        const statuses = [];
        while (statuses.length < count)
          statuses.push((await test.get('/api/services/app/Device/Get', { query: { userCode }, ip })).status);
        return statuses;
      };
      assert.deepEqual(await tryCodes(String(device.body.user_code), 12), Array(12).fill(200));
      assert.deepEqual(await tryCodes('BBBB-BBBB', 11), [...Array(10).fill(404), 429]);
    });

    it('failed authentications of a client are bounded by address', async () => {
      const ip = freshAddress();
      const wrong = { ...client, secret: 'wrong' };
      const form = { grant_type: 'client_credentials' };
      const answers = [];
      for (let tries = 0; tries < 62; tries += 1) answers.push(await callAs(test, wrong, '/oauth/token', form, { ip }));
      assert.deepEqual([answers[59]?.status, answers[61]?.status], [401, 429]);
      assert.match(String(answers[0]?.headers['www-authenticate']), /^Basic/);
      assert.ok(Number(answers[61]?.headers['retry-after']) >= 1);
    });

    it('the audience of the own tokens is no name of an application', async () => {
      await assert.rejects(createClient(test, { clientId: 'latchkey' }), { reason: 'request.invalid' });
      await assert.rejects(createClient(test, { resources: ['latchkey'] }), { reason: 'request.invalid' });
      await createClient(test, { clientId: 'taken', resources: ['taken-too'] });
      for (const audience of ['taken', 'taken-too'])
        await assert.rejects(test.set('Latchkey.Tokens', { audience }), /has this audience/);
    });

    itAtLength('a large application can be disabled', async () => {
      const large = await createClient(test, { name: 'Large' });
      const { access_token } = await signInTo(test, large, 'ann', { request: { scope: 'openid offline_access' } });
      const [row] = await test.service.database.sql
        .selectFrom('application_grant')
        .selectAll()
        .where('application_id', '=', large.id)
        .execute();
      assert.ok(row);
      for (let from = 0; from < 36_000; from += 400) {
        const rows = Array.from({ length: 400 }, (_, place) => ({
          ...row,
          id: `copy-${from + place}`,
          code_mac: null,
        }));
        await test.service.database.sql.insertInto('application_grant').values(rows).execute();
      }
      const token = await test.admin();
      const url = `/api/services/app/Application/Delete?id=${large.id}`;
      const answer = await test.send('DELETE', url, { token });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(await isActive(access_token), false);
    });
  });
}

describe('a change of an application that meets one of its people, on PostgreSQL', () => {
  let test: TestService;
  let locks: Locks;
  /** Of two administrators: a call locks the account of its caller. */
  let [admin, other] = ['', ''];
  before(async () => {
    const url = await createMigratedUrl('postgres');
    test = await startTestService('postgres', { url });
    locks = await openLocks(url);
    admin = await test.admin();
    await test.createUser('other', { roleNames: ['Administrator'] });
    other = await test.signIn('other');
    await test.post('/api/services/app/Role/Create', { token: admin, body: { name: 'Reader' } });
  });
  after(async () => {
    await locks.close();
    await test.close();
  });

  const updateUser = (body: object) => test.send('PUT', '/api/services/app/User/Update', { token: other, body });
  const disable = ({ id }: Client) =>
    test.send('PUT', '/api/services/app/Application/Update', { token: admin, body: { id, isEnabled: false } });
  const rowsOf = async (table: 'session' | 'application_grant', client: Client) => {
    const query = test.service.database.sql.selectFrom(table).select(['id', 'account_id', 'expires_at']);
    const [low, high, ...more] = await query.where('application_id', '=', client.id).orderBy('id').execute();
    assert.ok(low && high);
    return [low, high, ...more] as const;
  };

  const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);

  /** Begins each when the one before it waits for a lock, the first one for what `held` locks. */
  async function meet<Answer>(held: string, ...acts: (() => Promise<Answer>)[]): Promise<Answer[]> {
    await locks.hold(held);
    const running = [];
    for (const act of acts) {
      running.push(act());
      await locks.untilWaiting(running.length);
    }
    await locks.release();
    return Promise.all(running);
  }
  const lockOf = (table: 'application' | 'session' | 'application_grant', id: string) =>
    `select from ${table} where id = '${id}' for update`;

  it('other roles and a password that must be changed wait for the end of an application', async () => {
    const client = await createClient(test);
    for (const userName of ['amy', 'ben']) {
      await test.createUser(userName);
      await signInTo(test, client, userName);
    }
    const [low, high] = await rowsOf('application_grant', client);
    const answers = await meet<{ status: number }>(
      lockOf('application_grant', low.id),
      () => disable(client),
      () => updateUser({ id: high.account_id, requireChangePassword: true, roleNames: ['Reader'] }),
    );
    assert.deepEqual(statusesOf(answers), [200, 200]);
  });

  /** Gives a new person two sessions of an application. @returns the account's id, and theirs: the one with the higher id expires first. */
  async function openTwo(client: Client, userName: string) {
    const id = await test.createUser(userName);
    for (const _ of [1, 2]) await signInTo(test, client, userName, { request: { scope: 'openid offline_access' } });
    const [low, high] = await rowsOf('session', client);
    const later = { expires_at: toInstant(low.expires_at + 1000) };
    await test.service.database.sql.updateTable('session').set(later).where('id', '=', low.id).execute();
    return { id, low: low.id, high: high.id };
  }
  const endings: Record<string, (id: number, client: Client) => Promise<{ status: number }>> = {
    'the end of an application': (_, client) => disable(client),
    'a sign-out everywhere': (userId) =>
      test.post('/api/services/app/User/SignOutEverywhere', { token: other, body: { userId } }),
    'a password that must be changed': (id) => updateUser({ id, requireChangePassword: true }),
  };
  for (const [place, [name, end]] of Object.entries(endings).entries()) {
    it(`${name} locks several sessions in the order of their ids`, async () => {
      const client = await createClient(test);
      const { id, low, high } = await openTwo(client, `dan${place}`);
      await locks.hold(lockOf('session', low));
      const ended = end(id, client);
      await locks.untilWaiting(1);
      // What locks the sessions in the same order gets the second one too.
      await locks.hold(lockOf('session', high));
      await locks.release();
      assert.equal((await ended).status, 200);
    });
  }

  it('other roles and another key of a front end lock several applications in the order of their ids', async () => {
    const body = { appKey: 'shop', name: 'Shop' };
    const frontEnd = await test.post('/api/services/app/FrontEndApp/Create', { token: admin, body });
    const rename = (appKey: string) =>
      test.send('PUT', '/api/services/app/FrontEndApp/Update', {
        token: other,
        body: { ...body, id: frontEnd.result.id, appKey },
      });
    const clients = [
      await createClient(test, { frontEnd: 'shop', allowedRoles: ['Reader'] }),
      await createClient(test, { frontEnd: 'shop', allowedRoles: ['Reader'] }),
    ];
    const [low, high] = clients.toSorted((one, two) => (one.id < two.id ? -1 : 1));
    assert.ok(low && high);
    // PostgreSQL finds the one that was changed last after the other one.
    await test.service.database.sql.updateTable('application').set({ name: 'Low' }).where('id', '=', low.id).execute();
    const id = await test.createUser('gil', { roleNames: ['Reader'] });
    for (const client of [high, low]) await signInTo(test, client, 'gil');
    for (const act of [() => rename('store'), () => updateUser({ id, roleNames: [] })]) {
      await locks.hold(lockOf('application', low.id));
      const acted = act();
      await locks.untilWaiting(1);
      await locks.hold(lockOf('application', high.id));
      await locks.release();
      const { status, text } = await acted;
      assert.equal(status, 200, text);
    }
  });

  it('the end of all sessions waits for the end of an application', async () => {
    const client = await createClient(test);
    const { high } = await openTwo(client, 'eve');
    await meet<unknown>(
      lockOf('session', high),
      // Not by a person, whose session would be locked before.
      () => test.service.applications.update(client.id, { isEnabled: false }, operator('test')),
      () => endAllSessions(test.service, 'test'),
    );
    [admin, other] = [await test.admin(), await test.signIn('other')];
  });

  it('a replayed refresh token waits for the account before it locks a session, like the end of all sessions', async () => {
    const client = await createClient(test);
    await test.createUser('fay', { emailAddress: 'fay@example.org', isEmailConfirmed: true });
    const scope = 'openid offline_access';
    const { refresh_token } = await signInTo(test, client, 'fay', { request: { scope } });
    await refresh(test, client, refresh_token);
    test.clock.advance(GRACE_SECONDS);
    await locks.hold('lock table account in exclusive mode');
    const replayed = refresh(test, client, refresh_token);
    await locks.untilWaiting(1);
    await locks.hold('lock table session in exclusive mode');
    await locks.release();
    assert.equal((await replayed).body.error, 'invalid_grant');
  });

  it('a sign-off waits for other roles, which end grants of its session', async () => {
    const client = await createClient(test, { allowedRoles: ['Reader'] });
    const id = await test.createUser('cat', { roleNames: ['Reader'] });
    const { browser, token } = await signInTo(test, client, 'cat');
    const asked = await begin(browser, toRequest(client, createVerifier(), { prompt: 'consent' }));
    assert.equal((await proceed(browser, asked, token, { consent: true })).status, 200);
    const [, high] = await rowsOf('application_grant', client);
    const answers = await meet<{ status: number }>(
      lockOf('application_grant', high.id),
      () => updateUser({ id, roleNames: [], isActive: false }),
      () => test.post('/api/TokenAuth/SignOff', { token }),
    );
    assert.deepEqual(statusesOf(answers), [200, 200]);
  });
});
