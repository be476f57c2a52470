// The client: makes calls with the token of this browser, refreshes it, and logs off automatically, together in all tabs.
import { computeIdleness, isRefreshDue, isSessionCheckDue } from './activity.ts';
import { send } from './call.ts';
import type { Calls } from './calls.ts';
import type { Latchkey, LatchkeyOptions, Reauthentication } from './interface.ts';
import { createNews } from './news.ts';
import { hasPage, isHidden, listenToPage } from './page-events.ts';
import { hasNoUser, hasToken, isSecuritySettings, isTokenRefusal } from './results.ts';
import { createSharedState, type HeldToken, hasRoom, openStorage, type SessionEnd } from './shared-state.ts';
import { createId, createTokenKeeper, type TokenPlace } from './token-keeper.ts';
import { createTokenLock, PROPAGATION_MS, pause, RESPONSE_MS } from './token-lock.ts';

/** The interval between two checks of the state. */
const CHECK_MS = 1000;

/** The interval between two reads of the policy. */
const POLICY_MS = 30_000;

/** The time between two tries to refresh. */
const RETRY_MS = 5_000;

/** The time that another tab may take to refresh, where the browser has no locks. */
const REFRESH_WAIT_MS = 2_000;

/** The time after which a tab looks again at a session that seems to be over. See {@link checkState}. */
const SECOND_LOOK_MS = 250;

/** How long it looks again when it was held up meanwhile: what the browser has to tell it may still wait behind the timer. */
const LATE_LOOKS_MS = 2000;

/** The time between two reads of a token that is to arrive. */
const POLL_MS = 25;

/** How often a tab asks the other tabs for the token. The tab that has it may be loading a page. */
const ASK_TRIES = 15;

const REFRESH = 'TokenAuth/RefreshTokenAsync';

/** The calls that replace the token of the same session. */
const replacing: readonly string[] = [REFRESH, 'TokenAuth/Reauthenticate'];

