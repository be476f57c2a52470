// The token endpoint: what each grant type gives, with which error it refuses, and what a refusal leaves as it was.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it, type TestContext } from 'node:test';
import { serviceErrors } from '../../src/foundation/errors.ts';
import type { Database } from '../../src/storage/database.ts';
import { enginesAtLength } from '../support/databases.ts';
import { enrollApp, useFactors } from '../support/factors.ts';
import { claimsOf } from '../support/forge.ts';
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
import { startTestService, type TestService } from '../support/service.ts';

const API = '/api/services/app';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

for (const engine of enginesAtLength) {
  describe(`the token endpoint on ${engine}`, () => {
    let test: TestService;
    let client: Client;
    let other: Client;
    let native: Client;
    let factors: ReturnType<typeof useFactors>;
    before(async () => {
      test = await startTestService(engine);
      const resources = ['books', 'music'];
      client = await createClient(test, { resources });
      other = await createClient(test, { name: 'Other' });
      native = await createClient(test, { name: 'TV', kind: 'native', redirectUris: [], resources });
      factors = useFactors({ here: test, there: test, close: async () => {} });
      const person = { name: 'Ann', surname: 'Lee', emailAddress: 'ann@example.com', isEmailConfirmed: true };
      await test.createUser('ann', { ...person, roleNames: ['editor'] });
    });
    after(() => test.close());

    const ask = (as: Client, form: Record<string, string>) => callAs(test, as, '/oauth/token', form);
    const errorOf = async (answer: Promise<{ body: { error?: string } }>) => (await answer).body.error;
    /** Approves a request as this person. @returns the code. */
    async function approve(request: Record<string, string>, token?: string): Promise<string> {
      const browser = openBrowser(test);
      const answer = await proceed(browser, await begin(browser, request), token ?? (await test.signIn('ann')));
      return readAnswer((answer.result as { redirectTo: string }).redirectTo).code ?? assert.fail(answer.text);
    }
    /** Begins as a device does. */
    const start = async (form: Record<string, string> = {}) =>
      (await callAs(test, native, '/oauth/device-authorization', { scope: 'openid', ...form })).body;
    const poll = (device: { device_code: string }, as = native, more: Record<string, string> = {}) =>
      ask(as, { grant_type: DEVICE_CODE, device_code: device.device_code, ...more });
    /** Lets ann answer a device. */
    async function reply(device: { user_code: string }, consent: boolean) {
      const browser = openBrowser(test);
      const query = { userCode: device.user_code };
      const found = await browser.send('GET', `${API}/Device/Get`, { query });
      const { authorization } = found.result as { authorization: string };
      const answer = await proceed(browser, authorization, await test.signIn('ann'), { consent });
      assert.equal(answer.status, 200, answer.text);
    }
    const updateAccount = (id: number, values: { is_active?: 0 | 1; must_change_password?: 0 | 1 }) =>
      test.service.database.sql.updateTable('account').set(values).where('id', '=', id).execute();

    it('puts into each token what its scopes allow, and no empty member', async () => {
      const { access_token, id_token } = await signInTo(test, client, 'ann');
      const { preferred_username, name, email, email_verified, roles } = claimsOf(access_token);
      assert.deepEqual(
        { preferred_username, name, email, email_verified, roles },
        {
          preferred_username: 'ann',
          name: 'Ann Lee',
          email: 'ann@example.com',
          email_verified: true,
          roles: ['editor'],
        },
      );
      const half = createHash('sha256').update(access_token).digest().subarray(0, 16);
      assert.equal(claimsOf(id_token).at_hash, half.toString('base64url'));
      const has = (token: string, names: readonly string[]) => names.filter((one) => one in claimsOf(token));
      const ofEmail = ['email', 'email_verified'];
      const bare = await signInTo(test, client, 'ann', { request: { scope: 'openid' } });
      assert.deepEqual(has(bare.access_token, ['preferred_username', 'name', 'roles', ...ofEmail]), []);
      await test.createUser('eve');
      assert.deepEqual(has((await signInTo(test, client, 'eve')).access_token, ofEmail), []);
      const small = await createClient(test, { claimsInIdToken: false });
      assert.deepEqual(has((await signInTo(test, small, 'ann')).id_token, ['name', ...ofEmail]), []);
    });

    it('gives an ID token for openid alone, with the nonce in the first one, if there is one', async () => {
      const first = await signInTo(test, client, 'ann');
      const { body: next } = await refresh(test, client, first.refresh_token);
      const without = await signInTo(test, client, 'ann', { request: { nonce: '' } });
      assert.deepEqual(
        [first, next, without]
          .map(({ id_token }) => claimsOf(id_token))
          .map((claims) => ['nonce' in claims, claims.nonce]),
        [
          [true, 'a nonce'],
          [false, undefined],
          [false, undefined],
        ],
      );
      const plain = await signInTo(test, client, 'ann', { request: { scope: 'email' } });
      assert.equal('id_token' in plain, false);
    });

    it('says with what the person has authenticated', async () => {
      await factors.allow();
      const nextCode = await enrollApp(test, { id: await test.createUser('max'), userName: 'max' });
      const { result } = await factors.verify(await factors.challenge('max'), nextCode());
      const verifier = createVerifier();
      const code = await approve(toRequest(client, verifier), result.accessToken);
      const { acr, amr } = claimsOf((await redeem(test, client, code, verifier)).body.id_token);
      assert.deepEqual([acr, amr], ['aal2', ['pwd', 'otp', 'mfa']]);
      assert.equal(claimsOf((await signInTo(test, client, 'ann')).id_token).acr, 'aal1');
    });

    it('ends a grant whose person may not have it any more', async () => {
      const closed = await createClient(test, { name: 'Closed', allowedRoles: ['editor'] });
      const id = await test.createUser('bob', { roleNames: ['editor'] });
      const first = await signInTo(test, closed, 'bob');
      const second = await signInTo(test, client, 'bob');
      const give = async (roleNames: string[]) => {
        const answer = await test.send('PUT', `${API}/User/Update`, {
          token: await test.admin(),
          body: { id, roleNames },
        });
        assert.equal(answer.status, 200, answer.text);
      };
      await give([]);
      assert.equal(await errorOf(refresh(test, closed, first.refresh_token)), 'invalid_grant');
      await give(['editor']);
      assert.equal(await errorOf(refresh(test, closed, first.refresh_token)), 'invalid_grant');
      await updateAccount(id, { is_active: 0 });
      assert.equal(await errorOf(refresh(test, client, second.refresh_token)), 'invalid_grant');
      await updateAccount(id, { is_active: 1 });
      assert.equal(await errorOf(refresh(test, client, second.refresh_token)), 'invalid_grant');
    });

    it('undoes an exchange while the person must change the password, though the session does not say so yet', async () => {
      const id = await test.createUser('cleo');
      const { refresh_token } = await signInTo(test, client, 'cleo');
      await updateAccount(id, { must_change_password: 1 });
      assert.equal(await errorOf(refresh(test, client, refresh_token)), 'invalid_grant');
      await updateAccount(id, { must_change_password: 0 });
      assert.equal((await refresh(test, client, refresh_token)).status, 200);
    });

    it('lifts the restriction of a session only if its own front end demands no second factor any more', async () => {
      const body = { appKey: 'ward', name: 'Ward', description: '' };
      await test.post(`${API}/FrontEndApp/Create`, { token: await test.admin(), body });
      await factors.allow({}, 'required', 'ward');
      await test.createUser('dan');
      const { refresh_token, token } = await signInTo(test, client, 'dan');
      await test.service.database.sql
        .updateTable('session')
        .set({ front_end: 'ward', must_enroll: 1 })
        .where('id', '=', String(claimsOf(token).sid))
        .execute();
      assert.equal(await errorOf(refresh(test, client, refresh_token)), 'invalid_grant');
      await factors.allow({}, 'optional', 'ward');
      assert.equal((await refresh(test, client, refresh_token)).status, 200);
    });

    it('takes a code without PKCE where the request had none, and only verifiers of the standard', async () => {
      const { code_challenge: _, code_challenge_method: __, ...request } = toRequest(client, createVerifier());
      const form = { grant_type: 'authorization_code', code: await approve(request), redirect_uri: REDIRECT_URI };
      assert.equal((await ask(client, form)).status, 200);
      for (const [verifier, status] of [
        ['x'.repeat(42), 400],
        ['x'.repeat(43), 200],
        ['~'.repeat(128), 200],
        ['x'.repeat(129), 400],
        [`${'x'.repeat(43)}!`, 400],
      ] as const) {
        const code = await approve(toRequest(client, verifier));
        assert.equal((await redeem(test, client, code, verifier)).status, status, verifier);
      }
    });

    it('says what does not fit a code, which stays usable', async () => {
      const verifier = createVerifier();
      const code = await approve(toRequest(client, verifier));
      const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
      const { code_verifier: _, ...without } = form;
      const refusalOf = async (more: Record<string, string>, as = client) => {
        const { status, body } = await ask(as, more);
        assert.deepEqual([status, body.error], [400, 'invalid_grant']);
        return body.error_description;
      };
      assert.match(await refusalOf({ ...form, redirect_uri: `${REDIRECT_URI}/` }), /^The redirect_uri is not the one/);
      assert.match(await refusalOf({ ...form, code_verifier: createVerifier() }), /^The code_verifier is missing, or/);
      assert.match(await refusalOf(without), /^The code_verifier is missing, or/);
      const unknown = 'The code is wrong, has expired, or was used.';
      assert.equal(await refusalOf({ ...form, redirect_uri: 'https://other.example/' }, other), unknown);
      assert.equal(await refusalOf({ ...form, code: 'x' }), unknown);
      assert.equal((await ask(client, form)).status, 200);
      const { code_challenge: __, code_challenge_method: ___, ...plain } = toRequest(client, verifier);
      const unproven = { ...form, code: await approve(plain) };
      assert.match(await refusalOf(unproven), /^The authorization request had no code_challenge\./);
      // What a used code gave ends, whatever comes with it.
      assert.equal(await refusalOf({ ...form, redirect_uri: `${REDIRECT_URI}/` }), unknown);
    });

    it('gives tokens for no other resource than the approved one, whatever is exchanged', async () => {
      const verifier = createVerifier();
      const code = await approve(toRequest(client, verifier, { resource: 'books' }));
      const form = { code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
      const rival = await createClient(test, { name: 'Rival', resources: ['books'] });
      assert.equal(await errorOf(ask(rival, { grant_type: 'authorization_code', ...form })), 'invalid_grant');
      const redeemFor = (resource: string) => ask(client, { grant_type: 'authorization_code', ...form, resource });
      assert.equal(await errorOf(redeemFor('music')), 'invalid_target');
      const { body } = await redeemFor('books');
      assert.equal(claimsOf(body.access_token).aud, 'books');
      const refreshFor = (resource: string) => refresh(test, client, body.refresh_token, { resource });
      assert.equal(await errorOf(refreshFor('music')), 'invalid_target');
      assert.equal((await refreshFor('books')).status, 200);
      const device = await start({ resource: 'books' });
      await reply(device, true);
      assert.equal(await errorOf(poll(device, native, { resource: 'music' })), 'invalid_target');
      assert.equal((await poll(device, native, { resource: 'books' })).status, 200);
    });

    it('ends what was given when its code or token comes again with a resource or scope that it does not have', async () => {
      const given = () => signInTo(test, client, 'ann', { request: { resource: 'books' } });
      const open = async ({ access_token }: { access_token: string }) => {
        const headers = { authorization: `Bearer ${access_token}` };
        return (await test.app.inject({ url: '/oauth/userinfo', headers })).statusCode === 200;
      };
      const byCode = await given();
      const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code: byCode.code };
      assert.equal(await errorOf(ask(client, { ...form, resource: 'music' })), 'invalid_grant');
      assert.equal(await open(byCode), false);
      for (const more of [{ resource: 'music' }, { scope: 'phone' }]) {
        const first = await given();
        const { body } = await refresh(test, client, first.refresh_token);
        test.clock.advance(60);
        const fails = 'resource' in more ? 'invalid_target' : 'invalid_scope';
        assert.equal(await errorOf(refresh(test, client, body.refresh_token, more)), fails);
        assert.equal(await open(body), true, 'the present token was not used');
        assert.equal(await errorOf(refresh(test, client, first.refresh_token, more)), 'invalid_grant');
        assert.equal(await open(body), false);
      }
      const device = await start({ resource: 'books' });
      await reply(device, true);
      const { body } = await poll(device);
      assert.equal(await errorOf(poll(device, native, { resource: 'music' })), 'invalid_grant');
      assert.equal(await open(body), false);
    });

    it('narrows one refresh, and says of scopes only what the application may know', async () => {
      const { refresh_token } = await signInTo(test, client, 'ann', { request: { scope: 'openid email' } });
      const narrowed = await refresh(test, client, refresh_token, { scope: 'email phone' });
      assert.equal(narrowed.body.scope, 'email');
      const { body: whole } = await refresh(test, client, narrowed.body.refresh_token);
      assert.equal(whole.scope, 'openid email');
      const refused = (scope: string, token: string) => errorOf(refresh(test, client, token, { scope }));
      assert.equal(await refused('roles', whole.refresh_token), 'invalid_scope');
      assert.equal(await refused('email', 'made up'), 'invalid_grant');
      const { refresh_token: ofOther } = await signInTo(test, other, 'ann', { request: { scope: 'openid' } });
      assert.equal(await refused('email', ofOther), 'invalid_grant');
      assert.equal((await refresh(test, other, ofOther)).status, 200);
    });

    it('slows a device down that asks too often, each time by five seconds', async () => {
      const device = await start();
      const after = async (seconds: number) => {
        test.clock.advance(seconds);
        return errorOf(poll(device));
      };
      assert.deepEqual(
        [await after(0), await after(5), await after(4), await after(9), await after(15), await after(15)],
        [
          'authorization_pending',
          'authorization_pending',
          'slow_down',
          'slow_down',
          'authorization_pending',
          'authorization_pending',
        ],
      );
      const tooOften = await poll(device);
      assert.equal(tooOften.body.error_description, 'Ask 5 seconds less often.');
    });

    it('answers a device code to its application alone, and says how it ended', async () => {
      const device = await start();
      assert.equal(await errorOf(poll({ device_code: 'made up' })), 'invalid_grant');
      const foreign = await createClient(test, { name: 'Radio', kind: 'native', redirectUris: [] });
      assert.equal(await errorOf(poll(device, foreign)), 'invalid_grant');
      assert.equal(await errorOf(poll(device)), 'authorization_pending', 'another application has not asked for it');
      await reply(device, false);
      assert.equal(await errorOf(poll(device)), 'access_denied');
      const late = await start();
      test.clock.advance(600);
      assert.equal(await errorOf(poll(late)), 'expired_token');
    });

    it('ends what a device code has given when it comes again, and gives nothing if the grant is kept no more', async () => {
      const device = await start();
      await reply(device, true);
      const { body } = await poll(device);
      const headers = { authorization: `Bearer ${body.access_token}` };
      const open = async () => (await test.app.inject({ url: '/oauth/userinfo', headers })).statusCode;
      assert.equal(await open(), 200);
      assert.equal(await errorOf(poll(device)), 'invalid_grant');
      assert.equal(await open(), 401);
      const forgotten = await start();
      await reply(forgotten, true);
      await test.service.database.sql.deleteFrom('application_grant').where('redeemed_at', 'is', null).execute();
      assert.equal(await errorOf(poll(forgotten)), 'invalid_grant');
    });

    it('gives a machine the scopes that are its own', async () => {
      const create = (scopes: string[]) =>
        createClient(test, { name: 'Robot', kind: 'machine', redirectUris: [], scopes });
      const robot = await create(['openid', 'read', 'write', 'email']);
      const askFor = (machine: Client, scope?: string) =>
        ask(machine, { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
      assert.equal((await askFor(robot)).body.scope, 'read write');
      assert.equal((await askFor(robot, 'write delete')).body.scope, 'write');
      const { body } = await askFor(robot, 'openid');
      assert.deepEqual(
        [body.error, body.error_description],
        ['invalid_scope', 'The application may ask for itself: read write.'],
      );
      const mute = await create([]);
      const { status, body: without } = await askFor(mute);
      assert.deepEqual([status, without.scope], [200, '']);
      assert.match((await askFor(mute, 'read')).body.error_description, /for itself: no scope\.$/);
    });

    it('takes four grant types, and from each application those that it may use', async () => {
      for (const grant_type of ['password', 'constructor', '__proto__']) {
        const { status, body } = await ask(client, { grant_type });
        assert.deepEqual([status, body.error], [400, 'unsupported_grant_type'], grant_type);
        assert.match(body.error_description, /authorization_code, refresh_token, .*, client_credentials/);
      }
      assert.equal(await errorOf(ask(client, { grant_type: 'client_credentials' })), 'unauthorized_client');
      assert.equal(await errorOf(ask(client, {})), 'invalid_request');
    });
  });
}

describe('the token endpoint between two statements', () => {
  /** Starts a service. @param before runs before each transaction. */
  async function start(context: TestContext, before: () => unknown) {
    const around = (database: Database): Database => ({
      ...database,
      async transaction(work, options) {
        await before();
        return database.transaction(work, options);
      },
    });
    const test = await startTestService('sqlite', { around });
    context.after(() => test.close());
    return test;
  }

  it('loses no code because the first key of ID tokens cannot be made', async (context) => {
    let failsIn = 0;
    const test = await start(context, () => {
      failsIn -= 1;
      if (failsIn === 0) throw serviceErrors.unavailable({ retryAfterSeconds: 1, cause: new Error('ECONNREFUSED') });
    });
    await test.createUser('ann');
    const client = await createClient(test);
    const verifier = createVerifier();
    const browser = openBrowser(test);
    const id = await begin(browser, toRequest(client, verifier));
    const { result } = await proceed(browser, id, await test.signIn('ann'));
    const { code = '' } = readAnswer((result as { redirectTo: string }).redirectTo);
    // The first transaction makes the key, the second one exchanges the code.
    failsIn = 2;
    assert.equal((await redeem(test, client, code, verifier)).status, 503);
    assert.equal((await redeem(test, client, code, verifier)).status, 200);
  });

  it('gives nothing to a machine that is disabled after it has proven who it is', async (context) => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const test = await start(context, () => meanwhile?.());
    const machine = await createClient(test, { kind: 'machine', redirectUris: [], scopes: ['read'] });
    meanwhile = () =>
      test.service.database.sql
        .updateTable('application')
        .set({ is_enabled: 0 })
        .where('id', '=', machine.id)
        .execute();
    const { status, body } = await callAs(test, machine, '/oauth/token', { grant_type: 'client_credentials' });
    assert.deepEqual([status, body.error], [401, 'invalid_client']);
    assert.match(body.error_description, /was disabled/);
  });
});
