// Sessions of server-rendered applications under attack: sign-outs that meet refreshes, stores that fail, and cookies of others.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Application, SessionsOptions } from 'latchkey-sdk/session';
import { TokenRejected, type Verifier } from 'latchkey-sdk/verify';
import { expressSend, toSessionRequest } from '../../../sdk/src/session/adapters.ts';
import { createMemoryStore } from '../../../sdk/src/session/refreshes.ts';
import { createSeals } from '../../../sdk/src/session/seal.ts';
import { createSessionsOn } from '../../../sdk/src/session/sessions.ts';
import { machine, type System } from '../../../sdk/src/verify/system.ts';
import { proofOf, startAcme } from '../support/acme.ts';
import { APP, openBrowser } from '../support/application-browser.ts';
import { enrollApp, useFactors } from '../support/factors.ts';
import { createProfile } from '../support/identity-server.ts';
import { begin, createClient, openBrowser as openBrowserOfService, proceed, REDIRECT_URI } from '../support/oauth.ts';
import { openPerson, type Provider, startProvider } from '../support/real-clients.ts';
import { startTestService, USER_PASSWORD } from '../support/service.ts';

const SECRET = 'a secret of at least thirty-two characters';
const HOME = 'https://app.example.com/';
const credentials = { userNameOrEmailAddress: 'ann', password: USER_PASSWORD };

/** A store that several processes share. */
function openStore() {
  const values = new Map<string, string>();
  return {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: string) => void values.set(key, value),
  };
}

/** A call of a store that queues what it is asked while it is away. */
const hang = () => new Promise<never>(() => undefined);

/** The waits of a process whose store must answer at once. Its other waits do not end. */
const hurryStore = (milliseconds: number, task: () => void) => {
  if (milliseconds <= 1000) setImmediate(task);
  return () => undefined;
};

/** A `fetch` whose answers to one call are held back until they are let go. They are lost if the call was given up before. */
function holdAnswers(call: string) {
  const { promise: answered, resolve: tellAnswered } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!String(input).endsWith(call)) return answer;
    tellAnswered();
    await released;
    init?.signal?.throwIfAborted();
    return answer;
  };
  return { fetch: held, answered, release };
}

/** Holds the time limits of calls. @returns a function that ends those that are over after so many milliseconds. */
function holdLimits(t: TestContext) {
  const limits = new Map<AbortController, number>();
  t.mock.method(AbortSignal, 'timeout', (milliseconds: number) => {
    const limit = new AbortController();
    limits.set(limit, milliseconds);
    return limit.signal;
  });
  return (passed: number) => {
    for (const [limit, milliseconds] of limits) if (milliseconds <= passed) limit.abort();
  };
}

