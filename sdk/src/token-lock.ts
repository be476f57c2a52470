// The lock of the browser: one tab at a time replaces the token, and holds the lock until the other tabs have the new one.
import { hasPage } from './page-events.ts';

/** The time that a stored token may take to reach the other tabs: browsers pass on storage and locks independently. */
export const PROPAGATION_MS = 1_000;

/**
 * How long a request that replaces the token waits for its response. Other tabs wait for it too. A proof by a provider may take the
 * service ten seconds, and its account's lock some more. Without the response, the session is lost.
 */
export const RESPONSE_MS = 20_000;

/** How long other tabs wait for the lock. A tab that holds it longer is suspended. */
const HELD_MS = RESPONSE_MS + 5_000;

export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

type Work = () => Promise<void>;

export interface TokenLock {
  /**
   * Pages over plain http have no locks, and without a page there are no tabs. A browser that denies storage denies each request
   * for a lock. Without a lock, the work is done at once. The service still lets only one refresh of a token succeed.
   */
  readonly isSupported: boolean;
  /**
   * Does the work, unless another tab holds the lock. Then waits for that tab. If it is suspended, one of the waiting tabs
   * does the work. @returns whether this tab did the work.
   */
  tryRun(work: Work): Promise<boolean>;
  /** Does the work once no other tab holds the lock, except a suspended one. The caller does not wait for the other tabs. */
  run(work: Work): Promise<void>;
  /** Waits while another tab holds the lock, unless that tab is suspended. @returns whether there is a lock, and it is free. */
  wait(): Promise<boolean>;
}

/** @param scope separates clients of different services on one origin. */
export function createTokenLock(scope: string): TokenLock {
  const { locks }: Partial<Pick<Navigator, 'locks'>> = hasPage() ? navigator : {};
  const name = `latchkey:${scope}:refresh`;
  const request = <Result>(lockName: string, options: LockOptions, callback: LockGrantedCallback<Result>) =>
    locks ? locks.request(lockName, options, callback) : Promise.reject();
  /** Does the work, unless another tab holds the lock. @returns whether one does. */
  const tryLock = (lockName: string, work: Work) => {
    let begun: Promise<void> | undefined;
    const begin = () => {
      begun ??= work();
      return begun;
    };
    // Without a lock, the work is begun all the same. Work that has failed is not done again.
    return request(lockName, { ifAvailable: true }, async (lock) => {
      if (!lock) return true;
      await begin();
      // A tab that gets the lock before the new token would refresh the revoked one.
      await pause(PROPAGATION_MS);
      return false;
    }).catch(begin);
  };
  const enqueue = async (work: () => unknown) => request(name, { signal: AbortSignal.timeout(HELD_MS) }, work);
  const wait = () =>
    enqueue(() => {}).then(
      () => true,
      () => false,
    );
  return {
    isSupported: !!locks,
    wait,
    // A suspended tab still holds the first lock.
    tryRun: async (work) => !(await tryLock(name, work)) || (!(await wait()) && !(await tryLock(`${name}:late`, work))),
    run: (work) =>
      new Promise((resolve, reject) => {
        const settle = () => work().then(resolve, reject);
        // Only the wait for the lock can fail here.
        enqueue(() => settle().then(() => pause(PROPAGATION_MS))).catch(settle);
      }),
  };
}
