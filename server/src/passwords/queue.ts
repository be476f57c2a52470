// A bounded queue: so many tasks at once, as many waiting as can start within two seconds, and a refusal for the rest.
import type { Clock } from '../foundation/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';

/** Tasks in a queue. */
export type Load = { readonly running: number; readonly waiting: number };

/**
 * On whose behalf a task runs: keys such as a client's address and an account. Each key may hold a quarter of the
 * queue, so that one caller never takes all places. Empty for the service itself.
 */
export type Requester = readonly string[];

export type Queue = {
  /** Runs `task` after those that came before it. @throws AuthError `service.unavailable` when the queue is full. */
  run<Result>(task: () => Promise<Result>, requester?: Requester): Promise<Result>;
  load(): Load;
};

/** Longest wait, by estimate, in milliseconds. */
const MAX_WAIT_MS = 2000;

/** The part of the queue that one key may hold. */
const SHARE = 1 / 4;

/** How long a task is assumed to run until some were measured: one argon2id hash of ours on one core. */
const FIRST_ESTIMATE_MS = 10;
const SHORTEST_ESTIMATE_MS = 1;

/** Weight of the newest measurement in the moving average. */
const WEIGHT = 1 / 16;

/** A queue that runs `atOnce` tasks at a time. */
export function createQueue(atOnce: number, clock: Pick<Clock, 'elapsed'>): Queue {
  const waiting: (() => void)[] = [];
  const inFlight = new Map<string, number>();
  let running = 0;
  let averageMs = FIRST_ESTIMATE_MS;

  function requirePlace(requester: Requester): void {
    const places = Math.max(1, Math.floor((MAX_WAIT_MS * atOnce) / averageMs));
    const share = Math.max(atOnce, Math.floor(places * SHARE));
    const isFull = running >= atOnce && waiting.length >= places;
    const holdsShare = requester.some((key) => (inFlight.get(key) ?? 0) >= share);
    if (isFull || holdsShare) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
  }

  function count(requester: Requester, change: 1 | -1): void {
    for (const key of requester) {
      const left = (inFlight.get(key) ?? 0) + change;
      if (left === 0) inFlight.delete(key);
      else inFlight.set(key, left);
    }
  }

  async function start(): Promise<void> {
    if (running < atOnce) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** The place goes straight to the next task waiting, so that none can slip in between. */
  function passOn(): void {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }

  return {
    async run(task, requester = []) {
      requirePlace(requester);
      count(requester, 1);
      await start();
      const startedAt = clock.elapsed();
      try {
        return await task();
      } finally {
        averageMs = Math.max(SHORTEST_ESTIMATE_MS, averageMs + (clock.elapsed() - startedAt - averageMs) * WEIGHT);
        count(requester, -1);
        passOn();
      }
    },
    load: () => ({ running, waiting: waiting.length }),
  };
}
