// The tail of a feed: reads new items while listeners follow them, and gives each page to all of them.
import type { Clock } from './clock.ts';
import { serviceErrors } from './errors.ts';
import { createOutageReport } from './outage-report.ts';

/** How often the tail reads what other nodes have written. A node reads its own items when they are committed. */
const POLL_INTERVAL_MS = 100;

/** The pause after each read. Under load, one read serves all items that are committed meanwhile. */
const PAUSE_MS = 10;

/** @property complete whether nothing more is there at the moment. */
export type FeedPage<Item> = { readonly items: readonly Item[]; readonly next: string; readonly complete: boolean };

/** A page, and the cursor after it. */
export type Reading<Cursor, Item> = { readonly page: FeedPage<Item>; readonly end: Cursor };

/** New items. The database was read after `readAt`, in milliseconds of `clock.elapsed`. */
export type Batch<Item> = { readonly page: FeedPage<Item>; readonly readAt: number };

/** Receives every batch from the moment on that it follows, the empty ones too: each shows that nothing was missed. */
export interface Follower<Item> {
  next(batch: Batch<Item>): void;
  /** No batch follows: cursors have lost their meaning, or the service stops. */
  end(): void;
}

export interface Tail<Item> {
  /**
   * Gives the follower all items that a reader does not see who begins to read now.
   * @returns a function that ends it.
   * @throws AuthError `service.unavailable`.
   */
  follow(follower: Follower<Item>): Promise<() => void>;
  /** Reads as soon as possible: this node has committed an item. */
  wake(): void;
  /** Ends all followers, and takes no others. */
  stop(): void;
  /** How many follow, and how many milliseconds ago the last successful read for them began. */
  state(): { followers: number; age: number | undefined };
}

/**
 * @param readEnd returns the cursor after all that the database shows.
 * @param readOn returns the page after a cursor, or `undefined` if the cursor has lost its meaning.
 */
export function createTail<Cursor, Item>(deps: {
  readEnd: () => Promise<Cursor>;
  readOn: (cursor: Cursor) => Promise<Reading<Cursor, Item> | undefined>;
  clock: Clock;
  onError: (error: unknown) => void;
}): Tail<Item> {
  const { readEnd, readOn, clock, onError } = deps;
  const followers = new Set<Follower<Item>>();
  let seen: Cursor | undefined;
  let readAt: number | undefined;
  let reading: Promise<void> | undefined;
  // Mutation: `false` becomes `true`. Each read begins by setting it to false.
  let isDue = false;
  const report = createOutageReport(onError);
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

  /** Returns whether more items are there to read. */
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

  /** Runs one read at a time. An item that is committed during a read is due for the next one. */
  async function readAll() {
    try {
      let isBehind: boolean | undefined;
      do {
        isDue = false;
        isBehind = await read();
        report.worked();
        if (!isBehind) await clock.sleep(PAUSE_MS);
      } while (isDue || isBehind);
    } catch (error) {
      // Followers hear nothing until the outage is over.
      report.failed(error);
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
