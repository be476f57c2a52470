// What applications and other services learn of the tokens of applications, how applications end them, and which addresses they open.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addSeconds } from '../../src/foundation/clock.ts';
import { createOpenIdStore } from '../../src/openid/store.sql.ts';
import type { Revocation } from '../../src/tokens/index.ts';
import { engines } from '../support/databases.ts';
import { enrollApp, useFactors } from '../support/factors.ts';
import { claimsOf } from '../support/forge.ts';
import { basic, identityHeaderNames, introspect, postForm } from '../support/introspection.ts';
import {
  begin,
  type Client,
  callAs,
  createClient,
  createVerifier,
  openBrowser,
  proceed,
  readAnswer,
  redeem,
  refresh,
  signInTo,
  toRequest,
} from '../support/oauth.ts';
import { ISSUER, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const API = '/api/services/app';
const INTROSPECT = '/oauth/introspect';
const REVOKE = '/oauth/revoke';
const INACTIVE = { active: false };

for (const engine of engines) {
  describe(`tokens of applications on ${engine}`, () => {
    let test: TestService;
    let key: string;
    let client: Client;
    let other: Client;
    let spa: Client;
    let id: number;
    before(async () => {
      test = await startTestService(engine);
      key = await test.createServiceKey('shop', ['introspect']);
      client = await createClient(test, { resources: ['books'] });
      other = await createClient(test, { name: 'Other' });
      spa = await createClient(test, { name: 'Page', kind: 'browser' });
      id = await test.createUser('ann', { emailAddress: 'ann@example.com', roleNames: ['editor'] });
    });
    after(() => test.close());

    const ask = async (as: Client, token: string) => (await callAs(test, as, INTROSPECT, { token })).body;
    const passes = async (token: string, query = '?audience=books', path = '/api/forward-auth') => {
      const headers = { authorization: `Bearer ${token}` };
      return test.app.inject({ url: `${path}${query}`, headers });
    };
    /** Adds copies of a grant that are two seconds younger. */
    async function addCopies(grant: unknown, count: number) {
      const { sql } = test.service.database;
      const grants = sql.selectFrom('application_grant').selectAll().where('id', '=', String(grant));
      const row = await grants.executeTakeFirstOrThrow();
      const created_at = (row.created_at + 2000) as typeof row.created_at;
      const copies = Array.from({ length: count }, (_, place) => ({
        ...row,
        id: `${row.id.slice(0, 8)}-${place}`,
        code_mac: null,
        created_at,
      }));
      await sql.insertInto('application_grant').values(copies).execute();
    }
    const countEnded = async () => {
      const query = test.service.database.sql.selectFrom('audit').select('id').where('action', '=', 'grant.ended');
      return (await query.execute()).length;
    };

    it('tells an application of its own tokens, and of no others', async () => {
      const { access_token, refresh_token, token } = await signInTo(test, client, 'ann');
      const { sub, sid, jti, iat, nbf, exp, auth_time, amr, acr, scope } = claimsOf(access_token);
      const person = { username: 'ann', roles: ['editor'] };
      assert.deepEqual(await ask(client, access_token), {
        active: true,
        token_type: 'Bearer',
        iss: ISSUER,
        aud: client.clientId,
        client_id: client.clientId,
        ...{ sub, sid, jti, iat, nbf, exp, auth_time, amr, acr, scope },
        ...person,
      });
      const { exp: end, iat: begin, ...refreshable } = await ask(client, refresh_token);
      const about = { active: true, sub, sid, iss: ISSUER, client_id: client.clientId, scope, ...person };
      assert.deepEqual(refreshable, about);
      assert.ok(begin === iat && end > Number(exp));
      for (const one of [access_token, refresh_token]) assert.deepEqual(await ask(other, one), INACTIVE);
      for (const one of [token, 'x', `${refresh_token}x`]) assert.deepEqual(await ask(client, one), INACTIVE);
    });

    it('tells no more than the scopes, and nothing to who has not proven who it is', async () => {
      const { access_token } = await signInTo(test, client, 'ann', { request: { scope: 'openid' } });
      const { username, roles } = await ask(client, access_token);
      assert.deepEqual([username, roles], [undefined, undefined]);
      const wrong = [
        { ...client, secret: 'wrong' },
        { ...client, clientId: 'unknown' },
      ];
      for (const one of wrong) {
        const { status, body, headers } = await callAs(test, one, INTROSPECT, { token: access_token });
        assert.deepEqual([status, body.error], [401, 'invalid_client']);
        assert.match(String(headers['www-authenticate']), /^Basic/);
      }
      // A public application proves nothing.
      const { access_token: own } = await signInTo(test, spa, 'ann');
      const without = { authorization: basic(spa.clientId, '') };
      for (const headers of [{}, without]) {
        const answer = await callAs(test, spa, INTROSPECT, { token: own }, { headers });
        assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client']);
        assert.match(String(answer.headers['www-authenticate']), /^Basic/);
      }
      assert.equal((await callAs(test, client, INTROSPECT, {})).status, 400);
      const inForm = { client_id: client.clientId, client_secret: client.secret ?? '', token: access_token };
      const posted = await postForm(test, INTROSPECT, inForm);
      assert.equal(JSON.parse(posted.text).active, true);
    });

    it('tells a service key of access tokens of applications, and not of refresh tokens', async () => {
      const { access_token, refresh_token, token } = await signInTo(test, client, 'ann');
      const { active, client_id, sub, username } = await introspect(test, access_token, key);
      assert.deepEqual(
        { active, client_id, sub, username },
        { active: true, client_id: client.clientId, sub: String(id), username: 'ann' },
      );
      assert.deepEqual(await introspect(test, refresh_token, key), INACTIVE);
      const asService = await postForm(test, INTROSPECT, { token: access_token }, basic('service', key));
      assert.equal(JSON.parse(asService.text).active, true);
      assert.equal((await introspect(test, token, key)).client_id, 'default-app');
      await test.post('/api/TokenAuth/SignOff', { token });
      assert.deepEqual(await introspect(test, access_token, key), INACTIVE);
    });

    it('says what a refresh token can do now', async () => {
      const first = await signInTo(test, client, 'ann');
      const { body } = await refresh(test, client, first.refresh_token);
      assert.equal((await ask(client, first.refresh_token)).active, true);
      test.clock.advance(30);
      assert.deepEqual(await ask(client, first.refresh_token), INACTIVE);
      assert.equal((await ask(client, body.refresh_token)).active, true);
    });

    it('calls no refresh token active while its application may not refresh', async () => {
      const changed = await createClient(test, { name: 'Changed' });
      const { access_token, refresh_token } = await signInTo(test, changed, 'ann');
      const allow = async (...grants: string[]) => {
        const call = { token: await test.admin(), body: { id: changed.id, grants } };
        assert.equal((await test.send('PUT', `${API}/Application/Update`, call)).status, 200);
      };
      await allow('authorization_code');
      assert.equal((await refresh(test, changed, refresh_token)).body.error, 'unauthorized_client');
      assert.deepEqual(await ask(changed, refresh_token), INACTIVE);
      assert.equal((await ask(changed, access_token)).active, true);
      await allow('authorization_code', 'refresh_token');
      assert.equal((await ask(changed, refresh_token)).active, true);
    });

    it('ends the grant of an access token or a refresh token for its application alone', async () => {
      for (const member of ['access_token', 'refresh_token'] as const) {
        // What ends within a minute shares an entry.
        test.clock.advance(60);
        const given = await signInTo(test, client, 'ann');
        const before = await countEnded();
        assert.equal((await callAs(test, other, REVOKE, { token: given[member] })).status, 200);
        assert.equal((await callAs(test, { ...client, secret: 'x' }, REVOKE, { token: given[member] })).status, 401);
        assert.equal((await postForm(test, REVOKE, { token: given[member] })).status, 401);
        assert.equal((await ask(client, given.access_token)).active, true);
        const hint = { token: given[member], token_type_hint: member };
        assert.equal((await callAs(test, client, REVOKE, hint)).status, 200);
        assert.deepEqual(await ask(client, given.access_token), INACTIVE);
        assert.equal((await refresh(test, client, given.refresh_token)).status, 400);
        assert.equal((await callAs(test, client, REVOKE, hint)).status, 200);
        const refused = await callAs(test, { ...client, secret: 'x' }, REVOKE, hint);
        assert.equal(refused.status, 401, 'a wrong secret is one with a token that has ended, too');
        assert.match(String(refused.headers['www-authenticate']), /^Basic /);
        assert.equal(await countEnded(), before + 1);
        // The person stays signed in.
        assert.equal((await test.get(`${API}/Session/GetAll`, { token: given.token })).status, 200);
      }
    });

    it('lets a public application revoke by its client id, and several at the same time end a grant once', async () => {
      const { refresh_token } = await signInTo(test, spa, 'ann');
      const before = await countEnded();
      const tries = Array.from({ length: 10 }, () => callAs(test, spa, REVOKE, { token: refresh_token }));
      for (const { status } of await Promise.all(tries)) assert.equal(status, 200);
      assert.equal(await countEnded(), before + 1);
      assert.equal((await refresh(test, spa, refresh_token)).status, 400);
      assert.equal((await callAs(test, spa, REVOKE, { token: 'unknown' })).status, 200);
    });

    it('keeps the revocation of a token of the service by who has it', async () => {
      const token = await test.signIn('ann');
      const form = { token, client_id: 'whoever' };
      assert.equal((await postForm(test, REVOKE, form, basic('anybody', 'x'))).status, 200);
      assert.equal((await test.get(`${API}/Session/GetAll`, { token })).status, 401);
    });

    it('refuses a client id that would be taken for a service key', async () => {
      await assert.rejects(createClient(test, { clientId: 'service' }), { reason: 'request.invalid' });
    });

    it('passes forward-auth for the audience that the address demands, and nowhere else', async () => {
      const { access_token, token } = await signInTo(test, client, 'ann', { request: { resource: 'books' } });
      const passed = await passes(access_token);
      assert.equal(passed.statusCode, 204);
      assert.deepEqual(
        identityHeaderNames.map((name) => passed.headers[name]),
        ['ann', String(id), '', 'ann@example.com', 'editor', 'aal1'].map((text, place) =>
          place === 2 ? passed.headers['remote-name'] : text,
        ),
      );
      for (const query of ['', '?audience=', '?audience=other', '?audience=books&audience=other', '?roles=editor']) {
        assert.equal((await passes(access_token, query)).statusCode, 401, query);
      }
      // Some proxies add the query of the original request, in any spelling.
      for (const original of ['/orders?audience=books', '/?x=1&%61udience=b%6foks']) {
        const headers = { authorization: `Bearer ${access_token}`, 'x-forwarded-uri': original };
        const answer = await test.app.inject({ url: '/api/forward-auth?audience=books', headers });
        assert.equal(answer.statusCode, 401, original);
      }
      const headers = { authorization: `Bearer ${access_token}`, 'x-forwarded-uri': '/orders?acr=strange' };
      assert.equal((await test.app.inject({ url: '/api/forward-auth?audience=books', headers })).statusCode, 204);
      // Behind a path, the query is the client's own.
      assert.equal((await passes(access_token, '?audience=books', '/api/forward-auth/page')).statusCode, 401);
      assert.equal((await passes(access_token, '?audience=books&roles=admin')).statusCode, 403);
      assert.equal((await passes(access_token, '?audience=books&acr=aal2')).statusCode, 401);
      assert.equal((await passes(token)).statusCode, 204);
      const getAll = await passes(access_token, '?audience=books', `${API}/Session/GetAll`);
      assert.equal(getAll.statusCode, 401);
      await test.post('/api/TokenAuth/SignOff', { token });
      assert.equal((await passes(access_token)).statusCode, 401);
    });

    it('tells forward-auth no more than the scopes allow', async () => {
      // Of repeated refusals within a minute, the trail has two.
      test.clock.advance(60);
      const denied = new Promise<string | null | undefined>((resolve) => {
        test.service.events.subscribe(({ action, user }) => action.name === 'call.denied' && resolve(user?.name));
      });
      const headersFor = async (scope: string) => {
        const { access_token } = await signInTo(test, client, 'ann', { request: { scope, resource: 'books' } });
        const { statusCode, headers } = await passes(access_token);
        assert.equal(statusCode, 204, scope);
        const refused = await passes(access_token, '?audience=books&roles=editor');
        const [user, userId, name, ...more] = identityHeaderNames.map((one) => headers[one]);
        assert.equal(userId, String(id));
        return [user, name !== '', ...more, refused.statusCode];
      };
      assert.deepEqual(await headersFor('openid'), ['', false, '', '', 'aal1', 403]);
      assert.deepEqual(await headersFor('openid profile'), ['ann', true, '', '', 'aal1', 403]);
      assert.deepEqual(await headersFor('openid email'), ['', false, 'ann@example.com', '', 'aal1', 403]);
      assert.deepEqual(await headersFor('openid roles'), ['', false, '', 'editor', 'aal1', 204]);
      assert.equal(await denied, 'ann', 'the trail names the person all the same');
    });

    it('names the application of a session that stays signed in for it', async () => {
      await test.createUser('eve');
      const { token } = await signInTo(test, client, 'eve', { request: { scope: 'openid offline_access' } });
      const { items } = (await test.get(`${API}/Session/GetAll`, { token })).result;
      assert.deepEqual(items.map(({ current, application }) => [current, application]).toSorted(), [
        [false, { name: 'Grafana' }],
        [true, null],
      ]);
    });

    it('has every entry of the trail name its application', async () => {
      const userId = await test.createUser('ida');
      const request = { scope: 'openid offline_access' };
      const { token, browser } = await signInTo(test, client, 'ida', { request });
      const { items } = (await test.get(`${API}/Session/GetAll`, { token })).result;
      const offline = items.find(({ application }) => application !== null);
      await test.post(`${API}/Session/End`, { token, body: { id: offline?.id } });
      test.clock.advance(1);
      const second = await signInTo(test, client, 'ida', { browser, request: { prompt: 'login' } });
      await redeem(test, client, second.code, second.verifier);
      test.clock.advance(1);
      const third = await signInTo(test, client, 'ida', { browser, request: { prompt: 'login' } });
      await callAs(test, client, REVOKE, { token: third.refresh_token });
      const asked = await browser.send('GET', '/oauth/end-session', { query: { client_id: client.clientId } });
      const question = new URL(String(asked.headers.location)).searchParams.get('question');
      await browser.send('POST', `${API}/Authorization/EndSession`, { body: { question } });
      const fourth = await signInTo(test, client, 'ida', { browser });
      await browser.send('GET', '/oauth/end-session', { query: { id_token_hint: fourth.id_token } });
      const trail = await test.get(`${API}/Audit/GetAll`, {
        token: await test.admin(),
        query: { userId, maxResultCount: 100 },
      });
      const about = trail.result.items.filter(({ action }) => /^(grant|session\.(ended|signedOff))/.test(action));
      const named = about.map(({ action, details }) => [action, (details as { application?: string }).application]);
      assert.deepEqual(new Set(named.map(([, application]) => application)), new Set(['Grafana']));
      assert.deepEqual(
        new Set(named.map(([action]) => action)),
        new Set([
          'grant.given',
          'grant.redeemed',
          'grant.replayed',
          'grant.ended',
          'session.ended',
          'session.signedOff',
        ]),
      );
    });

    it('opens nothing while the person must change the password, and goes on afterwards', async () => {
      const userId = await test.createUser('lea');
      const { access_token, refresh_token, token } = await signInTo(test, client, 'lea', {
        request: { resource: 'books' },
      });
      const askAll = async () => {
        const asked = [
          await ask(client, access_token),
          await ask(client, refresh_token),
          await introspect(test, access_token, key),
        ];
        const info = await test.app.inject({
          url: '/oauth/userinfo',
          headers: { authorization: `Bearer ${access_token}` },
        });
        return [...asked.map(({ active }) => active), info.statusCode, (await passes(access_token)).statusCode];
      };
      assert.deepEqual(await askAll(), [true, true, true, 200, 204]);
      const change = { id: userId, requireChangePassword: true };
      await test.send('PUT', `${API}/User/Update`, { token: await test.admin(), body: change });
      assert.deepEqual(await askAll(), [false, false, false, 401, 401]);
      assert.equal((await refresh(test, client, refresh_token)).body.error, 'invalid_grant');
      const passwords = { currentPassword: USER_PASSWORD, newPassword: 'gravel lantern staple' };
      assert.equal((await test.post(`${API}/User/ChangePassword`, { token, body: passwords })).status, 200);
      assert.deepEqual(await askAll(), [true, true, true, 200, 204]);
      assert.equal((await refresh(test, client, refresh_token)).status, 200);
    });

    it('is refused by verifiers as well from such a restriction until its next refresh', async () => {
      const userId = await test.createUser('rhea');
      const signedIn = await signInTo(test, client, 'rhea', { request: { resource: 'books' } });
      const { sid, gen } = claimsOf(signedIn.access_token);
      const unused = await signInTo(test, client, 'ann');
      const revoked: Revocation[] = [];
      test.service.revocations.subscribe(async (_tx, some) => void revoked.push(...some));
      const change = { id: userId, requireChangePassword: true };
      await test.send('PUT', `${API}/User/Update`, { token: await test.admin(), body: change });
      const ofGrants = revoked.flatMap((one) =>
        one.kind === 'superseded' && [sid, claimsOf(unused.access_token).sid].includes(one.sessionId) ? [one] : [],
      );
      const expiresAt = Number(claimsOf(signedIn.access_token).exp) * 1000;
      assert.deepEqual(
        ofGrants.map((one) => [one.sessionId, one.generation, one.expiresAt >= expiresAt]),
        [[sid, Number(gen) + 1, true]],
      );
      const passwords = { currentPassword: USER_PASSWORD, newPassword: 'gravel lantern staple' };
      await test.post(`${API}/User/ChangePassword`, { token: signedIn.token, body: passwords });
      const { status, body } = await refresh(test, client, signedIn.refresh_token);
      assert.equal(status, 200);
      assert.ok(Number(claimsOf(body.access_token).gen) >= Number(gen) + 1);
    });

    it('is ended by its application while the person must change the password', async () => {
      const userId = await test.createUser('mia');
      const { access_token } = await signInTo(test, client, 'mia');
      const change = { id: userId, requireChangePassword: true };
      await test.send('PUT', `${API}/User/Update`, { token: await test.admin(), body: change });
      const before = await countEnded();
      assert.equal((await callAs(test, client, REVOKE, { token: access_token })).status, 200);
      assert.equal(await countEnded(), before + 1);
    });

    it('waits for a second factor that the front end of the application has begun to require', async () => {
      await test.post(`${API}/FrontEndApp/Create`, {
        token: await test.admin(),
        body: { appKey: 'clinic', name: 'Clinic', description: '' },
      });
      const clinic = await createClient(test, { name: 'Clinic', frontEnd: 'clinic' });
      const person = { id: await test.createUser('nora'), userName: 'nora' };
      const scope = 'openid offline_access';
      const { refresh_token, browser, token } = await signInTo(test, clinic, 'nora', { request: { scope } });
      const { allow } = useFactors({ here: test, there: test, close: async () => {} });
      await allow({}, 'required', 'clinic');
      for (let tries = 0; tries < 2; tries += 1) {
        assert.equal((await refresh(test, clinic, refresh_token)).body.error, 'invalid_grant');
      }
      // Nor does a session of a front end that requires none let the person through.
      const silent = toRequest(clinic, createVerifier(), { prompt: 'none' });
      const answer = await browser.send('GET', '/oauth/authorize', { query: silent });
      assert.equal(readAnswer(answer.headers.location).error, 'interaction_required');
      const id = await begin(browser, toRequest(clinic, createVerifier()));
      const refused = await proceed(browser, id, token);
      // A new sign-in would change nothing: the page asks for the second factor.
      assert.deepEqual([refused.status, refused.error.reason], [403, 'authorization.levelRequired']);
      await enrollApp(test, person);
      assert.equal((await proceed(browser, id, token)).status, 200);
      assert.equal((await refresh(test, clinic, refresh_token)).status, 200);
    });

    it('keeps 50 grants of one session that wait for their application, and all that have tokens', async () => {
      await test.createUser('zoe');
      const first = await signInTo(test, client, 'zoe');
      const other = await signInTo(test, client, 'zoe');
      const { browser, token } = first;
      const sessionId = String(claimsOf(token).sid);
      test.clock.advance(1);
      const ask = () => browser.send('GET', '/oauth/authorize', { query: toRequest(client, createVerifier()) });
      const isOpen = async (given: { access_token: string }) =>
        (await introspect(test, given.access_token, key)).active;
      const countOpen = async () => {
        const all = test.service.database.sql
          .selectFrom('application_grant')
          .select('id')
          .where('ended_at', 'is', null);
        return (await all.where('session_id', '=', sessionId).execute()).length;
      };
      for (let round = 0; round < 7; round += 1) await Promise.all(Array.from({ length: 10 }, ask));
      assert.deepEqual([await countOpen(), await isOpen(first)], [51, true]);
      assert.equal(await isOpen(other), true);
      assert.equal((await test.get(`${API}/Session/GetAll`, { token })).status, 200);
    });

    it('keeps 50 grants with tokens of one session for one application, and ends the one that was used the longest ago', async () => {
      await test.createUser('zeno');
      const first = await signInTo(test, client, 'zeno');
      const redeemAt = async (application: Client) => {
        const verifier = createVerifier();
        const query = toRequest(application, verifier);
        const { location } = (await first.browser.send('GET', '/oauth/authorize', { query })).headers;
        assert.equal((await ask(client, first.refresh_token)).active, true);
        return (await redeem(test, application, readAnswer(location).code ?? '', verifier)).body;
      };
      await addCopies(claimsOf(first.access_token).sid, 49);
      assert.equal((await ask(client, first.refresh_token)).active, true);
      test.clock.advance(3);
      const atOther = await redeemAt(other);
      const last = await redeemAt(client);
      assert.equal((await ask(client, first.refresh_token)).active, false);
      assert.equal((await ask(client, last.refresh_token)).active, true);
      assert.equal((await ask(other, atOther.refresh_token)).active, true);
    });

    it('keeps 50 grants with offline access of one person for one application, and ends the one that was used the longest ago', async () => {
      await test.createUser('una');
      const request = { scope: 'openid offline_access' };
      const first = await signInTo(test, client, 'una', { request });
      const atOther = await signInTo(test, other, 'una', { request });
      await test.createUser('vera');
      const ofVera = await signInTo(test, client, 'vera', { request });
      const verifier = createVerifier();
      const again = async () => {
        test.clock.advance(1);
        const query = toRequest(client, verifier, request);
        const { code = '' } = readAnswer(
          (await first.browser.send('GET', '/oauth/authorize', { query })).headers.location,
        );
        const { status, body } = await redeem(test, client, code, verifier);
        assert.equal(status, 200);
        return body;
      };
      const second = await again();
      test.clock.advance(1);
      const { body: used } = await refresh(test, client, first.refresh_token);
      await addCopies(claimsOf(second.access_token).sid, 48);
      assert.equal((await ask(client, second.refresh_token)).active, true);
      await again();
      assert.equal((await ask(client, second.refresh_token)).active, false);
      assert.equal((await ask(client, used.refresh_token)).active, true);
      assert.equal((await ask(other, atOther.refresh_token)).active, true);
      assert.equal((await ask(client, ofVera.refresh_token)).active, true);
      const { items } = (await test.get(`${API}/Session/GetAll`, { token: first.token })).result;
      assert.equal(items.filter(({ application }) => application?.name === 'Grafana').length, 2);
    });

    it('gives what an administrator has taken from an application no longer, and loses nothing by it', async () => {
      const shrunk = await createClient(test, { resources: ['books'] });
      const input = { request: { resource: 'books' } };
      const { refresh_token } = await signInTo(test, shrunk, 'ann', input);
      const { refresh_token: plain } = await signInTo(test, shrunk, 'ann');
      const token = await test.admin();
      const change = async (changes: object) => {
        const body = { id: shrunk.id, ...changes };
        assert.equal((await test.send('PUT', `${API}/Application/Update`, { token, body })).status, 200);
      };
      await change({ scopes: ['openid', 'email'] });
      const { body: narrowed } = await refresh(test, shrunk, plain);
      const { email, email_verified, roles } = claimsOf(narrowed.access_token);
      assert.deepEqual(
        [narrowed.scope, email, email_verified, roles],
        ['openid email', 'ann@example.com', false, undefined],
      );
      await change({ resources: [] });
      assert.equal((await refresh(test, shrunk, refresh_token)).body.error, 'invalid_grant');
      await change({ resources: ['books'], scopes: ['phone'] });
      assert.equal((await refresh(test, shrunk, refresh_token)).body.error, 'invalid_grant');
      await change({ scopes: ['openid'] });
      assert.equal((await refresh(test, shrunk, refresh_token)).body.scope, 'openid');
    });

    it('keeps a revocation as long as a token that its grant would issue now', async () => {
      const { access_token } = await signInTo(test, client, 'ann');
      const { sid, exp } = claimsOf(access_token);
      test.clock.advance(300);
      assert.equal((await callAs(test, client, REVOKE, { token: access_token })).status, 200);
      const kept = test.service.database.sql.selectFrom('revocation').select('expires_at');
      const { expires_at } = await kept.where('session_id', '=', String(sid)).executeTakeFirstOrThrow();
      assert.deepEqual(
        [Number(exp) * 1000 <= expires_at, expires_at - test.clock.now()],
        [true, 600_000],
        'also if the clock is ahead by mistake',
      );
    });

    it('keeps the newest of the requests that wait, pushed or not', async () => {
      const store = createOpenIdStore(test.service.database);
      const now = test.clock.now();
      const common = { cookieMac: null, applicationId: client.id, parameters: '{}', deviceMac: null };
      const browser = { ...common, kind: 'authorization', id: 'of a browser', createdAt: now } as const;
      const pushed = { ...common, kind: 'pushed', id: 'pushed', createdAt: addSeconds(now, 1) } as const;
      await store.addRequest(test.service.database.sql, { ...browser, expiresAt: addSeconds(now, 600) });
      await store.addRequest(test.service.database.sql, { ...pushed, expiresAt: addSeconds(now, 60) });
      await store.deleteOld(now, 1, 500);
      const left = await test.service.database.sql.selectFrom('application_request').select('id').execute();
      assert.deepEqual(left, [{ id: 'pushed' }]);
    });

    it('tells a device that its code has expired, and gives it what was allowed in the last moment', async () => {
      const store = createOpenIdStore(test.service.database);
      const native = await createClient(test, { name: 'TV', kind: 'native', redirectUris: ['http://localhost/x'] });
      const start = () => callAs(test, native, '/oauth/device-authorization', { scope: 'openid' });
      const [{ body: late }, { body: allowed }] = [await start(), await start()];
      const poll = async ({ device_code }: { device_code: string }) => {
        const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code };
        return (await callAs(test, native, '/oauth/token', form)).body;
      };
      test.clock.advance(599);
      const browser = openBrowser(test);
      const query = { userCode: String(allowed.user_code) };
      const found = await browser.send('GET', `${API}/Device/Get`, { query });
      const { authorization } = found.result as { authorization: string };
      assert.equal((await proceed(browser, authorization, await test.signIn('ann'), { consent: true })).status, 200);
      test.clock.advance(2);
      await store.deleteOld(test.clock.now(), 500, 500);
      assert.equal((await poll(late)).error, 'expired_token');
      assert.ok((await poll(allowed)).access_token);
      test.clock.advance(600);
      await store.deleteOld(test.clock.now(), 500, 500);
      assert.equal((await poll(late)).error, 'invalid_grant');
    });

    it('passes no machine, and nobody whose account is deactivated', async () => {
      const machine = await createClient(test, { kind: 'machine', redirectUris: [], resources: ['books'] });
      const form = { grant_type: 'client_credentials', resource: 'books' };
      const { body } = await callAs(test, machine, '/oauth/token', form);
      assert.equal(claimsOf(body.access_token).aud, 'books');
      assert.equal((await passes(body.access_token)).statusCode, 401);
      assert.deepEqual((await introspect(test, body.access_token, key)).sub, machine.clientId);
      const leaving = await test.createUser('bob');
      const { access_token } = await signInTo(test, client, 'bob', { request: { resource: 'books' } });
      assert.equal((await passes(access_token)).statusCode, 204);
      await test.service.database.sql.updateTable('account').set({ is_active: 0 }).where('id', '=', leaving).execute();
      assert.equal((await passes(access_token)).statusCode, 401);
      assert.deepEqual(await introspect(test, access_token, key), INACTIVE);
    });
  });
}
