// The browser client alone, as other front ends use it: where it keeps a token, and what counts as activity.
// Alone in its process: it stands in for a browser's globals.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';

type Place = 'local' | 'session';

/** The part of the client that this test uses. */
type Client = {
  call(name: string, input?: object): Promise<unknown>;
  readonly ready: Promise<void>;
  readonly isSignedIn: boolean;
  readonly token: string | undefined;
  readonly canKeepToken: boolean;
  keepTokenIn(place: Place): void;
  onSession(listener: (isSignedIn: boolean, end: string | null) => void): () => void;
  onIdle(listener: (secondsLeft: number | null) => void): () => void;
  reauthenticate(proof: object): Promise<void>;
  signOff(): Promise<void>;
  signOffIfIdle(): Promise<boolean>;
  close(): void;
};

/** Imported by a computed name: the client is typed for browsers, this test is not. */
const { createLatchkey, isChallenge } = await import(new URL('../sdk/src/index.ts', import.meta.url).href);

const LIFE_SECONDS = 300;
const MINUTE = 60_000;

function createStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    says: () => JSON.stringify([...values]),
  };
}

const { locks } = navigator;
const { BroadcastChannel, setTimeout } = globalThis;

/** The locks of Node, which work as those of a browser. Each test has its own. */
const createLocks = (test: string) => ({
  request: (name: string, ...rest: unknown[]) => Reflect.apply(locks.request, locks, [`${test} ${name}`, ...rest]),
});

