// The interface of the rate limit store.
import type { Instant } from '../foundation/clock.ts';
import type { FailurePolicy, Policy } from './settings.ts';
import type { Decision, Limits } from './window.ts';

/** Stores one window per policy and address. */
export interface RateLimitStore {
  /**
   * Counts one request and decides on it in one atomic step, as `take` of window.ts does. Of concurrent requests, on one
   * node or several, exactly `limits.limit` are allowed in a window, and exactly one is the first refusal.
   * @param address the budget's key in canonical form: an address or a network.
   */
  take(policy: Policy | FailurePolicy, address: string, limits: Limits, now: Instant): Promise<Decision>;
  /** Gives back one allowed request, as `giveBack` of window.ts does. @param takenAt when it was allowed. */
  giveBack(policy: Policy | FailurePolicy, address: string, limits: Limits, takenAt: Instant): Promise<void>;
  /** Returns a refusal in this node's memory that still stands under these limits. It counts nothing and runs no query. */
  standingRefusal(policy: Policy | FailurePolicy, address: string, limits: Limits, now: Instant): Decision | undefined;
  /**
   * Deletes, in small batches, the windows whose start and refusal are more than `longestWaitSeconds` ago.
   * @returns how many.
   */
  deleteExpired(now: Instant, longestWaitSeconds: number): Promise<number>;
}