/** Creates a client, and starts its timers. Create one for each page. */
export function createLatchkey(options: LatchkeyOptions = {}): Latchkey {
  const { baseUrl = '', frontEnd, storage = 'local' } = options;
  const transport = { baseUrl, frontEnd, fetch: options.fetch ?? fetch.bind(globalThis) };
  const shared = typeof storage === 'string' ? openStorage(() => localStorage) : storage;
  const own = openStorage(() => sessionStorage);
  const state = createSharedState(shared, baseUrl);
  const keeper = createTokenKeeper(state, own, baseUrl);
  let place: TokenPlace = storage === 'session' ? 'session' : 'local';
  const news = createNews();
  let retryAt = 0;
  /** Whether the storage has taken the current token. */
  let isKept = true;
  let secondLook: ReturnType<typeof setTimeout> | undefined;

  /** The token, unless it has expired by this browser's clock. */
  const current = () => {
    const token = keeper.read();
    return token && Date.now() < token.expiresAt ? token : null;
  };

  const tellSession = () => news.tellSession(current() !== null, state.read('end') ?? 'ended');

  function storeToken(text: string, seconds: number, isSigningIn: boolean) {
    const receivedAt = Date.now();
    // Signing in is activity; refreshing is not. A time that is lost begins again, or the session would never be idle.
    if (isSigningIn || state.read('activeAt') === null) state.write('activeAt', receivedAt);
    state.write('end', null);
    const token = { id: createId(), text, receivedAt, expiresAt: receivedAt + seconds * 1000 };
    isKept = keeper.write(token, isSigningIn ? place : keeper.place);
    if (isSigningIn) updatePolicy();
    tellSession();
  }

  function removeToken(end: SessionEnd) {
    if (keeper.read()) state.write('end', end);
    isKept = keeper.write(null, place);
    tellSession();
  }

  const lock = createTokenLock(baseUrl);

  /** Waits until the token of a refresh in progress, in any tab, has reached this tab. */
  async function awaitRefresh(used: string, isReplacement: boolean) {
    if (!isReplacement && keeper.read()?.text === used) await lock.wait();
    const until = Date.now() + (lock.isSupported ? PROPAGATION_MS : REFRESH_WAIT_MS);
    while (keeper.read()?.text === used && Date.now() < until) await pause(POLL_MS);
    await keeper.ask(ASK_TRIES);
  }

  const hasExpired = () => news.isSignedIn && keeper.read() !== null && !current();

  /** Waits until this tab knows the token, also after the browser has suspended it. */
  async function catchUp() {
    if (hasExpired()) await pause(SECOND_LOOK_MS);
    await keeper.ask(ASK_TRIES);
  }

  async function call<Name extends keyof Calls>(
    name: Name,
    input: Readonly<Record<string, unknown>> = {},
  ): Promise<Calls[Name]['result']> {
    if (keeper.isMissing() || hasExpired()) await catchUp();
    const isReplacement = replacing.includes(name);
    const used = current()?.text;
    const attempt = () =>
      send(transport, name, input, current()?.text, isReplacement ? AbortSignal.timeout(RESPONSE_MS) : null);
    /** Ends the session of a dead token. @returns whether another tab has refreshed it: the call has done nothing then. */
    const isReplaced = async () => {
      if (used !== undefined) await awaitRefresh(used, isReplacement);
      const held = keeper.read()?.text;
      if (held !== undefined && held === used) removeToken('ended');
      return !isReplacement && held !== undefined && held !== used;
    };
    let result = await attempt().catch(async (error) => {
      if (isTokenRefusal(error) && (await isReplaced())) return attempt();
      throw error;
    });
    if (used !== undefined && hasNoUser(result) && (await isReplaced())) result = await attempt();
    // A replacement that ends after a sign-off, or after a sign-in to another account, must not replace what they stored.
    const isOutdated = isReplacement && keeper.read()?.text !== used;
    if (hasToken(result) && !isOutdated) storeToken(result.accessToken, result.expireInSeconds, !isReplacement);
    return result;
  }

  async function signOff(end: SessionEnd) {
    if (keeper.isMissing() || hasExpired()) await catchUp();
    const token = current();
    removeToken(end);
    if (token) await send(transport, 'TokenAuth/SignOff', {}, token.text);
  }

  const readActiveAt = (token: HeldToken | null) => state.read('activeAt') ?? token?.receivedAt ?? 0;

  const isDue = (token: HeldToken) => {
    const use = { policy: state.read('policy'), activeAt: readActiveAt(token), isHidden: isHidden() };
    return isRefreshDue(token, use, Date.now());
  };

  /** One tab refreshes. A tab that gets the lock later finds a token that is not due. */
  async function refresh() {
    retryAt = Number.POSITIVE_INFINITY;
    const refreshIfDue = async () => {
      const token = current();
      if (token && isDue(token)) await call(REFRESH);
    };
    const hasRun = await lock.tryRun(refreshIfDue).catch(() => true);
    // A tab that waited for the failed try of another one is the next to try: its network may work.
    retryAt = Date.now() + (hasRun ? RETRY_MS : RETRY_MS / 2);
  }

  /** Ends this session if another device has ended it. */
  function checkSession() {
    const now = Date.now();
    if (Math.abs(now - (state.read('checkedAt') ?? 0)) < CHECK_MS) return;
    state.write('checkedAt', now);
    call('Session/GetCurrentLoginInfo').catch(() => {});
  }

  const reauthenticate = (proof: Reauthentication) =>
    lock.run(async () => void (await call('TokenAuth/Reauthenticate', { ...proof })));

  /**
   * Notifies the listeners of the current state. Refreshes the token if it is due, and signs off if idle for too long.
   * Looks twice before it ends the session: a tab that was suspended may read the storage before the browser updates it.
   * @returns whether the user is signed in.
   */
  function checkState(isSecondLook = false): boolean {
    if (keeper.isMissing()) {
      void keeper.ask(ASK_TRIES).then(() => checkState());
      return false;
    }
    const token = current();
    const now = Date.now();
    const activeAt = readActiveAt(token);
    const idleness = computeIdleness(state.read('policy'), activeAt, now);
    const isOver = token ? idleness.is === 'over' : hasExpired();
    if (isOver && !isSecondLook) {
      if (secondLook === undefined) lookAgain(performance.now() + LATE_LOOKS_MS);
      return false;
    }
    clearTimeout(secondLook);
    secondLook = undefined;
    if (isOver && idleness.is === 'over') state.write('end', 'idle');
    tellSession();
    if (isOver && token) signOff('idle').catch(() => {});
    if (isOver || !token) return false;
    news.tellIdle(idleness.is === 'warn' ? idleness.secondsLeft : null);
    const checkedAt = Math.max(state.read('checkedAt') ?? 0, token.receivedAt);
    if (isDue(token)) {
      if (now >= retryAt) void refresh();
    } else if (isSessionCheckDue(checkedAt, activeAt, now)) checkSession();
    return true;
  }

  /** Looks at the state for the second time. A look that comes late is repeated, until this time of `performance.now()`. */
  function lookAgain(until: number): void {
    const due = performance.now() + SECOND_LOOK_MS;
    secondLook = setTimeout(() => {
      // The timers of a hidden tab are always late.
      const isLate = performance.now() - due > SECOND_LOOK_MS / 2 && !isHidden();
      if (isLate && performance.now() < until) lookAgain(until);
      else checkState(true);
    }, SECOND_LOOK_MS);
  }

  /** @param isExplicit whether the user asked to stay, as opposed to pressing a key or moving the pointer. */
  function recordActivity(isExplicit: boolean) {
    // Check first: activity after the timeout is too late.
    if (!checkState() || (news.isCountingDown && !isExplicit)) return;
    const now = Date.now();
    const activeAt = state.read('activeAt') ?? 0;
    // Write at most once a second, but the first activity with a token at once: the refresh depends on it. A time in the
    // future was written before the clock was set back.
    if (Math.abs(now - activeAt) < CHECK_MS && activeAt > (current()?.receivedAt ?? 0)) return;
    state.write('activeAt', now);
    checkState();
  }

  async function readPolicy() {
    if (!current()) return;
    const value: unknown = await send(transport, 'Settings/GetValue', { name: 'Shesha.Security' }, undefined);
    if (!isSecuritySettings(value)) return;
    state.write('policy', { isOn: value.useAutoLogoff, timeout: value.autoLogoffTimeout });
    checkState();
  }
  const updatePolicy = () => void (hasPage() && readPolicy().catch(() => {}));

  const onShow = () => {
    if (!isHidden()) updatePolicy();
    return checkState();
  };
  const onReturn = () => void (onShow() && checkSession());
  const onStorage = ({ key }: StorageEvent) => {
    state.forget(key ?? '');
    checkState();
  };
  const stopListening = listenToPage({ onActivity: () => recordActivity(false), onShow, onReturn, onStorage });
  const timers = hasPage() ? [setInterval(() => checkState(), CHECK_MS), setInterval(updatePolicy, POLICY_MS)] : [];
  tellSession();
  void keeper.ask(1);
  // A page that loads reads the present state.
  checkState(true);
  updatePolicy();

  return {
    keepTokenIn(chosen) {
      place = chosen;
    },
    call: (name, ...[input]) => call(name, { ...input }),
    get ready() {
      return catchUp();
    },
    get isSignedIn() {
      return keeper.isMissing() || secondLook !== undefined ? news.isSignedIn : current() !== null;
    },
    get canKeepToken() {
      return isKept && hasRoom(shared) && (place === 'local' || hasRoom(own));
    },
    get tokenPlace() {
      return keeper.place;
    },
    get token() {
      return current()?.text;
    },
    reauthenticate,
    signOff: () => signOff('signedOff'),
    onSession: news.onSession,
    onIdle: news.onIdle,
    stayActive: () => recordActivity(true),
    async signOffIfIdle() {
      await catchUp();
      await readPolicy().catch(() => {});
      checkState();
      while (secondLook !== undefined) await pause(SECOND_LOOK_MS);
      return current() !== null;
    },
    close() {
      stopListening();
      keeper.close();
      for (const timer of timers) clearInterval(timer);
      clearTimeout(secondLook);
      secondLook = undefined;
    },
  };
}
