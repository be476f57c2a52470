// The tail: reads new revocations while listeners follow them, and gives each page to all of them.
import type { Clock } from '../foundation/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';
import type { Cursor } from './cursor.ts';
import type { FeedPage } from './page.ts';

/** How often the tail reads what other nodes have written. A node reads its own revocations when they are committed. */
const POLL_INTERVAL_MS = 100;

/** The pause after each read. Under load, one read serves all revocations that are committed meanwhile. */
const PAUSE_MS = 10;

/** A page, and the cursor after it. */
export type Reading = { readonly page: FeedPage; readonly end: Cursor };

/** New revocations. The database was read after `readAt`, in milliseconds of `clock.elapsed`. */
export type Batch = { readonly page: FeedPage; readonly readAt: number };

/** Receives every batch from the moment on that it follows, the empty ones too: each shows that nothing was missed. */
export interface Follower {
  next(batch: Batch): void;
  /** No batch follows: cursors have lost their meaning, or the service stops. */
  end(): void;
}

export interface Tail {
  /**
   * Gives the follower all revocations that a reader does not see who begins to read now.
   * @returns a function that ends it.
   * @throws AuthError `service.unavailable`.
   */
  follow(follower: Follower): Promise<() => void>;
  /** Reads as soon as possible: this node has committed a revocation. */
  wake(): void;
  /** Ends all followers, and takes no others. */
  stop(): void;
  /** How many follow, and how many milliseconds ago the last successful read for them began. */
  state(): { followers: number; age: number | undefined };
}

/**
 * @param readEnd returns the cursor after all that the database shows.
 * @param readOn returns the page after a cursor, or `undefined` if the cursor is of another epoch.
 */
export function createTail(deps: {
  readEnd: () => Promise<Cursor>;
  readOn: (cursor: Cursor) => Promise<Reading | undefined>;
  clock: Clock;
  onError: (error: unknown) => void;
}): Tail {
  const { readEnd, readOn, clock, onError } = deps;
  const followers = new Set<Follower>();
  let seen: Cursor | undefined;
  let readAt: number | undefined;
  let reading: Promise<void> | undefined;
  // Mutation: `false` becomes `true`. Each read begins by setting it to false.
  let isDue = false;
  let isFailing = false;
  let isStopped = false;
  let stopPolling = () => {};

  function endAll() {
    for (const follower of followers) follower.end();
    followers.clear();
    rest();
  }

  function rest() {
    stopPolling();
    seen = undefined;
    readAt = undefined;
  }

  /** Finds where the first follower begins. It does not wait for reads: under load, they do not stop. */
  async function begin() {
    const beganAt = clock.elapsed();
    const end = await readEnd();
    if (seen || followers.size === 0) return;
    seen = end;
    readAt = beganAt;
  }

  /** Returns whether more revocations are there to read. */
  async function read() {
    const beganAt = clock.elapsed();
    const from = seen;
    if (!from) return;
    const found = await readOn(from);
    // Those it read for have left. Others who follow by now begin after it.
    if (seen !== from) return;
    if (!found) {
      endAll();
      return;
    }
    seen = found.end;
    if (found.page.complete) readAt = beganAt;
    for (const follower of followers) follower.next({ page: found.page, readAt: beganAt });
    return !found.page.complete;
  }

  /** Runs one read at a time. A revocation that is committed during a read is due for the next one. */
  async function readAll() {
    try {
      let isBehind: boolean | undefined;
      do {
        isDue = false;
        isBehind = await read();
        isFailing = false;
        if (!isBehind) await clock.sleep(PAUSE_MS);
      } while (isDue || isBehind);
    } catch (error) {
      // Report an outage once, not ten times a second. Followers hear nothing until it is over.
      if (!isFailing) onError(error);
      isFailing = true;
    } finally {
      reading = undefined;
    }
  }

  function wake() {
    isDue = true;
    if (followers.size > 0) reading ??= readAll();
    return reading;
  }

  return {
    async follow(follower) {
      if (isStopped) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
      followers.add(follower);
      if (followers.size === 1) stopPolling = clock.every(POLL_INTERVAL_MS, wake);
      const leave = () => {
        if (followers.delete(follower) && followers.size === 0) rest();
      };
      try {
        if (!seen) await begin();
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    wake: () => void wake(),
    stop() {
      isStopped = true;
      endAll();
    },
    state: () => ({ followers: followers.size, age: readAt === undefined ? undefined : clock.elapsed() - readAt }),
  };
}
