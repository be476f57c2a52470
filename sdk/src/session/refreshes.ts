// Refreshes: of all requests that come with the same old tokens, in any process, one exchanges them, and the others get its answer.
import { type System, within } from '../verify/system.ts';
import type { SessionStore } from './interface.ts';
import type { Seals } from './seal.ts';
import { type Held, type Origin, readTimes, type Tokens, toHeld } from './tokens.ts';

/** How long answers are kept, from when a request got them: for others that were on their way with the old cookie. */
const KEPT_SECONDS = 30;

/** A shared store must answer within this time. One that is away may keep calls until it is back. */
const STORE_MS = 1000;

/** How long a process looks for the answer that another one may be getting, and how often. */
const LOOKS = 20;
const LOOK_MS = 50;

export interface Refreshes {
  /**
   * Exchanges the tokens, or returns what they were exchanged for. Undefined: the session has ended.
   * @param isWaiting whether the request still waits for the answer. If none does, the answer is kept for a later one.
   */
  refresh(held: Held, origin: Origin, isWaiting?: () => boolean): Promise<Held | undefined>;
  /**
   * Returns what the tokens were exchanged for. Undefined if they were not. `isRefused`: the service does not accept them, so
   * another process may just be exchanging them.
   */
  find(held: Held, options?: { isRefused: boolean }): Promise<Held | undefined>;
}

/** Answers in the memory of this process. */
export function createMemoryStore(system: System): SessionStore {
  const values = new Map<string, { readonly value: string; readonly until: number }>();
  return {
    async get(key) {
      const kept = values.get(key);
      // Later than that, a cookie that was copied must open nothing.
      return kept && kept.until > system.elapsed() ? kept.value : undefined;
    },
    async set(key, value, seconds) {
      const now = system.elapsed();
      for (const [old, { until }] of values) if (until <= now) values.delete(old);
      values.set(key, { value, until: now + seconds * 1000 });
    },
  };
}

/** What became of tokens. No `held`: their session has ended. `isUnclaimed`: no request has got them yet. */
type Answer = { readonly held?: Held; readonly isUnclaimed?: boolean };

/** The names of an answer in a store, one for each secret. This process looks under the first one. */
type Keys = readonly [string, ...string[]];

/** An exchange, and the requests that have asked for it. */
type Running = { readonly answer: Promise<Answer>; readonly requests: (() => boolean)[] };

/** @param shared Other processes of the application use it, too. */
export function createRefreshes(
  tokens: Tokens,
  seals: Seals,
  shared: SessionStore | undefined,
  system: System,
): Refreshes {
  /** Has the answers of this process also if the shared store is away. */
  const own = createMemoryStore(system);
  /** The tokens of which another process has shared no answer in time. */
  const lookedFor = createMemoryStore(system);
  const running = new Map<string, Running>();

  const keysOf = ({ token }: Held): Promise<Keys> => seals.hash(token);

  /** Calls the shared store, if there is one. @throws Error if it fails, or does not answer in time. */
  const callStore = async <Result>(call: (store: SessionStore) => Promise<Result>) =>
    shared && within(system, STORE_MS, 'store', call(shared));

  async function read([key]: Keys): Promise<Answer | undefined> {
    const value = (await own.get(key)) ?? (await callStore((store) => store.get(key)));
    const content = value == null ? undefined : await seals.open('refresh', value);
    if (!content) return undefined;
    const held = toHeld(content);
    return held ? { held, isUnclaimed: content.isUnclaimed === true } : {};
  }

  async function keep(keys: Keys, answer: Answer, seconds = KEPT_SECONDS): Promise<Answer> {
    const { held, isUnclaimed = false } = answer;
    const value = await seals.seal('refresh', { ...held, ...(isUnclaimed && { isUnclaimed }) });
    const keepHere = () => own.set(keys[0], value, seconds);
    // While a secret is replaced, it is the first one in some processes and the second one in others.
    const share = (store: SessionStore) => Promise.all(keys.map((key) => store.set(key, value, seconds)));
    // An end is in one place: the answer of another process may come late, and replace it. So are tokens that another process may claim.
    if ((held && !isUnclaimed) || !shared) await keepHere();
    // The service gives tokens once. A store that is away must not lose them for the request that gets them.
    await callStore(share).catch(isUnclaimed ? keepHere : () => undefined);
    return answer;
  }

  /**
   * Keeps the answer from now on if a request gets it. Otherwise it waits for one, at most as long as the old tokens are valid. Requests
   * may come and go while it is being kept.
   */
  async function claim(keys: Keys, old: Held, held: Held, requests: Running['requests']): Promise<Answer> {
    const secondsLeft = Math.ceil((readTimes(old).expiresAt - system.now()) / 1000);
    const isUnclaimed = () => !requests.some((isWaiting) => isWaiting());
    for (;;) {
      const answer = { held, isUnclaimed: isUnclaimed() };
      await keep(keys, answer, answer.isUnclaimed ? Math.max(secondsLeft, KEPT_SECONDS) : KEPT_SECONDS);
      if (answer.isUnclaimed === isUnclaimed()) return answer;
    }
  }

  /** The service refused: the session has ended, or another process has just exchanged the token and is about to say so. */
  async function awaitOther(keys: Keys): Promise<Answer | undefined> {
    if (shared === undefined || tokens.outliveToken) return undefined;
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const found = await read(keys);
      if (found) return found;
      await new Promise<void>((resolve) => void system.after(LOOK_MS, resolve));
    }
    return undefined;
  }

  async function exchange(keys: Keys, held: Held, origin: Origin): Promise<Answer> {
    const known = await read(keys);
    if (known) return known;
    const fresh = await tokens.refresh(held, origin);
    if (fresh) return { held: fresh, isUnclaimed: true };
    return (await awaitOther(keys)) ?? keep(keys, {});
  }

  /** Begins an exchange whose answer the requests that ask meanwhile get, too. */
  function start(keys: Keys, old: Held, origin: Origin): Running {
    const requests: Running['requests'] = [];
    const answer = exchange(keys, old, origin)
      .then((found) => (found.held && found.isUnclaimed ? claim(keys, old, found.held, requests) : found))
      .finally(() => running.delete(keys[0]));
    const begun = { answer, requests };
    running.set(keys[0], begun);
    return begun;
  }

  return {
    async refresh(held, origin, isWaiting = () => true) {
      const keys = await keysOf(held);
      const { answer, requests } = running.get(keys[0]) ?? start(keys, held, origin);
      requests.push(isWaiting);
      return (await answer).held;
    },
    async find(held, { isRefused } = { isRefused: false }) {
      const keys = await keysOf(held);
      const [key] = keys;
      const known = await (running.get(key)?.answer ?? read(keys));
      if (known || !isRefused || (await lookedFor.get(key)) !== undefined) return known?.held;
      const found = await awaitOther(keys);
      // This keeps no end: only a refused exchange proves one. But the next request need not wait.
      if (!found) await lookedFor.set(key, '', KEPT_SECONDS);
      return found?.held;
    },
  };
}
