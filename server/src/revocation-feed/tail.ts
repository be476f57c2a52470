// The tail: reads new revocations while somebody follows them, and gives each batch to all followers.
import type { Clock } from '../foundation/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';
import type { Snapshot } from './position.ts';
import type { StoredRevocation } from './store.ts';

/** How often the tail reads what other nodes have written. A node reads its own revocations when they are committed. */
const POLL_INTERVAL_MS = 100;

/**
 * New revocations, in the order of their positions. The snapshot was taken before they were read, and after `readAt`, in
 * milliseconds of `clock.elapsed`.
 */
export type Batch = {
  readonly revocations: readonly StoredRevocation[];
  readonly snapshot: Snapshot;
  readonly readAt: number;
};

/** Receives every batch from the moment on that it follows, the empty ones too: each shows that nothing was missed. */
export interface Follower {
  next(batch: Batch): void;
  /** No batch follows: positions have lost their meaning, or the service stops. */
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
  /** Ends all followers. */
  stop(): void;
  readonly followers: number;
}

export function createTail(deps: {
  readSnapshot: () => Promise<Snapshot>;
  readSince: (snapshot: Snapshot) => Promise<StoredRevocation[]>;
  clock: Clock;
  onError: (error: unknown) => void;
}): Tail {
  const { readSnapshot, readSince, clock, onError } = deps;
  const followers = new Set<Follower>();
  let seen: Snapshot | undefined;
  let reading: Promise<void> | undefined;
  let isDue = false;
  let isFailing = false;
  let stopPolling = () => {};

  function endAll() {
    for (const follower of followers) follower.end();
    followers.clear();
    rest();
  }

  function rest() {
    stopPolling();
    stopPolling = () => {};
    seen = undefined;
  }

  async function read() {
    const before = seen;
    const readAt = clock.elapsed();
    const snapshot = await readSnapshot();
    if (before && before.epoch !== snapshot.epoch) return endAll();
    const isNews = before && (before.next !== snapshot.next || before.running.length > 0);
    const revocations = isNews ? await readSince(before) : [];
    if (followers.size === 0) return rest();
    seen = snapshot;
    for (const follower of followers) follower.next({ revocations, snapshot, readAt });
  }

  /** Runs one read at a time. A revocation that is committed during a read is due for the next one. */
  async function readAll() {
    try {
      do {
        isDue = false;
        await read();
      } while (isDue);
      isFailing = false;
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
      followers.add(follower);
      if (followers.size === 1) stopPolling = clock.every(POLL_INTERVAL_MS, wake);
      const leave = () => {
        if (followers.delete(follower) && followers.size === 0) rest();
      };
      if (!seen) await wake();
      if (!seen) {
        leave();
        throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
      }
      return leave;
    },
    wake: () => void wake(),
    stop: endAll,
    get followers() {
      return followers.size;
    },
  };
}
