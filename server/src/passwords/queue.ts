// A fair queue: it bounds how many tasks run at once, serves callers in turn, and refuses tasks that would wait too long. Under load
// it returns the results of several tasks together.
import type { Clock } from '../foundation/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';

/** How many tasks run and wait in a queue. */
export type Load = { readonly running: number; readonly waiting: number };

/**
 * The keys under which the queue counts a task, such as the caller's network and an account. Tasks wait in the lane of
 * their first key. Lanes are served in turn, so that one caller cannot delay the others. Empty for the service itself.
 */
export type Requester = readonly string[];

export type Queue = {
  /** Runs `task` when its lane is next. @throws AuthError `service.unavailable` when it would wait too long. */
  run<Result>(task: () => Promise<Result>, requester?: Requester): Promise<Result>;
  load(): Load;
};

/** The longest estimated wait. */
const MAX_WAIT_MS = 2000;

/** A task that has waited for so long, because others came before it in turn, is refused. A reservation of the lockout lasts 8 s. */
const LATEST_START_MS = 5000;

/** The share of the tasks that can start within that time which each key may have in flight. */
const SHARE = 1 / 4;

/** Even if hashes are slow, this many tasks may wait, and each key may have this many in flight: one round of answers. */
const MIN_PLACES = 10;

/** The estimated run time before the first measurements: one argon2id hash with the service's own parameters. */
const INITIAL_ESTIMATE_MS = 10;
const MIN_ESTIMATE_MS = 1;

/** The weight of the newest measurement in the moving average. */
const WEIGHT = 1 / 16;

/**
 * The most results that are returned together, and the longest time that the first of them waits. A hash replaces what the caches
 * of the processor hold, so the work after it takes less time if it is done for several sign-ins in a row.
 */
const MAX_HELD = 8;
const MAX_HELD_MS = 50;

type Waiting = { readonly since: number; start(): void; refuse(error: unknown): void };

/** Creates a queue that runs at most `atOnce` tasks at a time. */
export function createQueue(atOnce: number, clock: Pick<Clock, 'elapsed' | 'sleep'>): Queue {
  /** The waiting tasks by lane, in the order in which lanes are served. */
  const lanes = new Map<string, Waiting[]>();
  const inFlight = new Map<string, number>();
  /** Tasks that have ended, and whose results are not returned yet. */
  let held: (() => void)[] = [];
  let running = 0;
  let averageMs = INITIAL_ESTIMATE_MS;

  const countWaiting = () => lanes.values().reduce((sum, tasks) => sum + tasks.length, 0);

  /** Returns how many tasks start before a new one of this lane. */
  function countAhead(lane: string): number {
    const own = lanes.get(lane)?.length ?? 0;
    let ahead = own;
    for (const [other, tasks] of lanes) if (other !== lane) ahead += Math.min(tasks.length, own + 1);
    return ahead;
  }

  function requirePlace(lane: string, requester: Requester): void {
    const places = Math.max(MIN_PLACES, Math.floor((MAX_WAIT_MS * atOnce) / averageMs));
    const share = Math.max(MIN_PLACES, atOnce, Math.floor(places * SHARE));
    const waitsTooLong = running >= atOnce && countAhead(lane) >= places;
    // Mutation: `inFlight.get(key) ?? 0` becomes `inFlight.get(key)`, `0` becomes `1`. A share is at least ten.
    const holdsShare = requester.some((key) => (inFlight.get(key) ?? 0) >= share);
    if (waitsTooLong || holdsShare) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
  }

  function count(requester: Requester, change: 1 | -1): void {
    for (const key of requester) {
      const left = (inFlight.get(key) ?? 0) + change;
      // Mutation: `left === 0` becomes `false`. Only memory differs: a count of nothing is kept.
      if (left === 0) inFlight.delete(key);
      else inFlight.set(key, left);
    }
  }

  async function start(lane: string): Promise<void> {
    if (running < atOnce) {
      running++;
      return;
    }
    await new Promise<void>((start, refuse) => {
      lanes.set(lane, [...(lanes.get(lane) ?? []), { since: clock.elapsed(), start, refuse }]);
    });
  }

  /** Gives the place to the next waiting task at once, so that no new task can take it. Its lane goes to the end. */
  function passOn(): void {
    const [first] = lanes;
    if (first === undefined) {
      running--;
      return;
    }
    const [lane, [next, ...others]] = first;
    lanes.delete(lane);
    if (others.length > 0) lanes.set(lane, others);
    if (next && clock.elapsed() - next.since < LATEST_START_MS) next.start();
    else {
      next?.refuse(serviceErrors.unavailable({ retryAfterSeconds: 1 }));
      passOn();
    }
  }

  /**
   * Holds a result until others have ended too. It holds at most as many results as tasks wait, so that the callers of the held
   * results can send their next requests before the waiting tasks run out.
   */
  async function untilReturned(): Promise<void> {
    const together = held;
    const returned = new Promise<void>((resolve) => together.push(resolve));
    if (together.length >= Math.min(countWaiting(), MAX_HELD)) returnAll(together);
    else if (together.length === 1) void clock.sleep(MAX_HELD_MS).then(() => returnAll(together));
    return returned;
  }

  function returnAll(together: readonly (() => void)[]) {
    for (const release of together) release();
    if (held === together) held = [];
  }

  return {
    async run(task, requester = []) {
      // Mutation: `requester[0] ?? ''` becomes `requester[0]`. Callers without keys share a lane, whatever its name.
      const lane = requester[0] ?? '';
      requirePlace(lane, requester);
      count(requester, 1);
      await start(lane).catch((error) => {
        count(requester, -1);
        throw error;
      });
      const startedAt = clock.elapsed();
      try {
        return await task();
      } finally {
        averageMs = Math.max(MIN_ESTIMATE_MS, averageMs + (clock.elapsed() - startedAt - averageMs) * WEIGHT);
        count(requester, -1);
        passOn();
        await untilReturned();
      }
    },
    load: () => ({ running, waiting: countWaiting() }),
  };
}