describe('the browser client', () => {
  let now: number;
  let policy: { useAutoLogoff: boolean; autoLogoffTimeout: number };
  let calls: string[];
  let listeners: Map<string, () => void>;
  /** The work of each client every second. */
  let looks: (() => void)[];
  /** Ends what waits for a response or a lock. */
  let limits: (() => void)[];
  /** How long these would wait, in milliseconds. */
  let waits: number[];
  let local: ReturnType<typeof createStorage>;
  let session: ReturnType<typeof createStorage>;
  let opened: Client[];

  beforeEach((test) => {
    now = 1_000_000_000_000;
    policy = { useAutoLogoff: false, autoLogoffTimeout: 120 };
    calls = [];
    opened = [];
    looks = [];
    limits = [];
    waits = [];
    listeners = new Map();
    [local, session] = [createStorage(), createStorage()];
    const target = {
      addEventListener: (name: string, listener: () => void) => void listeners.set(name, listener),
      removeEventListener: () => {},
    };
    define({ ...target, document: { ...target, visibilityState: 'visible' } });
    define({ localStorage: local, sessionStorage: session, navigator: { locks: createLocks(test.name) } });
    mock.method(Date, 'now', () => now);
    mock.method(globalThis, 'setInterval', (run: () => void, every: number) => {
      if (every === 1000) looks.push(run);
    });
    mock.method(AbortSignal, 'timeout', (milliseconds: number) => {
      waits.push(milliseconds);
      const controller = new AbortController();
      limits.push(() => controller.abort());
      return controller.signal;
    });
  });
  afterEach(() => {
    for (const latchkey of opened) latchkey.close();
    mock.restoreAll();
    Object.assign(globalThis, { BroadcastChannel, setTimeout });
  });

  function define(globals: object) {
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, { value, configurable: true });
    }
  }
  function answer(url: string) {
    const name = url.replace(/.*\/api\/(services\/app\/)?|\?.*/g, '');
    calls.push(name);
    const token = { accessToken: `token ${calls.length}`, expireInSeconds: LIFE_SECONDS };
    return Response.json({ success: true, result: name.startsWith('TokenAuth/') ? token : policy });
  }
  async function signIn(options: object = {}, place?: Place): Promise<Client> {
    const latchkey: Client = createLatchkey({ fetch: async (url: string) => answer(url), ...options });
    opened.push(latchkey);
    await latchkey.ready;
    if (place) latchkey.keepTokenIn(place);
    await latchkey.call('TokenAuth/Authenticate', { userNameOrEmailAddress: 'thandi', password: 'a walk' });
    await settle();
    return latchkey;
  }
  /** Runs all work that waits only for its turn of the event loop. */
  async function settle() {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  async function pass(milliseconds: number) {
    now += milliseconds;
    const secondLooks: (() => void)[] = [];
    const { setTimeout: present } = globalThis;
    const timers = mock.method(
      globalThis,
      'setTimeout',
      (run: (value: unknown) => void, after: number, value: unknown) =>
        after === 250 ? void secondLooks.push(() => run(value)) : present(run, after, value),
    );
    for (const look of looks) look();
    for (const look of secondLooks) look();
    timers.mock.restore();
    await settle();
  }

  it('keeps a token in local storage by default, and elsewhere when the front end or the sign-in says so', async () => {
    const given = createStorage();
    for (const [options, place, keeper] of [
      [{}, undefined, local],
      [{ storage: 'session' }, undefined, session],
      [{ storage: 'session' }, 'local', local],
      [{}, 'session', session],
      [{ storage: given }, undefined, given],
    ] as const) {
      const latchkey = await signIn(options, place);
      const { token = '' } = latchkey;
      assert.match(token, /^token/);
      for (const storage of [local, session, given]) assert.equal(storage.says().includes(token), storage === keeper);
      await latchkey.signOff();
      for (const storage of [local, session, given]) assert.doesNotMatch(storage.says(), /token \d/);
    }
  });

  it('keeps a refreshed token where the previous one was', async () => {
    for (const [place, keeper] of [
      ['session', session],
      ['local', local],
    ] as const) {
      const latchkey = await signIn({}, place);
      latchkey.keepTokenIn(place === 'local' ? 'session' : 'local');
      await latchkey.call('TokenAuth/RefreshTokenAsync');
      for (const storage of [local, session]) assert.equal(storage.says().includes('token '), storage === keeper);
      await latchkey.signOff();
      latchkey.close();
    }
  });

  it('keeps the token of a reauthentication where the previous one was', async () => {
    for (const [place, keeper] of [
      ['session', session],
      ['local', local],
    ] as const) {
      const latchkey = await signIn({}, place);
      const { token: previous } = latchkey;
      latchkey.keepTokenIn(place === 'local' ? 'session' : 'local');
      await latchkey.reauthenticate({ password: 'a walk' });
      assert.equal(calls.at(-1), 'TokenAuth/Reauthenticate');
      assert.notEqual(latchkey.token, previous);
      for (const storage of [local, session]) assert.equal(storage.says().includes('token '), storage === keeper);
      await latchkey.signOff();
      latchkey.close();
    }
  });

  it('stays signed in after a wrong proof of a reauthentication', async () => {
    const refuse = async (url: string) =>
      url.includes('Reauthenticate')
        ? Response.json({ success: false, error: { reason: 'password.incorrect', message: 'no' } }, { status: 400 })
        : answer(url);
    const latchkey = await signIn({ fetch: refuse });
    const { token } = latchkey;
    await assert.rejects(latchkey.reauthenticate({ password: 'not it' }), { reason: 'password.incorrect' });
    assert.equal(latchkey.token, token);
  });

  it('signs in only when the second factor is verified', async () => {
    const challenge = {
      accessToken: null,
      requiresTwoFactorVerification: true,
      challengeToken: 'challenge',
      twoFactorAuthProviders: ['Authenticator'],
    };
    const ask = async (url: string) =>
      url.includes('/Authenticate') ? Response.json({ success: true, result: challenge }) : answer(url);
    const latchkey = await signIn({ fetch: ask });
    assert.equal(latchkey.isSignedIn, false);
    const result = await latchkey.call('TokenAuth/Authenticate', {});
    assert.ok(isChallenge(result));
    assert.ok(!isChallenge({ ...challenge, accessToken: 'token', requiresTwoFactorVerification: false }));
    await latchkey.call('TokenAuth/VerifySecondFactor', { challengeToken: 'challenge', code: '123456' });
    assert.equal(latchkey.isSignedIn, true);
  });

  it('does not sign in again when a refresh ends after the sign-off', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = async (url: string) => {
      const response = answer(url);
      if (url.includes('Refresh')) await held;
      return response;
    };
    const latchkey = await signIn({ fetch: slow });
    const refreshed = latchkey.call('TokenAuth/RefreshTokenAsync');
    await settle();
    await latchkey.signOff();
    release();
    await refreshed;
    assert.equal(latchkey.isSignedIn, false);
  });

  it('refreshes once, also while another tab does not see the stored token yet', async () => {
    const waiting: (() => void)[] = [];
    await signIn();
    const stale = createStorage();
    for (const key of ['latchkey::token', 'latchkey::activeAt']) stale.setItem(key, local.getItem(key) ?? '');
    define({ localStorage: stale });
    opened.push(createLatchkey({ fetch: async (url: string) => answer(url) }));
    await settle();
    now += 2000;
    listeners.get('keydown')?.();
    local.setItem('latchkey::activeAt', String(now));
    mock.method(globalThis, 'setTimeout', (run: () => void) => void waiting.push(run));
    now += (LIFE_SECONDS - 60) * 1000;
    const old = local.getItem('latchkey::token');
    looks[0]?.();
    await settle();
    assert.notEqual(local.getItem('latchkey::token'), old);
    looks[1]?.();
    await settle();
    assert.equal(calls.filter((name) => name === 'TokenAuth/RefreshTokenAsync').length, 1);
    for (const run of waiting) run();
  });

  it('waits for the response to a refresh or a proof only for a while', async () => {
    const hang = (url: string, { signal }: RequestInit) =>
      /Refresh|Reauthenticate/.test(url)
        ? new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        : Promise.resolve(answer(url));
    const latchkey = await signIn({ fetch: hang });
    const { token } = latchkey;
    const asked = [latchkey.reauthenticate({ password: 'a walk' }), latchkey.call('TokenAuth/RefreshTokenAsync')];
    await settle();
    // The service may take so long for a proof by a provider.
    for (const wait of waits) assert.ok(wait > 15_000, `${wait} ms`);
    for (const end of limits) end();
    for (const result of await Promise.allSettled(asked)) {
      assert.ok(result.status === 'rejected' && result.reason.reason === 'network', result.status);
    }
    assert.equal(latchkey.token, token);
  });

  it('waits only for a while for a lock that a suspended tab holds', async () => {
    let isRevoked = false;
    const refuse = async (url: string) =>
      isRevoked
        ? Response.json({ success: false, error: { reason: 'token.revoked', message: 'no' } }, { status: 401 })
        : answer(url);
    const latchkey = await signIn({ fetch: refuse });
    const { token } = latchkey;
    let resume = () => {};
    const suspended = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const held = navigator.locks.request('latchkey::refresh', {}, () => suspended);
    const proven = latchkey.reauthenticate({ password: 'a walk' });
    await settle();
    assert.equal(latchkey.token, token);
    for (const end of limits) end();
    await proven;
    assert.notEqual(latchkey.token, token);
    isRevoked = true;
    const called = latchkey.call('Session/GetAll').catch((error) => error.reason);
    await settle();
    assert.equal(latchkey.isSignedIn, true);
    for (const end of limits) end();
    await settle();
    now += 1000;
    assert.equal(await called, 'token.revoked');
    assert.equal(latchkey.isSignedIn, false);
    resume();
    await held;
  });

  it('refreshes after activity in the first second only', async () => {
    await signIn();
    now += 500;
    listeners.get('keydown')?.();
    await pass((LIFE_SECONDS - 60) * 1000);
    assert.equal(calls.filter((name) => name === 'TokenAuth/RefreshTokenAsync').length, 1);
  });

  it('does not refresh without activity', async () => {
    await signIn();
    await pass((LIFE_SECONDS - 60) * 1000);
    assert.ok(!calls.includes('TokenAuth/RefreshTokenAsync'));
  });

  it('counts from the latest activity, also when the clock was set back since an earlier one', async () => {
    policy.useAutoLogoff = true;
    const latchkey = await signIn();
    now += MINUTE;
    listeners.get('keydown')?.();
    now -= MINUTE - 2000;
    listeners.get('keydown')?.();
    await pass(119_000);
    assert.equal(latchkey.isSignedIn, true);
    await pass(2000);
    assert.equal(latchkey.isSignedIn, false);
  });

  /** Lets pauses of the client end at once: the clock of the test does not move timers. */
  function skipPauses() {
    Object.assign(globalThis, {
      setTimeout: (run: () => void, _: number, ...given: []) => setImmediate(run, ...given),
    });
  }
  const countRefreshes = () => calls.filter((name) => name === 'TokenAuth/RefreshTokenAsync').length;

  it('keeps the token of an idle user fresh while automatic log-off is on, then counts down and logs off', async () => {
    policy = { useAutoLogoff: true, autoLogoffTimeout: 1800 };
    skipPauses();
    const latchkey = await signIn();
    const heard: unknown[] = [];
    latchkey.onIdle((secondsLeft) => heard.push(secondsLeft));
    latchkey.onSession((_, end) => heard.push(end));
    for (let minute = 1; minute < 29; minute += 1) {
      await pass(MINUTE);
      assert.equal(latchkey.isSignedIn, true, `after ${minute} minutes`);
    }
    assert.equal(countRefreshes(), 7);
    assert.deepEqual(heard, []);
    await pass(MINUTE + 30_000);
    assert.deepEqual(heard, [30]);
    await pass(30_000);
    assert.deepEqual([heard, calls.at(-1)], [[30, 'idle', null], 'TokenAuth/SignOff']);
    await pass(LIFE_SECONDS * 1000);
    assert.equal(calls.at(-1), 'TokenAuth/SignOff');
  });

  it('logs off an idle user before a page acts, by the time that the service allows now', async () => {
    skipPauses();
    const latchkey = await signIn();
    now += 119_000;
    policy = { useAutoLogoff: true, autoLogoffTimeout: 120 };
    assert.equal(await latchkey.signOffIfIdle(), true);
    now += 1000;
    assert.deepEqual([await latchkey.signOffIfIdle(), calls.at(-1)], [false, 'TokenAuth/SignOff']);
  });

  it('logs off an idle user whose last activity is no longer known', async () => {
    policy = { useAutoLogoff: true, autoLogoffTimeout: 1800 };
    skipPauses();
    const latchkey = await signIn();
    local.removeItem('latchkey::activeAt');
    for (let minute = 0; minute < 40; minute += 1) await pass(MINUTE);
    assert.equal(latchkey.isSignedIn, false);
  });

  it('refreshes in time in a hidden page, whose timers run once a minute', async () => {
    policy = { useAutoLogoff: true, autoLogoffTimeout: 1800 };
    skipPauses();
    const latchkey = await signIn();
    define({ document: { visibilityState: 'hidden', removeEventListener: () => {} } });
    // With a check every 61 seconds, there is none in the last minute of the token.
    await pass(56_000);
    for (let checks = 0; checks < 4; checks += 1) await pass(61_000);
    assert.equal(latchkey.isSignedIn, true);
  });

  it('finds out that another device has ended the session: when the user returns, and within a minute of use', async () => {
    const ways: [event: string, use: () => Promise<void>][] = [
      ['focus', async () => listeners.get('focus')?.()],
      ['visibilitychange', async () => listeners.get('visibilitychange')?.()],
      [
        'keydown',
        async () => {
          for (let second = 0; second < 60; second += 1) {
            listeners.get('keydown')?.();
            await pass(1000);
          }
        },
      ],
    ];
    skipPauses();
    for (const [event, use] of ways) {
      let hasEnded = false;
      const fetch = async (url: string) => {
        const response = answer(url);
        return hasEnded && url.includes('LoginInfo')
          ? Response.json({ success: true, result: { user: null } })
          : response;
      };
      const latchkey = await signIn({ fetch });
      hasEnded = true;
      await use();
      await settle();
      now += 2_000;
      await settle();
      assert.equal(latchkey.isSignedIn, false, event);
      latchkey.close();
    }
  });

  it('does not ask whether the session is open while the user does nothing', async () => {
    await signIn();
    for (let minute = 0; minute < 4; minute += 1) await pass(MINUTE);
    assert.deepEqual(
      calls.filter((name) => name.startsWith('Session/')),
      [],
    );
  });

  /** Lets the browser deny storage, and with it locks and channels between tabs, as Firefox does. */
  function denyStorage() {
    const deny = () => {
      throw new DOMException('no', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(globalThis, name, { get: deny, configurable: true });
    }
    define({ navigator: { locks: { request: async () => deny() } } });
    class Denied {
      constructor() {
        deny();
      }
    }
    Object.assign(globalThis, { BroadcastChannel: Denied });
  }

  for (const place of ['local', 'session'] as const)
    it(`refreshes a token for the place ${place} where the browser denies storage, locks and channels`, async () => {
      denyStorage();
      const latchkey = await signIn({}, place);
      const { token: first } = latchkey;
      assert.ok(first);
      now += 500;
      listeners.get('keydown')?.();
      await pass((LIFE_SECONDS - 60) * 1000);
      const { token: second } = latchkey;
      assert.deepEqual([countRefreshes(), second === first], [1, false]);
      await latchkey.reauthenticate({ password: 'a walk' });
      assert.ok(latchkey.isSignedIn && latchkey.token !== second);
    });

  for (const isDenied of [false, true])
    it(`tries a refresh that fails once, ${isDenied ? 'without' : 'with'} a lock`, async () => {
      if (isDenied) denyStorage();
      const failing = async (url: string) => {
        const answered = answer(url);
        return url.includes('Refresh') ? new Response(null, { status: 503 }) : answered;
      };
      await signIn({ fetch: failing });
      now += 500;
      listeners.get('keydown')?.();
      await pass((LIFE_SECONDS - 60) * 1000);
      assert.equal(countRefreshes(), 1);
    });

  describe('where the storage is full', () => {
    const fill = () => {
      const refuse = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
      const full = [local, session].map((storage) => mock.method(storage, 'setItem', refuse));
      return () => {
        for (const one of full) one.mock.restore();
      };
    };

    it('signs off', async () => {
      const latchkey = await signIn();
      fill();
      await latchkey.signOff();
      assert.deepEqual([latchkey.isSignedIn, calls.at(-1)], [false, 'TokenAuth/SignOff']);
      assert.doesNotMatch(local.says(), /token \d/);
    });

    it('logs off an idle user', async () => {
      policy = { useAutoLogoff: true, autoLogoffTimeout: 120 };
      const latchkey = await signIn();
      const heard: unknown[] = [];
      latchkey.onSession((_, end) => heard.push(end));
      fill();
      await pass(121_000);
      assert.deepEqual([latchkey.isSignedIn, heard, calls.at(-1)], [false, ['idle'], 'TokenAuth/SignOff']);
      assert.doesNotMatch(local.says(), /token \d/);
    });

    for (const place of ['local', 'session'] as const)
      it(`finds the token of the place ${place} after a reload, and says that it cannot keep another`, async () => {
        const former = await signIn({}, place);
        const { token } = former;
        former.close();
        const empty = fill();
        const latchkey: Client = createLatchkey({ fetch: async (url: string) => answer(url) });
        opened.push(latchkey);
        latchkey.keepTokenIn(place);
        assert.deepEqual([latchkey.token, latchkey.canKeepToken], [token, false]);
        empty();
        assert.equal(latchkey.canKeepToken, true);
        assert.doesNotMatch(local.says() + session.says(), /probe/);
      });

    for (const place of ['local', 'session'] as const)
      it(`keeps the token of the place ${place} in memory, and says so`, async () => {
        const former = await signIn({}, place);
        former.close();
        const [, name = ''] = /(token \d)/.exec(local.says() + session.says()) ?? [];
        const latchkey: Client = createLatchkey({ fetch: async (url: string) => answer(url) });
        opened.push(latchkey);
        latchkey.keepTokenIn(place);
        const empty = fill();
        await latchkey.call('TokenAuth/Authenticate', {});
        assert.ok(latchkey.isSignedIn && latchkey.token !== name);
        assert.equal(latchkey.canKeepToken, false);
        assert.doesNotMatch(local.says() + session.says(), /token \d/, 'No other tab goes on with the former one.');
        empty();
        await latchkey.signOff();
        assert.deepEqual([latchkey.isSignedIn, latchkey.canKeepToken], [false, true]);
      });
  });

  it('tells that the browser blocks storage, for the place of the next sign-in', async () => {
    const blocked = {
      get() {
        throw new DOMException('no', 'SecurityError');
      },
      configurable: true,
    };
    const found = [];
    for (const storages of [[], ['sessionStorage'], ['localStorage', 'sessionStorage']]) {
      for (const name of storages) Object.defineProperty(globalThis, name, blocked);
      const latchkey: Client = createLatchkey({ fetch: async (url: string) => answer(url) });
      opened.push(latchkey);
      for (const place of ['local', 'session'] as const) {
        latchkey.keepTokenIn(place);
        found.push(latchkey.canKeepToken);
      }
    }
    assert.deepEqual(found, [true, true, true, false, false, false]);
  });
});
