// The port of the rate limits' windows.
import type { Instant } from '../foundation/clock.ts';
import type { Policy } from './settings.ts';
import type { Decision, Limits } from './window.ts';

/** Keeps one window per policy and address. */
export interface RateLimitStore {
  /**
   * Counts one request and decides on it, as `take` of window.ts says, in one atomic step: of any number of parallel
   * requests, on one node or several, exactly `limits.limit` are allowed in a window, and exactly one is the first
   * refusal.
   * @param address the budget's key, in canonical form: an address or a network.
   */
  take(policy: Policy, address: string, limits: Limits, now: Instant): Promise<Decision>;
  /**
   * The refusal of a budget that this node remembers and that still stands under these limits; nothing is counted, and
   * no database asked.
   */
  standingRefusal(policy: Policy, address: string, limits: Limits, now: Instant): Decision | undefined;
  /**
   * Forgets, in small batches, windows that began, and were last refused in, more than `longestWaitSeconds` ago.
   * @returns how many were forgotten.
   */
  deleteExpired(now: Instant, longestWaitSeconds: number): Promise<number>;
}
