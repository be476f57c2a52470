// The client: calls with this browser's token, and the watch over it that all tabs keep together.
import { activityEvents, isRefreshDue, judgeIdleness } from './activity.ts';
import { isLatchkeyError, send } from './call.ts';
import type { Calls } from './calls.gen.ts';
import { createSharedState, type SessionEnd } from './shared-state.ts';

export type { SessionEnd };

export type LatchkeyOptions = {
  /** Where the service is, without a slash at the end; by default where the page came from. */
  baseUrl?: string;
  /** The key of the front end that calls. */
  frontEnd?: string;
  /** Where the tabs of a browser keep the token: `localStorage` by default; with `sessionStorage` each tab is alone. */
  storage?: Storage;
  fetch?: typeof fetch;
};

type Input<Name extends keyof Calls> = Calls[Name]['input'];

export interface Latchkey {
  /**
   * Makes a call. One that answers with a token signs this browser in with it; one that is refused because the token is
   * dead signs it out. Rejects with a {@link LatchkeyError}.
   */
  call<Name extends keyof Calls>(
    name: Name,
    ...input: Input<Name> extends undefined
      ? []
      : Record<never, never> extends Input<Name>
        ? [Input<Name>?]
        : [Input<Name>]
  ): Promise<Calls[Name]['result']>;
  readonly isSignedIn: boolean;
  /** The token now, for requests to services of your own; ask again for each. */
  readonly token: string | undefined;
  /** Signs off in all tabs, and on the service. Rejects when the service could not be told; the token is forgotten all the same. */
  signOff(): Promise<void>;
  /** Tells when this browser is signed in or is not any more, in whichever tab that happened. @returns a function that stops it. */
  onSession(listener: (isSignedIn: boolean, end: SessionEnd | null) => void): () => void;
  /**
   * Tells each second of the last minute before automatic log-off how many are left, and `null` once it is averted or over.
   * Whoever listens asks the user, and only {@link stayActive} counts in that minute: else the way to the answer would be one.
   * @returns a function that stops it.
   */
  onIdle(listener: (secondsLeft: number | null) => void): () => void;
  /** Counts as activity, such as "Stay signed in". */
  stayActive(): void;
  /** Stops watching; the token stays. */
  close(): void;
}

const TICK_MS = 1000;
const POLICY_MS = 30_000;

/** Between two tries to refresh. */
const RETRY_MS = 5_000;

/** How long another tab may take to store what its refresh has brought. */
const PATIENCE_MS = 2_000;

const REFRESH = 'TokenAuth/RefreshTokenAsync';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Makes a client, and begins to watch. One for each page. */
export function createLatchkey(options: LatchkeyOptions = {}): Latchkey {
  const { baseUrl = '', frontEnd, storage = localStorage } = options;
  const transport = { baseUrl, frontEnd, fetch: options.fetch ?? fetch.bind(globalThis) };
  const state = createSharedState(storage, baseUrl);
  const sessionListeners = new Set<(isSignedIn: boolean, end: SessionEnd | null) => void>();
  const idleListeners = new Set<(secondsLeft: number | null) => void>();
  let warned: number | null = null;
  let wasSignedIn = false;
  let retryAt = 0;

  /** The token, unless it is past by this browser's clock. */
  const current = () => {
    const token = state.read('token');
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

  function hold(text: string, seconds: number) {
    const receivedAt = Date.now();
    const isSigningIn = current() === null;
    // Signing in is activity; refreshing is not.
    if (isSigningIn) state.write('activeAt', receivedAt);
    state.write('end', null);
    state.write('token', { text, receivedAt, expiresAt: receivedAt + seconds * 1000 });
    if (isSigningIn) renewPolicy();
    tell();
  }

  function forget(end: SessionEnd) {
    if (state.read('token')) state.write('end', end);
    state.write('token', null);
    tell();
  }

  const isDead = (error: unknown) =>
    isLatchkeyError(error) && error.status === 401 && error.reason.startsWith('token.');

  /** Pages that came over plain http have no locks; the service still lets only one refresh succeed. */
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
  const lockName = `latchkey:${baseUrl}:refresh`;

  /** Waits until a refresh that is under way in any tab has brought its token. */
  const settleRefresh = () => (locks ? locks.request(lockName, () => {}) : pause(PATIENCE_MS));

  async function call(name: keyof Calls, input: Readonly<Record<string, unknown>> = {}): Promise<never> {
    const used = current()?.text;
    const attempt = () => send(transport, name, input, current()?.text);
    const result = await attempt().catch(async (error) => {
      if (!isDead(error)) throw error;
      const isRefresh = name === REFRESH;
      if (!isRefresh || !locks) await settleRefresh();
      const held = state.read('token')?.text;
      // Refreshed meanwhile: nothing was done with the old token, so it may be done with the new one.
      if (!isRefresh && held !== undefined && held !== used) return attempt();
      if (held === used) forget('ended');
      throw error;
    });
    if (isTokenAnswer(result)) hold(result.accessToken, result.expireInSeconds);
    return result as never;
  }

  async function signOff(end: SessionEnd) {
    const token = current();
    forget(end);
    if (token) await send(transport, 'TokenAuth/SignOff', {}, token.text);
  }

  /** By one tab: whoever gets the lock later finds a token that is not due. */
  async function refresh() {
    retryAt = Date.now() + RETRY_MS;
    const renew = async () => {
      const token = current();
      if (token && isRefreshDue(token, state.read('activeAt') ?? 0, Date.now())) await call(REFRESH);
    };
    await (locks ? locks.request(lockName, { ifAvailable: true }, (lock) => lock && renew()) : renew());
  }

  /** @returns whether somebody is signed in who has not been idle for too long. */
  function look(): boolean {
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
    if (now - (state.read('activeAt') ?? 0) < TICK_MS) return;
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
  look();
  renewPolicy();

  return {
    call: (name: keyof Calls, input?: object) => call(name, { ...input }),
    get isSignedIn() {
      return current() !== null;
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
      for (const timer of timers) clearInterval(timer);
    },
  } as Latchkey;
}

const isTokenAnswer = (result: unknown): result is { accessToken: string; expireInSeconds: number } =>
  typeof (result as { accessToken?: unknown } | null)?.accessToken === 'string';
