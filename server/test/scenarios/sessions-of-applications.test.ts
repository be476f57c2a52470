// Sessions of server-rendered applications: `latchkey-sdk/session` against the service, in both ways to sign in.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Credentials, createSessions, type SessionRequest, type SessionsOptions } from 'latchkey-sdk/session';
import { createVerifier } from 'latchkey-sdk/verify';
import { toSessionRequest } from '../../../sdk/src/session/adapters.ts';
import { createSessionsOn } from '../../../sdk/src/session/sessions.ts';
import { machine } from '../../../sdk/src/verify/system.ts';
import { APP, openBrowser } from '../support/application-browser.ts';
import { enrollApp, useFactors } from '../support/factors.ts';
import { altered } from '../support/forge.ts';
import { createClient, REDIRECT_URI } from '../support/oauth.ts';
import { openPerson, type Provider, startProvider } from '../support/real-clients.ts';
import { USER_PASSWORD } from '../support/service.ts';

const SECRET = 'a secret of at least thirty-two characters';
const credentials = { userNameOrEmailAddress: 'ann', password: USER_PASSWORD };

describe('sessions of server-rendered applications', () => {
  let provider: Provider;
  before(async () => {
    provider = await startProvider('sqlite', { trustedProxies: ['127.0.0.1'] });
  });
  after(() => provider.close());

  /** The sessions of one process of an application, by the clock of the service. */
  const create = (more: Partial<SessionsOptions> = {}) =>
    createSessionsOn(
      { ...machine, now: () => provider.test.clock.now() },
      { baseUrl: provider.url, secret: SECRET, ...more },
    );

  /** Moves the clock to where a token has this part of its life behind it. */
  function age(token: string, part: number) {
    const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    provider.test.clock.advance(iat + (exp - iat) * part - provider.test.clock.now() / 1000);
  }

  describe('with a form of the application', () => {
    async function signIn(sessions = create()) {
      const browser = openBrowser();
      browser.keep(await sessions.signIn(browser.to(`${APP}/sign-in`, 'POST'), credentials));
      const signedIn = await sessions.auth(browser.to());
      assert.ok(signedIn);
      return { sessions, browser, token: signedIn.token };
    }

    it('tell the service the address of the browser, as the framework or the application knows it', async () => {
      const request = { url: '/', protocol: 'http', headers: { host: 'localhost:3000' }, ip: '203.0.113.7' };
      const fromHeader = ({ headers }: SessionRequest) => headers.get('x-real-ip') ?? undefined;
      for (const [sessions, from, address] of [
        [create(), toSessionRequest(request), '203.0.113.7'],
        [create({ clientAddress: fromHeader }), openBrowser({ 'x-real-ip': '203.0.113.8' }).to(), '203.0.113.8'],
        [create({ clientAddress: fromHeader }), toSessionRequest(request), '127.0.0.1'],
        [create(), openBrowser({ 'x-forwarded-for': '203.0.113.9' }).to(), '127.0.0.1'],
      ] as const) {
        const browser = openBrowser();
        browser.keep(await sessions.signIn(from, credentials));
        const { token } = (await sessions.auth(browser.to())) ?? assert.fail();
        const { result } = await provider.test.get('/api/services/app/Session/GetAll', { token });
        assert.equal(result.items.find(({ current }) => current)?.ipAddress, address);
      }
    });

    it('keep the token in a cookie that scripts cannot read, and say who is signed in', async () => {
      const sessions = create();
      const browser = openBrowser();
      assert.equal(await sessions.auth(browser.to()), null);
      const parts = await sessions.signIn(browser.to(`${APP}/sign-in`, 'POST'), credentials);
      assert.deepEqual([parts.status, parts.headers.get('cache-control')], [204, 'private, no-store']);
      const [line = '', ...others] = parts.headers.getSetCookie();
      assert.match(line, /^latchkey=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/);
      assert.deepEqual(others, []);
      browser.keep(parts);
      const signedIn = await sessions.auth(browser.to());
      const { id, userName, name, emailAddress, roles } = signedIn?.user ?? assert.fail();
      assert.deepEqual(
        [id, userName, name, emailAddress, roles],
        [provider.sub, 'ann', 'Ann Lee', 'ann@example.com', ['editor']],
      );
      assert.ok(!line.includes(signedIn?.token ?? ''));
      assert.deepEqual([...(signedIn?.headers ?? [])], []);
      const call = await fetch(`${provider.url}/api/services/app/Session/GetAll`, {
        headers: { authorization: `Bearer ${signedIn?.token}` },
      });
      assert.equal(call.status, 200);
    });

    it('use a cookie of this host alone, and only over https, for every host but this machine', async () => {
      const sessions = create();
      for (const url of ['https://app.example.com/', 'http://app.example.com/', 'https://localhost/']) {
        const { headers } = await sessions.signIn(openBrowser().to(url, 'POST'), credentials);
        assert.match(
          headers.getSetCookie()[0] ?? '',
          /^__Host-latchkey=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
          url,
        );
      }
    });

    it('refuse with the error of the service', async () => {
      const wrong = { ...credentials, password: 'wrong' };
      const refused = create().signIn(openBrowser().to(APP, 'POST'), wrong);
      await assert.rejects(refused, { name: 'LatchkeyError', status: 401, reason: 'signIn.invalidCredentials' });
    });

    it('ask for the second factor of the account, unless the person trusts the device', async () => {
      const { test } = provider;
      await useFactors({ here: test, there: test, close: async () => {} }).allow({ trustedDeviceDays: 30 });
      const nextCode = await enrollApp(test, { id: await test.createUser('bea'), userName: 'bea' });
      const sessions = create();
      const browser = openBrowser();
      const signInWith = (given: Credentials) => sessions.signIn(browser.to(`${APP}/sign-in`, 'POST'), given);
      const password = { ...credentials, userNameOrEmailAddress: 'bea' };
      const nameOf = async () => (await sessions.auth(browser.to()))?.user.userName;
      for (const rememberClient of [false, true]) {
        const { status, headers, challenge } = await signInWith(password);
        assert.deepEqual([status, headers.getSetCookie()], [200, []]);
        const { challengeToken, twoFactorAuthProviders } = challenge ?? assert.fail();
        assert.ok(twoFactorAuthProviders.includes('Authenticator'));
        const input = { challengeToken, provider: 'Authenticator', code: nextCode(), rememberClient } as const;
        const parts = await signInWith({ call: 'TokenAuth/VerifySecondFactor', input });
        browser.keep(parts);
        assert.equal(await nameOf(), 'bea');
        const device = parts.headers.getSetCookie().filter((line) => line.startsWith('latchkey-device='));
        assert.equal(device.length, rememberClient ? 1 : 0);
        for (const line of device)
          assert.match(line, /^latchkey-device=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/);
        browser.keep(await sessions.signOut(browser.to(`${APP}/sign-out`, 'POST')));
        assert.equal(await nameOf(), undefined);
      }
      browser.keep(await signInWith(password));
      assert.equal(await nameOf(), 'bea');
      // Of another person, the device is not trusted.
      browser.keep(await signInWith(credentials));
      assert.equal(await nameOf(), 'ann');
    });

    it('are none while the person may only change the password', async () => {
      const { test } = provider;
      const id = await test.createUser('lea');
      const sessions = create();
      const browser = openBrowser();
      const lea = { userNameOrEmailAddress: 'lea', password: USER_PASSWORD };
      browser.keep(await sessions.signIn(browser.to(APP, 'POST'), lea));
      assert.ok(await sessions.auth(browser.to()));
      const change = { id, requireChangePassword: true };
      await test.send('PUT', '/api/services/app/User/Update', { token: await test.admin(), body: change });
      assert.equal(await sessions.auth(browser.to()), null);
      const refused = sessions.signIn(openBrowser().to(APP, 'POST'), lea);
      await assert.rejects(refused, { name: 'SessionRefused', reason: 'change_required' });
      const ofLea = test.service.database.sql.selectFrom('session').select('id').where('account_id', '=', id);
      const open = await ofLea.where('ended_at', 'is', null).execute();
      assert.equal(open.length, 1, 'the refused sign-in leaves no session');
      // The address may sign in twenty times a minute.
      test.clock.advance(60);
    });

    it('refuse a request of another site to sign in or out', async () => {
      const { sessions, browser } = await signIn();
      const [cookie = ''] = [...browser.jar].map((pair) => pair.join('='));
      for (const header of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        const from = new Request(APP, { method: 'POST', headers: { cookie, ...header } });
        const refusal = { name: 'SessionRefused', reason: 'other_site', status: 403 };
        await assert.rejects(sessions.signIn(from, credentials), refusal, JSON.stringify(header));
        await assert.rejects(sessions.signOut(from), refusal, JSON.stringify(header));
      }
      assert.ok(await sessions.auth(browser.to()));
    });

    it('refresh once for all parallel requests, in every process, and sign nobody out', async () => {
      const shared = new Map<string, string>();
      const store = {
        get: async (key: string) => shared.get(key),
        set: async (key: string, value: string) => void shared.set(key, value),
      };
      const processes = [create({ store }), create({ store })];
      const { browser, token } = await signIn(processes[0]);
      age(token, 0.6);
      const requests = Array.from({ length: 8 }, (_, index) => processes[index % 2]?.auth(browser.to()));
      const answers = await Promise.all(requests);
      const tokens = new Set(answers.map((answer) => answer?.token));
      assert.equal(tokens.size, 1, 'one refresh');
      assert.ok(!tokens.has(token) && !tokens.has(undefined));
      assert.ok(
        [...shared].every(([key, value]) => !`${key} ${value}`.includes(token)),
        'the store has no token in clear',
      );
      // The cookie of a request that was on its way.
      const late = await processes[1]?.auth(browser.to());
      assert.ok(late && tokens.has(late.token));
      browser.keep(late);
      const next = await processes[0]?.auth(browser.to());
      assert.deepEqual([next?.token, [...(next?.headers ?? [])]], [late.token, []]);
    });

    it('find what another process has exchanged, and is about to share', async () => {
      const shared = new Map<string, string>();
      const [exchanged, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let looks = 0;
      const first = create({
        store: {
          get: async () => undefined,
          async set(key, value) {
            exchanged.resolve();
            await looked.promise;
            shared.set(key, value);
          },
        },
      });
      const second = create({
        store: {
          async get(key) {
            looks += 1;
            if (looks === 2) looked.resolve();
            return shared.get(key);
          },
          set: async (key, value) => void shared.set(key, value),
        },
      });
      const { browser, token } = await signIn(first);
      age(token, 0.6);
      const exchange = first.auth(browser.to());
      await exchanged.promise;
      const answer = await second.auth(browser.to());
      looked.resolve();
      assert.ok(answer && answer.token !== token);
      assert.equal(answer.token, (await exchange)?.token);
    });

    it('leave the token as it is where a response cannot set cookies', async () => {
      const { sessions, browser, token } = await signIn();
      age(token, 0.6);
      const asked = await sessions.auth(browser.to(), { canSetCookies: false });
      assert.equal(asked?.token, token);
    });

    it('are over when the token has expired', async () => {
      const { sessions, browser, token } = await signIn();
      age(token, 1.01);
      assert.equal(await sessions.auth(browser.to()), null);
      assert.equal(await sessions.auth(browser.to(), { canSetCookies: false }), null);
    });

    it('end at the next request after a sign-off elsewhere, also of the answer of a refresh', async () => {
      const { sessions, browser, token } = await signIn();
      age(token, 0.6);
      const fresh = await sessions.auth(browser.to());
      await provider.test.post('/api/TokenAuth/SignOff', { token: fresh?.token ?? '' });
      assert.equal(await sessions.auth(browser.to()), null, 'the former cookie');
      browser.keep(fresh ?? assert.fail());
      assert.equal(await sessions.auth(browser.to()), null);
    });

    it('sign out everywhere, and remove the cookie', async () => {
      const { sessions, browser, token } = await signIn();
      const parts = await sessions.signOut(browser.to(`${APP}/sign-out`, 'POST'));
      assert.equal(parts.status, 204);
      const former = browser.to();
      browser.keep(parts);
      assert.equal(browser.jar.size, 0);
      assert.equal(await sessions.auth(former), null);
      assert.equal(
        (await provider.test.get('/api/services/app/Session/GetAll', { token })).error.reason,
        'token.revoked',
      );
      assert.equal((await sessions.signOut(openBrowser().to(APP, 'POST'))).status, 204, 'nobody is signed in');
    });

    it('remove the cookie also when the service cannot be told, and say so', async () => {
      const { browser } = await signIn();
      const down = create({ serviceUrl: 'http://127.0.0.1:1' });
      await assert.rejects(down.signOut(browser.to(APP, 'POST')), (error) => {
        assert.ok(error instanceof Error && error.name === 'SignOutFailed' && 'parts' in error);
        browser.keep(error.parts as { headers: Headers });
        return browser.jar.size === 0;
      });
      await assert.rejects(down.auth((await signIn()).browser.to()), { name: 'LatchkeyError', reason: 'network' });
    });

    it('accept only cookies that they have sealed, for this purpose, with a secret in use', async () => {
      const { browser } = await signIn();
      const [name = '', value = ''] = [...browser.jar][0] ?? [];
      const authWith = (sealed: string, secret: string | string[] = SECRET) =>
        create({ secret }).auth(new Request(APP, { headers: { cookie: `${name}=${sealed}` } }));
      assert.equal(await authWith(altered(value)), null);
      assert.equal(await authWith(''), null);
      assert.equal(await authWith(value, 'another secret of more than 32 characters'), null);
      assert.ok(await authWith(value, ['another secret of more than 32 characters', SECRET]));
      assert.throws(() => create({ secret: 'short' }), TypeError);
      assert.throws(() => createSessions({ baseUrl: provider.url, secret: [] }), TypeError);
    });
  });

  describe('with an application of the service', () => {
    async function start({ claimsInIdToken = true } = {}) {
      const input = { postLogoutRedirectUris: [`${REDIRECT_URI}/bye`], pkce: 'required', claimsInIdToken } as const;
      const { clientId, secret } = await createClient(provider.test, input);
      const application = {
        clientId,
        clientSecret: secret ?? '',
        redirectUri: REDIRECT_URI,
        postLogoutRedirectUri: `${REDIRECT_URI}/bye`,
        scope: 'openid profile email roles',
      };
      const person = openPerson(provider);
      const sessions = create({ application });
      const browser = openBrowser();
      return { application, sessions, person, browser };
    }
    type Started = Awaited<ReturnType<typeof start>>;

    /** Goes to the service and comes back. @returns the request at the redirect URI. */
    async function visit({ sessions, person, browser }: Started, options = {}) {
      const begun = await sessions.signIn(browser.to('https://app.example.com/sign-in'), options);
      assert.equal(begun.status, 303);
      browser.keep(begun);
      const { url } = await person.open(begun.headers.get('location') ?? '', { until: REDIRECT_URI });
      return browser.to(url.href);
    }

    async function signIn(more = {}) {
      const started = await start(more);
      started.browser.keep(await started.sessions.callback(await visit(started)));
      const signedIn = await started.sessions.auth(started.browser.to('https://app.example.com/'));
      assert.ok(signedIn);
      return { ...started, signedIn };
    }

    it('sign in on the pages of the service, and go on where the person wanted to', async () => {
      const started = await start();
      const parts = await started.sessions.callback(await visit(started, { returnTo: '/orders?page=2' }));
      assert.deepEqual([parts.status, parts.headers.get('location')], [303, '/orders?page=2']);
      started.browser.keep(parts);
      assert.deepEqual([...started.browser.jar.keys()], ['__Host-latchkey'], 'the cookie of the sign-in is gone');
    });

    for (const claimsInIdToken of [true, false])
      it(`say who is signed in, ${claimsInIdToken ? 'also' : 'not'} by the ID token`, async () => {
        const { signedIn } = await signIn({ claimsInIdToken });
        const { authenticatedAt, ...user } = signedIn.user;
        const ago = provider.test.clock.now() - authenticatedAt;
        assert.ok(ago >= 0 && ago < 60_000, `${ago} ms`);
        assert.deepEqual(user, {
          id: provider.sub,
          userName: 'ann',
          name: 'Ann Lee',
          emailAddress: 'ann@example.com',
          roles: ['editor'],
          acr: 'aal1',
        });
      });

    it('lead to no other site, whatever the page says', async () => {
      for (const returnTo of [
        'https://evil.example',
        '//evil.example',
        '/\\evil.example',
        'javascript:alert(1)',
        '/%2f/evil.example',
      ]) {
        const started = await start();
        const { headers } = await started.sessions.callback(await visit(started, { returnTo }));
        assert.equal(headers.get('location'), '/', returnTo);
      }
    });

    it('complete a sign-in once, in the browser that began it, and each of two tabs its own', async () => {
      const started = await start();
      const first = await visit(started);
      const second = await visit(started);
      const stranger = { name: 'SessionRefused', reason: 'request_expired', status: 400 };
      await assert.rejects(started.sessions.callback(openBrowser().to(first.url)), stranger);
      assert.equal((await started.sessions.callback(first)).status, 303);
      await assert.rejects(started.sessions.callback(first), { reason: 'invalid_grant' });
      assert.equal((await started.sessions.callback(second)).status, 303);
    });

    it('say that the person or the service refused', async () => {
      const started = await start();
      const { url, headers } = await visit(started);
      const state = new URL(url).searchParams.get('state') ?? '';
      const iss = encodeURIComponent(provider.url);
      const refused = new Request(`${REDIRECT_URI}?error=access_denied&state=${state}&iss=${iss}`, { headers });
      await assert.rejects(started.sessions.callback(refused), { name: 'SessionRefused', reason: 'access_denied' });
      const mixedUp = new Request(`${REDIRECT_URI}?code=x&state=${state}&iss=https://other.example`, { headers });
      await assert.rejects(started.sessions.callback(mixedUp));
    });

    it('say that the verifier is for another audience, and do not ask people to sign in again and again', async (context) => {
      const started = await start();
      const serviceKey = await provider.test.createServiceKey('orders', ['revocations']);
      const startWith = async (audience: string) => {
        const verifier = createVerifier({ issuer: provider.url, audience, serviceKey });
        context.after(() => verifier.close());
        await verifier.ready();
        return { ...started, sessions: create({ application: started.application, verifier }) };
      };
      const wrong = await startWith('books');
      await assert.rejects(wrong.sessions.callback(await visit(wrong)), /check its issuer and audience/);
      const grants = await provider.test.service.database.sql
        .selectFrom('application_grant')
        .select('ended_at')
        .where('application_id', '=', started.application.clientId)
        .execute();
      assert.ok(grants.length > 0 && grants.every(({ ended_at }) => ended_at !== null), 'nothing of it stays open');
      const right = await startWith(started.application.clientId);
      right.browser.keep(await right.sessions.callback(await visit(right)));
      assert.ok(await right.sessions.auth(right.browser.to('https://app.example.com/')));
    });

    it('create a verifier that is given as a function at the first check, and wait until it is ready', async (context) => {
      const started = await start();
      const serviceKey = await provider.test.createServiceKey('shop', ['revocations']);
      let created = 0;
      const verifier = () => {
        created += 1;
        const verifier = createVerifier({ issuer: provider.url, audience: started.application.clientId, serviceKey });
        context.after(() => verifier.close());
        return verifier;
      };
      const sessions = create({ application: started.application, verifier });
      const callback = await visit({ ...started, sessions });
      assert.equal(created, 0, 'neither by the options nor by what checks no token');
      started.browser.keep(await sessions.callback(callback));
      const late = create({ application: started.application, verifier });
      assert.ok(await late.auth(started.browser.to('https://app.example.com/'), { canSetCookies: false }));
      assert.equal(created, 2, 'one for each process');
    });

    it('refresh, also when the access token has expired, once for all parallel requests', async () => {
      const { sessions, browser, signedIn } = await signIn();
      age(signedIn.token, 1.5);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => sessions.auth(browser.to('https://app.example.com/'))),
      );
      const tokens = new Set(answers.map((answer) => answer?.token));
      assert.ok(tokens.size === 1 && !tokens.has(undefined) && !tokens.has(signedIn.token));
      browser.keep(answers[0] ?? assert.fail());
      assert.equal((await sessions.auth(browser.to('https://app.example.com/')))?.user.userName, 'ann');
    });

    it('end at the next request when the person signs off at the service', async () => {
      const { sessions, browser, signedIn } = await signIn();
      const token = await provider.test.signIn('ann');
      assert.equal((await provider.test.post('/api/services/app/Session/EndOthers', { token })).status, 200);
      assert.equal(await sessions.auth(browser.to('https://app.example.com/')), null);
      age(signedIn.token, 1.5);
      assert.equal(await sessions.auth(browser.to('https://app.example.com/')), null);
    });

    it('say whether a session stays open when the service is away at a sign-out', async () => {
      const { application, browser } = await signIn();
      const down = create({ application, serviceUrl: 'http://127.0.0.1:1' });
      const signOutOf = (from: ReturnType<typeof openBrowser>) =>
        down.signOut(from.to('https://app.example.com/sign-out', 'POST'));
      await assert.rejects(signOutOf(browser), { name: 'SignOutFailed', message: /still open/ });
      await assert.rejects(signOutOf(openBrowser()), {
        name: 'SignOutFailed',
        message: /^The service .* no session here/,
      });
    });

    it('sign out here, at the service and in all other applications, without a question', async () => {
      const { sessions, browser, person } = await signIn();
      const parts = await sessions.signOut(browser.to('https://app.example.com/sign-out', 'POST'));
      const former = browser.to('https://app.example.com/');
      browser.keep(parts);
      assert.equal(browser.jar.size, 0);
      assert.equal(await sessions.auth(former), null);
      const { url } = await person.open(parts.headers.get('location') ?? '', { until: `${REDIRECT_URI}/bye` });
      assert.equal(url.href, `${REDIRECT_URI}/bye`);
    });
  });
});
