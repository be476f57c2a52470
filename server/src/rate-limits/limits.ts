// The rate limits that endpoints use: one budget per policy and address, under the current settings.
import type { Clock, Instant } from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import {
  type FailurePolicy,
  failureLimitsOf,
  limitsOf,
  longestWaitSeconds,
  type Policy,
  rateLimitingSetting,
} from './settings.ts';
import type { RateLimitStore } from './store.ts';
import { type Decision, type Limits, stricter } from './window.ts';

/** If clocks of nodes differ by less, no node deletes a window that still counts for another. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** How many addresses of a site can use up their budgets before the site's budget is used up. */
const SITE_FACTOR = 16;

/** Budgets against password spraying, guessed pins and SMS toll fraud (specification 8). */
export interface RateLimits {
  /**
   * Counts one request against the budget of `address` and, if that allows it, against the budget of its `site` (the keys
   * of http/client-address.ts). It refuses the request when either budget is used up. A refused request does not use the
   * site's budget, so that one address cannot use it up for its neighbours.
   * @returns the decision of the budget that has less left.
   * @throws AuthError `service.unavailable` when the store is unreachable: the service refuses requests it cannot count.
   */
  take(policy: Policy, address: string, site?: string): Promise<Decision>;
  /**
   * Returns the refusal of a subject whose failures have used up its budget, as this node knows. It counts nothing.
   * @param subject what fails, from one address.
   */
  findRefusal(policy: FailurePolicy, subject: string): Decision | undefined;
  /** Counts a failure, also of a `site` as {@link take} does. @returns the decision: one that is not allowed is answered with 429. */
  countFailure(policy: FailurePolicy, subject: string, site?: string): Promise<Decision>;
  /** Takes back what was counted before it was known to be no failure. @param countedAt when. */
  takeBack(policy: FailurePolicy, subject: string, site: string | undefined, countedAt: Instant): Promise<void>;
  /** Cleanup job: deletes the windows that no longer count. @returns how many. */
  deleteExpired(): Promise<number>;
}

export type RateLimitsDeps = {
  readonly store: RateLimitStore;
  readonly settings: SettingReader;
  readonly clock: Clock;
};

export function createRateLimits({ store, settings, clock }: RateLimitsDeps): RateLimits {
  async function takeBoth(policy: Policy | FailurePolicy, limits: Limits, address: string, site: string | undefined) {
    const now = clock.now();
    if (site === undefined) return store.take(policy, address, limits, now);
    const siteLimits = { ...limits, limit: SITE_FACTOR * limits.limit };
    // An address of a site that is already refused makes no row, and keeps its own budget.
    const standing = [
      store.standingRefusal(policy, address, limits, now),
      store.standingRefusal(policy, site, siteLimits, now),
    ].filter((decision) => decision !== undefined);
    if (standing.length > 0) return standing.reduce(stricter);
    const own = await store.take(policy, address, limits, now);
    return own.allowed ? stricter(own, await store.take(policy, site, siteLimits, now)) : own;
  }

  return {
    take: async (policy, address, site) =>
      takeBoth(policy, limitsOf(policy, settings.read(rateLimitingSetting)), address, site),
    findRefusal: (policy, subject) => store.standingRefusal(policy, subject, failureLimitsOf(policy), clock.now()),
    countFailure: (policy, subject, site) => takeBoth(policy, failureLimitsOf(policy), subject, site),
    async takeBack(policy, subject, site, countedAt) {
      const limits = failureLimitsOf(policy);
      // Mutation: `site === undefined ? [subject] : [subject, site]` becomes `[subject, site]`. No budget has that name.
      for (const address of site === undefined ? [subject] : [subject, site]) {
        await store.giveBack(policy, address, limits, countedAt);
      }
    },
    deleteExpired() {
      const longest = longestWaitSeconds(settings.read(rateLimitingSetting));
      return store.deleteExpired(clock.now(), longest + CLOCK_TOLERANCE_SECONDS);
    },
  };
}
