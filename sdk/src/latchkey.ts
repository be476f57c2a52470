// The client: calls with this browser's token, and the watch over it that all tabs keep together.
import { activityEvents, isRefreshDue, judgeIdleness } from './activity.ts';
import { isLatchkeyError, send } from './call.ts';
import type { Calls } from './calls.ts';
import type { Latchkey, LatchkeyOptions } from './interface.ts';
import { createSharedState, openStorage, type SessionEnd } from './shared-state.ts';
import { createTokenKeeper, type TokenPlace } from './token-keeper.ts';

const TICK_MS = 1000;
const POLICY_MS = 30_000;

/** Between two tries to refresh. */
const RETRY_MS = 5_000;

/** How long another tab may take to refresh, where there is no lock to wait for. */
const PATIENCE_MS = 2_000;

/** How long a stored token may take to reach the other tabs: browsers pass on storage and locks independently. */
const MOMENT_MS = 1_000;

/** Between two looks for a token that is to arrive. */
const POLL_MS = 25;

/** How often a tab asks for the token that followed on its own; the tab that has it may be loading a page. */
const TRIES = 15;

const REFRESH = 'TokenAuth/RefreshTokenAsync';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Makes a client, and begins to watch. One for each page. */
export function createLatchkey(options: LatchkeyOptions = {}): Latchkey {
  const { baseUrl = '', frontEnd, storage = 'local' } = options;
  const transport = { baseUrl, frontEnd, fetch: options.fetch ?? fetch.bind(globalThis) };
  const state = createSharedState(typeof storage === 'string' ? openStorage(() => localStorage) : storage, baseUrl);
  const keeper = createTokenKeeper(
    state,
    openStorage(() => sessionStorage),
    baseUrl,
  );
  let place: TokenPlace = storage === 'session' ? 'session' : 'local';
  const sessionListeners = new Set<(isSignedIn: boolean, end: SessionEnd | null) => void>();
  const idleListeners = new Set<(secondsLeft: number | null) => void>();
  let warned: number | null = null;
  let wasSignedIn = false;
  let retryAt = 0;

  /** The token, unless it is past by this browser's clock. */
  const current = () => {
    const token = keeper.read();
    return token && Date.now() < token.expiresAt ? token : null;
  };

  function tell() {
    const isSignedIn = current() !== null;
    if (isSignedIn === wasSignedIn) return;
    wasSignedIn = isSignedIn;
    for (const listener of sessionListeners) listener(isSignedIn, isSignedIn ? null : (state.read('end') ?? 'ended'));
    if (!isSignedIn) warn(null);
  }

  function warn(secondsLeft: number | null) {
    if (secondsLeft === warned) return;
    warned = secondsLeft;
    for (const listener of idleListeners) listener(secondsLeft);
  }

  function hold(text: string, seconds: number, isSigningIn: boolean) {
    const receivedAt = Date.now();
    // Signing in is activity; refreshing is not.
    if (isSigningIn) state.write('activeAt', receivedAt);
    state.write('end', null);
    const token = { id: createId(), text, receivedAt, expiresAt: receivedAt + seconds * 1000 };
    keeper.write(token, isSigningIn ? place : keeper.place);
    if (isSigningIn) renewPolicy();
    tell();
  }

  function forget(end: SessionEnd) {
    if (keeper.read()) state.write('end', end);
    keeper.write(null, place);
    tell();
  }

  const isDead = (error: unknown) =>
    isLatchkeyError(error) && error.status === 401 && error.reason.startsWith('token.');

  /** Pages that came over plain http have no locks; the service still lets only one refresh succeed. */
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
  const lockName = `latchkey:${baseUrl}:refresh`;

  /** Waits until a refresh that is under way in any tab has brought its token, which arrives here a moment after it. */
  async function settleRefresh(used: string, isRefresh: boolean) {
    if (locks && !isRefresh && keeper.read()?.text === used) await locks.request(lockName, () => {});
    const until = Date.now() + (locks ? MOMENT_MS : PATIENCE_MS);
    while (keeper.read()?.text === used && Date.now() < until) await pause(POLL_MS);
    await keeper.fetch(TRIES);
  }

  async function call(name: keyof Calls, input: Readonly<Record<string, unknown>> = {}): Promise<never> {
    if (keeper.isAway()) await keeper.fetch(TRIES);
    const isRefresh = name === REFRESH;
    const used = current()?.text;
    const attempt = () => send(transport, name, input, current()?.text);
    const result = await attempt().catch(async (error) => {
      if (!isDead(error)) throw error;
      if (used !== undefined) await settleRefresh(used, isRefresh);
      const held = keeper.read()?.text;
      // Refreshed meanwhile: nothing was done with the old token, so it may be done with the new one.
      if (!isRefresh && held !== undefined && held !== used) return attempt();
      if (held !== undefined && held === used) forget('ended');
      throw error;
    });
    // A refresh that ends after a sign-off, or after a sign-in to another account, must not replace what they stored.
    const isOutdated = isRefresh && keeper.read()?.text !== used;
    if (isTokenAnswer(result) && !isOutdated) hold(result.accessToken, result.expireInSeconds, !isRefresh);
    return result as never;
  }

  async function signOff(end: SessionEnd) {
    if (keeper.isAway()) await keeper.fetch(TRIES);
    const token = current();
    forget(end);
    if (token) await send(transport, 'TokenAuth/SignOff', {}, token.text);
  }

  /** By one tab: whoever gets the lock later finds a token that is not due. */
  async function refresh() {
    retryAt = Date.now() + RETRY_MS;
    const renew = async () => {
      const token = current();
      if (!token || !isRefreshDue(token, state.read('activeAt') ?? 0, Date.now())) return;
      await call(REFRESH);
      // A tab that gets the lock before the new token would refresh the dead one.
      await pause(MOMENT_MS);
    };
    await (locks ? locks.request(lockName, { ifAvailable: true }, (lock) => lock && renew()) : renew());
  }

  /** @returns whether somebody is signed in who has not been idle for too long. */
  function look(): boolean {
    if (keeper.isAway()) {
      void keeper.fetch(TRIES).then(look);
      return false;
    }
    tell();
    const token = current();
    if (!token) return false;
    const now = Date.now();
    const activeAt = state.read('activeAt') ?? token.receivedAt;
    const idleness = judgeIdleness(state.read('policy'), activeAt, now);
    if (idleness.is === 'over') {
      signOff('idle').catch(() => {});
      return false;
    }
    warn(idleness.is === 'warn' ? idleness.secondsLeft : null);
    if (now >= retryAt && isRefreshDue(token, activeAt, now)) refresh().catch(() => {});
    return true;
  }

  /** @param isAnswer whether it says so itself, as opposed to a key or pointer that was seen. */
  function noteActivity(isAnswer: boolean) {
    // Looked at first: whoever comes back after the time is over is not active but late.
    if (!look() || (warned !== null && idleListeners.size > 0 && !isAnswer)) return;
    const now = Date.now();
    const activeAt = state.read('activeAt') ?? 0;
    // Written once a second, but the first activity with a token at once: without it the token is not refreshed. A time
    // that lies ahead was written before the clock was set back.
    if (Math.abs(now - activeAt) < TICK_MS && activeAt > (current()?.receivedAt ?? 0)) return;
    state.write('activeAt', now);
    look();
  }

  async function readPolicy() {
    if (!current()) return;
    const value = (await send(transport, 'Settings/GetValue', { name: 'Shesha.Security' }, undefined)) as {
      useAutoLogoff: boolean;
      autoLogoffTimeout: number;
    };
    state.write('policy', { isOn: value.useAutoLogoff, timeout: value.autoLogoffTimeout });
    look();
  }
  const renewPolicy = () => void readPolicy().catch(() => {});

  const onActivity = () => noteActivity(false);
  const onVisible = () => {
    if (document.visibilityState === 'visible') renewPolicy();
    look();
  };
  for (const event of activityEvents) addEventListener(event, onActivity, { passive: true, capture: true });
  document.addEventListener('visibilitychange', onVisible);
  addEventListener('pageshow', onVisible);
  const stopHearing = state.onChange(() => look());
  const timers = [setInterval(look, TICK_MS), setInterval(renewPolicy, POLICY_MS)];
  wasSignedIn = current() !== null;
  void keeper.fetch(1);
  look();
  renewPolicy();

  return {
    keepTokenIn(chosen) {
      place = chosen;
    },
    call: (name: keyof Calls, input?: object) => call(name, { ...input }),
    get ready() {
      return keeper.fetch(TRIES);
    },
    get isSignedIn() {
      return keeper.isAway() ? wasSignedIn : current() !== null;
    },
    get token() {
      return current()?.text;
    },
    signOff: () => signOff('signedOff'),
    onSession(listener) {
      sessionListeners.add(listener);
      return () => sessionListeners.delete(listener);
    },
    onIdle(listener) {
      idleListeners.add(listener);
      return () => idleListeners.delete(listener);
    },
    stayActive: () => noteActivity(true),
    close() {
      for (const event of activityEvents) removeEventListener(event, onActivity, { capture: true });
      document.removeEventListener('visibilitychange', onVisible);
      removeEventListener('pageshow', onVisible);
      stopHearing();
      keeper.close();
      for (const timer of timers) clearInterval(timer);
    },
  } as Latchkey;
}

/** The browser's own UUIDs are only for pages that came over https, or from this machine. */
const createId = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

const isTokenAnswer = (result: unknown): result is { accessToken: string; expireInSeconds: number } =>
  typeof (result as { accessToken?: unknown } | null)?.accessToken === 'string';