describe('sessions of server-rendered applications', () => {
  let provider: Provider;
  before(async () => {
    provider = await startProvider();
  });
  after(() => provider.close());

  /** The sessions of one process. @param system replaces parts of its system. */
  const create = (more: Partial<SessionsOptions> = {}, system: Partial<System> = {}) => {
    const { now, elapsed } = provider.test.clock;
    return createSessionsOn(
      { ...machine, now, elapsed, ...system },
      { baseUrl: provider.url, secret: SECRET, ...more },
    );
  };

  /** Moves the clock to where a token has this part of its life behind it. */
  function age(token: string, part: number) {
    const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    provider.test.clock.advance(iat + (exp - iat) * part - provider.test.clock.now() / 1000);
  }

  const reasonOf = async (token = '') =>
    (await provider.test.get('/api/services/app/Session/GetAll', { token })).error?.reason;

  async function signIn(sessions = create()) {
    const browser = openBrowser();
    browser.keep(await sessions.signIn(browser.to(APP, 'POST'), credentials));
    const { token } = (await sessions.auth(browser.to())) ?? assert.fail();
    return { browser, token };
  }

  async function register(more: Parameters<typeof createClient>[1] = {}): Promise<Application> {
    const { clientId, secret } = await createClient(provider.test, { pkce: 'required', ...more });
    return { clientId, clientSecret: secret ?? '', redirectUri: REDIRECT_URI };
  }

  /**
   * Goes to the service and comes back. @returns the request at the redirect URI.
   * @param without a parameter that the person deletes from the address of the service.
   */
  async function visit(
    sessions: ReturnType<typeof create>,
    browser = openBrowser(),
    options = {},
    { person = openPerson(provider), without = '' } = {},
  ) {
    const begun = await sessions.signIn(browser.to(HOME), options);
    browser.keep(begun);
    const address = new URL(begun.headers.get('location') ?? '');
    address.searchParams.delete(without);
    const { url } = await person.open(address, { until: REDIRECT_URI });
    return browser.to(url.href);
  }

  async function signInTo(sessions: ReturnType<typeof create>) {
    const browser = openBrowser();
    browser.keep(await sessions.callback(await visit(sessions, browser)));
    const { token } = (await sessions.auth(browser.to(HOME))) ?? assert.fail();
    return { browser, token };
  }

  describe('leave no open session when a sign-out meets a refresh', () => {
    it('whose answer another process still waits for', async () => {
      const store = openStore();
      const slow = holdAnswers('TokenAuth/RefreshTokenAsync');
      const quick = holdAnswers('TokenAuth/SignOff');
      quick.release();
      const refreshing = create({ store, fetch: slow.fetch });
      const { browser, token } = await signIn(refreshing);
      age(token, 0.6);
      const refreshed = refreshing.auth(browser.to());
      await slow.answered;
      const signedOut = create({ store, fetch: quick.fetch }).signOut(browser.to(APP, 'POST'));
      await quick.answered;
      slow.release();
      assert.equal((await signedOut).status, 204);
      const late = await refreshed;
      assert.ok(late === null || (await reasonOf(late.token)) === 'token.revoked');
      if (late) browser.keep(late);
      assert.equal(await create({ store }).auth(browser.to()), null, 'the cookie that the refresh has written');
    });

    it('that the service does first, in the same process', async () => {
      let hold = Promise.resolve();
      const sessions = create({
        fetch: async (input, init) => {
          if (String(input).endsWith('TokenAuth/SignOff')) await hold;
          return fetch(input, init);
        },
      });
      const { browser, token } = await signIn(sessions);
      age(token, 0.6);
      const { promise, resolve } = Promise.withResolvers<void>();
      hold = promise;
      const signedOut = sessions.signOut(browser.to(APP, 'POST'));
      const late = (await sessions.auth(browser.to())) ?? assert.fail();
      assert.notEqual(late.token, token);
      resolve();
      await signedOut;
      assert.equal(await reasonOf(late.token), 'token.revoked');
    });

    it('of an application', async () => {
      const application = await register();
      const store = openStore();
      const slow = holdAnswers('/oauth/token');
      const { browser, token } = await signInTo(create({ application, store }));
      age(token, 0.6);
      const refreshed = create({ application, store, fetch: slow.fetch }).auth(browser.to(HOME));
      await slow.answered;
      await create({ application, store }).signOut(browser.to(HOME, 'POST'));
      slow.release();
      assert.equal(await refreshed, null);
      assert.equal(await create({ application, store }).auth(browser.to(HOME)), null);
    });
  });

  it('go on when the store fails, and sign out all the same', async () => {
    const fail = async () => assert.fail('The store is away.');
    const writing = create({ store: { get: async () => undefined, set: fail } });
    const { browser, token } = await signIn(writing);
    age(token, 0.6);
    const refreshed = (await writing.auth(browser.to())) ?? assert.fail('The answer of the refresh is lost.');
    assert.notEqual(refreshed.token, token);
    const reading = create({ store: { get: fail, set: fail } });
    browser.keep(await reading.signOut(browser.to(APP, 'POST')));
    assert.equal(browser.jar.size, 0);
    assert.equal(await reasonOf(refreshed.token), 'token.revoked');
  });

  describe('with a store that hangs', () => {
    it('sign out', async () => {
      const sessions = create({ store: { get: hang, set: hang } }, { after: hurryStore });
      const { browser, token } = await signIn(sessions);
      browser.keep(await sessions.signOut(browser.to(APP, 'POST')));
      assert.equal(browser.jar.size, 0);
      assert.equal(await reasonOf(token), 'token.revoked');
    });

    it('refresh, and give the new token also to later requests with the former cookie', async () => {
      const sessions = create({ store: { get: async () => undefined, set: hang } }, { after: hurryStore });
      const { browser, token } = await signIn(sessions);
      age(token, 0.6);
      const refreshed = (await sessions.auth(browser.to())) ?? assert.fail('The answer of the refresh is lost.');
      assert.notEqual(refreshed.token, token);
      assert.equal((await sessions.auth(browser.to()))?.token, refreshed.token);
      browser.keep(await sessions.signOut(browser.to(APP, 'POST')));
      assert.equal(await reasonOf(refreshed.token), 'token.revoked');
    });

    it('keep a token that is valid, and say of one that has expired why nobody can tell', async () => {
      const application = await register();
      const sessions = create({ application, store: { get: hang, set: hang } }, { after: hurryStore });
      const { browser, token } = await signInTo(sessions);
      age(token, 0.6);
      assert.equal((await sessions.auth(browser.to(HOME)))?.token, token);
      age(token, 1.2);
      await assert.rejects(sessions.auth(browser.to(HOME)), { message: 'The store does not answer in time.' });
      const refreshed = await create({ application }).auth(browser.to(HOME));
      assert.ok(refreshed && refreshed.token !== token, 'the session is open');
    });
  });

  describe('end no session because a token is refused that nobody has tried to exchange', () => {
    it('when the clock of the application was set back', async () => {
      const application = await register();
      const sessions = create({ application }, { now: () => provider.test.clock.now() - 500_000 });
      const { browser, token } = await signInTo(create({ application }));
      age(token, 1.1);
      assert.equal(await sessions.auth(browser.to(HOME), { canSetCookies: false }), null);
      const refreshed = (await sessions.auth(browser.to(HOME))) ?? assert.fail('The person is signed out.');
      assert.notEqual(refreshed.token, token);
    });

    it('when the person had to change the password for a moment', async () => {
      const { test } = provider;
      const id = await test.createUser('lea');
      const sessions = create();
      const browser = openBrowser();
      const lea = { userNameOrEmailAddress: 'lea', password: USER_PASSWORD };
      browser.keep(await sessions.signIn(browser.to(APP, 'POST'), lea));
      const { token } = (await sessions.auth(browser.to())) ?? assert.fail();
      age(token, 0.6);
      const restrict = async (requireChangePassword: boolean) => {
        const body = { id, requireChangePassword };
        await test.send('PUT', '/api/services/app/User/Update', { token: await test.admin(), body });
      };
      await restrict(true);
      assert.equal(await sessions.auth(browser.to()), null);
      await restrict(false);
      const refreshed = (await sessions.auth(browser.to())) ?? assert.fail('The person is signed out.');
      assert.notEqual(refreshed.token, token);
    });
  });

  it('look only once for what another process may have exchanged', async () => {
    let looks = 0;
    const store = {
      async get() {
        looks += 1;
        return undefined;
      },
      set: async () => undefined,
    };
    const sessions = create({ store }, { after: hurryStore });
    const { browser, token } = await signIn(sessions);
    await provider.test.post('/api/TokenAuth/SignOff', { token });
    for (const expected of [21, 22]) {
      assert.equal(await sessions.auth(browser.to()), null);
      assert.equal(looks, expected);
    }
  });

  it('lose no tokens when nobody can tell whether they are open', async () => {
    const application = await register();
    const asked: string[] = [];
    const deaf: typeof fetch = async (input, init) => {
      asked.push(new URL(String(input)).pathname);
      if (String(input).endsWith('/oauth/userinfo')) throw new TypeError('The line is dead.');
      return fetch(input, init);
    };
    const { browser, token } = await signInTo(create({ application }));
    age(token, 0.6);
    await assert.rejects(create({ application, fetch: deaf }).auth(browser.to(HOME)), { name: 'LatchkeyError' });
    assert.deepEqual([asked.includes('/oauth/userinfo'), asked.includes('/oauth/token')], [true, false]);
    const refreshed =
      (await create({ application }).auth(browser.to(HOME))) ?? assert.fail('The person is signed out.');
    assert.notEqual(refreshed.token, token);
  });

  it('say by the error of a call that the service is away, whether the token has expired or not', async () => {
    const application = await register();
    const { browser, token } = await signInTo(create({ application }));
    const away = create({ application, serviceUrl: 'http://127.0.0.1:1' });
    const broken = create({ application, fetch: async () => new Response(null, { status: 503 }) });
    for (const part of [0.2, 0.6, 1.2]) {
      age(token, part);
      for (const sessions of [away, broken])
        await assert.rejects(sessions.auth(browser.to(HOME)), { name: 'LatchkeyError', reason: 'network' });
    }
    assert.ok(await create({ application }).auth(browser.to(HOME)));
  });

  it('lose no tokens that were just exchanged when the verifier cannot tell, and ask the service about them', async () => {
    const application = await register();
    const verifier: Verifier = {
      ready: async () => undefined,
      isStale: true,
      verify: async () => {
        throw new TokenRejected('stale', 'The feed is silent.');
      },
      close: () => undefined,
    };
    const sessions = create({ application, verifier });
    const { browser, token } = await signInTo(create({ application }));
    age(token, 1.2);
    const refreshed = (await sessions.auth(browser.to(HOME))) ?? assert.fail('The person is signed out.');
    assert.notEqual(refreshed.token, token);
    const later = openBrowser();
    later.keep(refreshed);
    await assert.rejects(sessions.auth(later.to(HOME)), { reason: 'stale' });
    await provider.test.post('/api/services/app/Session/EndOthers', { token: await provider.test.signIn('ann') });
    assert.equal(await sessions.auth(browser.to(HOME)), null, 'a sign-out that met the exchange');
  });

  describe('wait 20 seconds for an exchange, because the service makes it once', () => {
    it('of a code', async (t) => {
      const slow = holdAnswers('/oauth/token');
      const sessions = create({ application: await register(), fetch: slow.fetch });
      const browser = openBrowser();
      const from = await visit(sessions, browser);
      const pass = holdLimits(t);
      const completed = sessions.callback(from);
      await slow.answered;
      pass(19_000);
      slow.release();
      browser.keep(await completed);
      assert.ok(await sessions.auth(browser.to(HOME)));
    });

    it('of a refresh token', async (t) => {
      const application = await register();
      const slow = holdAnswers('/oauth/token');
      const { browser, token } = await signInTo(create({ application }));
      age(token, 1.2);
      const pass = holdLimits(t);
      const refreshed = create({ application, fetch: slow.fetch }).auth(browser.to(HOME));
      await slow.answered;
      pass(19_000);
      slow.release();
      assert.ok(await refreshed);
    });

    it('of a token of the service', async (t) => {
      const slow = holdAnswers('TokenAuth/RefreshTokenAsync');
      const { browser, token } = await signIn();
      age(token, 0.6);
      const pass = holdLimits(t);
      const refreshed = create({ fetch: slow.fetch }).auth(browser.to());
      await slow.answered;
      pass(19_000);
      slow.release();
      assert.notEqual((await refreshed)?.token, token);
    });
  });

  it('keep the answer of an exchange until a request gets it, and 30 seconds from then', async () => {
    const { promise: kept, resolve: tellKept } = Promise.withResolvers<void>();
    const shared = createMemoryStore({ ...machine, elapsed: provider.test.clock.elapsed });
    const set: typeof shared.set = (...given) => shared.set(...given).then(() => tellKept());
    const slow = holdAnswers('/oauth/token');
    const application = await register();
    const { browser, token } = await signInTo(create({ application }));
    age(token, 0.6);
    const { promise: waits, resolve: tellWait } = Promise.withResolvers<() => void>();
    const after = (milliseconds: number, task: () => void) => {
      if (milliseconds === 4000) tellWait(task);
      return () => undefined;
    };
    const first = create({ application, store: { ...shared, set }, fetch: slow.fetch }, { after });
    const waiting = first.auth(browser.to(HOME));
    await slow.answered;
    (await waits)();
    assert.equal((await waiting)?.token, token);
    slow.release();
    await kept;
    const tokens: (string | undefined)[] = [];
    // One process claims it; then the other must not keep it longer.
    for (const sessions of [create({ application, store: shared }), first, first]) {
      provider.test.clock.advance(tokens.length === 1 ? 28 : 31);
      tokens.push((await sessions.auth(browser.to(HOME)))?.token);
    }
    const [claimed] = tokens;
    assert.ok(claimed !== undefined && claimed !== token, 'The person is signed out.');
    assert.deepEqual(tokens, [claimed, claimed, undefined]);
  });

  it('wait four seconds while the token is valid, and give the answer of the exchange to the next request', async () => {
    const { promise: kept, resolve: tellKept } = Promise.withResolvers<void>();
    const shared = openStore();
    const store = { ...shared, set: (key: string, value: string) => shared.set(key, value).then(tellKept) };
    const slow = holdAnswers('/oauth/token');
    const application = await register();
    const { browser, token } = await signInTo(create({ application }));
    age(token, 0.6);
    const waits = new Map<number, () => void>();
    const after = (milliseconds: number, task: () => void) => {
      waits.set(milliseconds, task);
      return () => waits.delete(milliseconds);
    };
    const sessions = create({ application, store, fetch: slow.fetch }, { after });
    const waiting = sessions.auth(browser.to(HOME));
    await slow.answered;
    waits.get(4000)?.();
    assert.equal((await waiting)?.token, token);
    slow.release();
    await kept;
    const refreshed = (await sessions.auth(browser.to(HOME))) ?? assert.fail('The person is signed out.');
    assert.notEqual(refreshed.token, token);
  });

  it('give the answer of an exchange to the next request also when the store fails', async () => {
    const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
    const set = async () => {
      tellAsked();
      throw new Error('The store is away.');
    };
    const slow = holdAnswers('TokenAuth/RefreshTokenAsync');
    const { promise: waits, resolve: tellWait } = Promise.withResolvers<() => void>();
    const after = (milliseconds: number, task: () => void) => {
      if (milliseconds === 4000) tellWait(task);
      return hurryStore(milliseconds, task);
    };
    const sessions = create({ store: { get: async () => undefined, set }, fetch: slow.fetch }, { after });
    const { browser, token } = await signIn(sessions);
    age(token, 0.6);
    const waiting = sessions.auth(browser.to());
    await slow.answered;
    (await waits)();
    assert.equal((await waiting)?.token, token);
    slow.release();
    await asked;
    const refreshed = (await sessions.auth(browser.to())) ?? assert.fail('The person is signed out.');
    assert.notEqual(refreshed.token, token);
  });

  it('try a refresh that failed again by one request in five seconds while the token is valid', async () => {
    const application = await register();
    let isAway = true;
    let tries = 0;
    const failing: typeof fetch = async (input, init) => {
      if (!String(input).endsWith('/oauth/token')) return fetch(input, init);
      tries += 1;
      return isAway ? new Response(null, { status: 503 }) : fetch(input, init);
    };
    let elapsed = 0;
    const sessions = create({ application, fetch: failing }, { elapsed: () => elapsed });
    const all = [await signInTo(create({ application })), await signInTo(create({ application }))];
    const held = all.map(({ token }) => token);
    const ask = (from = all) =>
      Promise.all(from.map(async ({ browser }) => (await sessions.auth(browser.to(HOME)))?.token));
    age(held[1] ?? assert.fail(), 0.6);
    await ask(all.slice(1));
    for (const expected of [1, 2]) {
      assert.deepEqual(await ask(), held);
      assert.equal(tries, expected);
      elapsed += 5000;
    }
    isAway = false;
    await ask();
    const refreshed = await ask();
    assert.equal(new Set([...held, ...refreshed]).size, 4);
    assert.ok(!refreshed.includes(undefined));
  });

  it('keep requests small, however many sign-ins a browser begins and wherever they lead', async () => {
    const sessions = create({ application: await register() });
    const browser = openBrowser();
    for (let count = 0; count < 40; count += 1)
      browser.keep(await sessions.signIn(browser.to(HOME), { returnTo: `/${'a'.repeat(398)}` }));
    const cookie = browser.to(HOME).headers.get('cookie') ?? '';
    assert.ok(browser.jar.size <= 4, `${browser.jar.size} sign-ins`);
    assert.ok(cookie.length < 4000, `${cookie.length} bytes`);
    const last = await sessions.callback(await visit(sessions, browser, { returnTo: `/${'a'.repeat(399)}` }));
    assert.equal(last.headers.get('location')?.length, 400);
    const long = await sessions.callback(await visit(sessions, openBrowser(), { returnTo: `/${'a'.repeat(20_000)}` }));
    assert.equal(long.headers.get('location'), '/');
  });

  it('keep requests small also if a browser begins sign-ins in parallel, and say which it has lost', async () => {
    const sessions = create({ application: await register() });
    const { browser } = await signInTo(sessions);
    const options = { returnTo: `/${'a'.repeat(399)}`, prompt: 'login', acrValues: 'aal2' } as const;
    const { url } = await visit(sessions, browser);
    const [name = '', value = ''] = [...browser.jar].at(-1) ?? [];
    const from = browser.to(HOME);
    for (const begun of await Promise.all(Array.from({ length: 40 }, () => sessions.signIn(from, options))))
      browser.keep(begun);
    const request = browser.to(HOME);
    assert.ok(await sessions.auth(request));
    const cookie = request.headers.get('cookie') ?? '';
    // nginx takes 8 kB by default.
    assert.ok(cookie.length < 8000, `${cookie.length} bytes`);
    assert.equal(browser.jar.size, 5, 'the session and four sign-ins');
    assert.equal(browser.jar.get(name), value, 'They leave the one that they have seen.');
    while (browser.jar.get(name) === value) browser.keep(await sessions.signIn(browser.to(HOME), options));
    await assert.rejects(sessions.callback(browser.to(url)), { name: 'SessionRefused', reason: 'request_expired' });
  });

  it('complete a sign-in that a former version has begun', async () => {
    const sessions = create({ application: await register() });
    const browser = openBrowser();
    const { url } = await visit(sessions, browser);
    const state = new URL(url).searchParams.get('state') ?? '';
    const [name = '', value = ''] = [...browser.jar][0] ?? [];
    browser.jar.delete(name);
    browser.jar.set(`__Host-latchkey.${state.slice(0, 8)}`, value);
    browser.keep(await sessions.callback(browser.to(url)));
    assert.deepEqual([...browser.jar.keys()], ['__Host-latchkey']);
  });

  describe('ask for a proof', () => {
    for (const [wanted, without, message] of [
      [{ acrValues: 'aal2' }, 'acr_values', /second factor/],
      [{ prompt: 'login' }, 'prompt', /signed in again/],
    ] as const)
      it(`and refuse a person who deletes ${without} from the request`, async () => {
        const asked: string[] = [];
        const noting: typeof fetch = async (input, init) => {
          asked.push(new URL(String(input)).pathname);
          return fetch(input, init);
        };
        const sessions = create({ application: await register(), fetch: noting });
        const [browser, person] = [openBrowser(), openPerson(provider)];
        browser.keep(await sessions.callback(await visit(sessions, browser, {}, { person })));
        const before = (await sessions.auth(browser.to(HOME)))?.user ?? assert.fail();
        provider.test.clock.advance(60);
        const from = await visit(sessions, browser, wanted, { person, without });
        const refusal = { name: 'SessionRefused', reason: 'unmet_authentication_requirements', status: 400, message };
        await assert.rejects(sessions.callback(from), refusal);
        assert.ok(asked.includes('/oauth/revoke'), 'What the service gave is ended.');
        const after = (await sessions.auth(browser.to(HOME)))?.user ?? assert.fail('The person is signed out.');
        assert.deepEqual(after, before);
        assert.equal(after.acr, 'aal1');
      });

    it('which a sign-in is, whatever the clock of the application says', async () => {
      const application = await register();
      const [browser, person] = [openBrowser(), openPerson(provider)];
      for (const ahead of [0, 500_000, -500_000]) {
        const sessions = create({ application }, { now: () => provider.test.clock.now() + ahead });
        provider.test.clock.advance(60);
        const before = Math.floor(provider.test.clock.now() / 1000) * 1000;
        browser.keep(await sessions.callback(await visit(sessions, browser, { prompt: 'login' }, { person })));
        const { user } = (await sessions.auth(browser.to(HOME))) ?? assert.fail();
        assert.ok(user.authenticatedAt >= before && user.authenticatedAt <= provider.test.clock.now());
      }
    });

    it('which a second factor is', async () => {
      const { test } = provider;
      const { allow, challenge, verify } = useFactors({ here: test, there: test, close: async () => {} });
      await allow();
      const nextCode = await enrollApp(test, { id: await test.createUser('eve'), userName: 'eve' });
      const { accessToken } = (await verify(await challenge('eve'), nextCode())).result;
      const sessions = create({ application: await register() });
      const [browser, ofService] = [openBrowser(), openBrowserOfService(test)];
      const begun = await sessions.signIn(browser.to(HOME), { acrValues: 'aal2' });
      browser.keep(begun);
      const parameters = new URL(begun.headers.get('location') ?? '').searchParams;
      const id = await begin(ofService, Object.fromEntries(parameters));
      const answer = await proceed(ofService, id, accessToken ?? assert.fail());
      const { redirectTo } = answer.result as { redirectTo: string };
      browser.keep(await sessions.callback(browser.to(redirectTo)));
      assert.equal((await sessions.auth(browser.to(HOME)))?.user.acr, 'aal2');
    });
  });

  it('say that a newcomer must wait for an administrator', async () => {
    const acme = await startAcme();
    const additions = { providers: [acme.provider], reviewers: [() => 'hold' as const] };
    const test = await startTestService('sqlite', { additions });
    const baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });
    const input = proofOf(acme, createProfile());
    const refused = create({ baseUrl }).signIn(openBrowser().to(APP, 'POST'), {
      call: 'TokenAuth/ExternalAuthenticateAsync',
      input,
    });
    await assert.rejects(refused, { name: 'SessionRefused', reason: 'activation_required', status: 400 });
    await test.close();
    await acme.server.stop();
  });

  it('say where the service redirects to, with either kind of tokens', async () => {
    const moved: typeof fetch = async (input) => {
      const { pathname } = new URL(String(input));
      return new Response(null, { status: 301, headers: { location: `https://id.example.com${pathname}` } });
    };
    const message = `The service redirects to https://id.example.com. Use that address instead of ${provider.url}.`;
    const redirected = { name: 'LatchkeyError', status: 301, message };
    await assert.rejects(create({ fetch: moved }).signIn(openBrowser().to(APP, 'POST'), credentials), redirected);
    const sessions = create({ application: await register(), fetch: moved });
    await assert.rejects(sessions.signIn(openBrowser().to(HOME)), redirected);
  });

  it('are none of another application with the same secret', async () => {
    const { browser } = await signInTo(create({ application: await register() }));
    const closed = await register({ allowedRoles: ['Administrator'] });
    assert.equal(await create({ application: closed }).auth(browser.to(HOME)), null);
    const own = await signIn();
    const cookie = own.browser.to().headers.get('cookie') ?? '';
    const sent = new Request(HOME, { headers: { cookie: cookie.replace('latchkey', '__Host-latchkey') } });
    assert.equal(await create({ application: closed }).auth(sent), null);
    assert.ok(await create().auth(sent));
  });

  it('ignore what is left of a longer cookie', async () => {
    const { browser } = await signIn();
    browser.jar.set('latchkey.1', 'left');
    assert.ok(await create().auth(browser.to()));
  });

  for (const hours of [-24, 0, 24])
    it(`are refreshed in time by a clock that is ${hours} hours from that of the service, with either kind of tokens`, async () => {
      for (const more of [{ application: await register() }, {}]) {
        const sessions = create(more, { now: () => provider.test.clock.now() + hours * 3_600_000 });
        const [url, enter] = more.application ? [HOME, signInTo] : [APP, signIn];
        const { browser, token } = await enter(sessions);
        age(token, 0.4);
        assert.deepEqual([...(await sessions.renew(browser.to(url)))], []);
        age(token, 0.6);
        browser.keep({ headers: await sessions.renew(browser.to(url)) });
        // As a page of Next.js, which cannot refresh.
        const { token: second } = (await sessions.auth(browser.to(url), { canSetCookies: false })) ?? assert.fail();
        assert.notEqual(second, token);
        age(second, 0.4);
        assert.deepEqual([...(await sessions.renew(browser.to(url)))], [], 'nor the second one early');
      }
    });

  it('go on with a cookie of a former version, which did not keep when it received the tokens', async () => {
    const sessions = create({ application: await register() });
    const { browser, token } = await signInTo(sessions);
    const seals = createSeals(SECRET);
    const [[name = '', value = ''] = []] = browser.jar;
    const { receivedAt, ...former } = (await seals.open('session', value)) ?? {};
    assert.ok(typeof receivedAt === 'number');
    browser.jar.set(name, await seals.seal('session', former));
    assert.equal((await sessions.auth(browser.to(HOME)))?.token, token);
    age(token, 0.6);
    const refreshed = (await sessions.auth(browser.to(HOME))) ?? assert.fail('The person is signed out.');
    assert.notEqual(refreshed.token, token);
  });

  it('stay open when the clock of the application was set back', async () => {
    const application = await register();
    const sessions = create({ application }, { now: () => provider.test.clock.now() - 500_000 });
    const { browser, token } = await signInTo(create({ application }));
    age(token, 1.1);
    const refreshed = (await sessions.auth(browser.to(HOME))) ?? assert.fail('The person is signed out.');
    assert.notEqual(refreshed.token, token);
    await provider.test.post('/api/services/app/Session/EndOthers', { token: await provider.test.signIn('ann') });
    browser.keep(refreshed);
    assert.equal(await sessions.auth(browser.to(HOME)), null, 'ended is ended');
  });

  it('are over with their token, without an error, if the application may not refresh it', async () => {
    const sessions = create({ application: await register({ grants: ['authorization_code'] }) });
    const { browser, token } = await signInTo(sessions);
    age(token, 0.6);
    assert.equal((await sessions.auth(browser.to(HOME)))?.token, token);
    age(token, 1.1);
    assert.equal(await sessions.auth(browser.to(HOME)), null);
  });

  for (const shares of [true, false])
    it(`answer 50 requests near expiry in two processes ${shares ? 'with one store' : 'without a store'}`, async () => {
      const application = await register();
      const more = { application, ...(shares && { store: openStore() }) };
      const processes = [create(more), create(more)];
      const { browser, token } = await signInTo(processes[0] ?? assert.fail());
      age(token, 1.2);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => processes[index % 2]?.auth(browser.to(HOME))),
      );
      assert.equal(answers.filter((answer) => answer?.user.userName === 'ann').length, 50);
      browser.keep(answers[49] ?? assert.fail());
      assert.ok(await processes[0]?.auth(browser.to(HOME)));
    });

  it('take a request with a senseless host for one of nobody', async () => {
    for (const host of ['[', 'a b', '@:', '']) {
      const request = toSessionRequest({ url: '/', protocol: 'http', headers: { host, cookie: 'latchkey=x' } });
      assert.equal(await create().auth(request), null, host);
    }
  });

  it('leave no rule for caches that the application has set before', () => {
    const sent = new Map<string, string[]>([['cache-control', ['public, max-age=60']]]);
    const response = {
      statusCode: 0,
      setHeader: (name: string, value: string) => sent.set(name, [value]),
      appendHeader: (name: string, value: string) => sent.set(name, [...(sent.get(name) ?? []), value]),
      end: () => undefined,
    };
    const headers = new Headers({ 'cache-control': 'private, no-store' });
    headers.append('set-cookie', 'one=1');
    headers.append('set-cookie', 'two=2');
    expressSend(response, { status: 204, headers });
    assert.deepEqual(
      [...sent],
      [
        ['cache-control', ['private, no-store']],
        ['set-cookie', ['one=1', 'two=2']],
      ],
    );
  });
});
