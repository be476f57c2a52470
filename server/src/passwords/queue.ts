// A fair queue: so many tasks at once, requesters served in turn, and a refusal for what would wait too long.
import type { Clock } from '../foundation/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';

/** Tasks in a queue. */
export type Load = { readonly running: number; readonly waiting: number };

/**
 * On whose behalf a task runs: keys such as a client's address and an account. Tasks wait in the lane of their first key,
 * and lanes are served in turn, so that one caller never keeps the others waiting. Empty for the service itself.
 */
export type Requester = readonly string[];

export type Queue = {
  /** Runs `task` when its lane's turn comes. @throws AuthError `service.unavailable` when it would wait too long. */
  run<Result>(task: () => Promise<Result>, requester?: Requester): Promise<Result>;
  load(): Load;
};

/** Longest wait, by estimate, in milliseconds. */
const MAX_WAIT_MS = 2000;

/** What each key may have in flight, of all that can start within that time. */
const SHARE = 1 / 4;

/** However slow hashes are, so many may wait, and each key may have in flight: the answers to one round of questions. */
const FEWEST_PLACES = 10;

/** How long a task is assumed to run until some were measured: one argon2id hash of ours on one core. */
const FIRST_ESTIMATE_MS = 10;
const SHORTEST_ESTIMATE_MS = 1;

/** Weight of the newest measurement in the moving average. */
const WEIGHT = 1 / 16;

/** A queue that runs `atOnce` tasks at a time. */
export function createQueue(atOnce: number, clock: Pick<Clock, 'elapsed'>): Queue {
  /** Tasks that wait, by lane, in the order in which lanes are served. */
  const lanes = new Map<string, (() => void)[]>();
  const inFlight = new Map<string, number>();
  let running = 0;
  let averageMs = FIRST_ESTIMATE_MS;

  /** How many tasks start before the next one of this lane would. */
  function countAhead(lane: string): number {
    const own = lanes.get(lane)?.length ?? 0;
    let ahead = own;
    for (const [other, tasks] of lanes) if (other !== lane) ahead += Math.min(tasks.length, own + 1);
    return ahead;
  }

  function requirePlace(lane: string, requester: Requester): void {
    const places = Math.max(FEWEST_PLACES, Math.floor((MAX_WAIT_MS * atOnce) / averageMs));
    const share = Math.max(FEWEST_PLACES, atOnce, Math.floor(places * SHARE));
    const waitsTooLong = running >= atOnce && countAhead(lane) >= places;
    const holdsShare = requester.some((key) => (inFlight.get(key) ?? 0) >= share);
    if (waitsTooLong || holdsShare) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
  }

  function count(requester: Requester, change: 1 | -1): void {
    for (const key of requester) {
      const left = (inFlight.get(key) ?? 0) + change;
      if (left === 0) inFlight.delete(key);
      else inFlight.set(key, left);
    }
  }

  async function start(lane: string): Promise<void> {
    if (running < atOnce) {
      running++;
      return;
    }
    await new Promise<void>((resolve) => lanes.set(lane, [...(lanes.get(lane) ?? []), resolve]));
  }

  /** The place goes straight to the next task waiting, so that none can slip in between; its lane goes to the end. */
  function passOn(): void {
    const [first] = lanes;
    if (first === undefined) {
      running--;
      return;
    }
    const [lane, [next, ...others]] = first;
    lanes.delete(lane);
    if (others.length > 0) lanes.set(lane, others);
    next?.();
  }

  return {
    async run(task, requester = []) {
      const lane = requester[0] ?? '';
      requirePlace(lane, requester);
      count(requester, 1);
      await start(lane);
      const startedAt = clock.elapsed();
      try {
        return await task();
      } finally {
        averageMs = Math.max(SHORTEST_ESTIMATE_MS, averageMs + (clock.elapsed() - startedAt - averageMs) * WEIGHT);
        count(requester, -1);
        passOn();
      }
    },
    load: () => ({ running, waiting: lanes.values().reduce((sum, tasks) => sum + tasks.length, 0) }),
  };
}
