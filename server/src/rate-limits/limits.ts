// The rate limits as journeys use them: one budget per policy and address, under the limits that the settings say now.
import type { Clock } from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { limitsOf, longestWaitSeconds, type Policy, rateLimitingSetting } from './settings.ts';
import type { RateLimitStore } from './store.ts';
import { type Decision, stricter } from './window.ts';

/** Nodes' clocks may differ by this much before one forgets a window that still counts for another. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** Addresses of a site that can use up their budgets before the site's own is used up. */
const SITE_FACTOR = 16;

/** Budgets against password spraying, guessing of pins and SMS toll fraud (specification 8). */
export interface RateLimits {
  /**
   * Uses one request of the budget of `address` and, if it is let through, of its `site` (the keys of
   * http/client-address.ts), whatever the request's answer will be. It is refused when either budget is used up; a
   * refusal uses nothing of the site's budget, so that one address cannot use it up for its neighbours.
   * @returns the decision on the budget that is nearer to its end.
   * @throws service.unavailable when the store is out of reach: what cannot be counted is not let through.
   */
  take(policy: Policy, address: string, site?: string): Promise<Decision>;
  /** Housekeeping: forgets windows that are past, and says how many. */
  deleteExpired(): Promise<number>;
}

export type RateLimitsDeps = {
  readonly store: RateLimitStore;
  readonly settings: SettingReader;
  readonly clock: Clock;
};

export function createRateLimits({ store, settings, clock }: RateLimitsDeps): RateLimits {
  return {
    async take(policy, address, site) {
      const limits = limitsOf(policy, settings.read(rateLimitingSetting));
      const now = clock.now();
      if (site === undefined) return store.take(policy, address, limits, now);
      const siteLimits = { ...limits, limit: SITE_FACTOR * limits.limit };
      // So an address of a site that is refused already leaves no row, and keeps what it has of its own budget.
      const standing = [
        store.standingRefusal(policy, address, limits, now),
        store.standingRefusal(policy, site, siteLimits, now),
      ].filter((decision) => decision !== undefined);
      if (standing.length > 0) return standing.reduce(stricter);
      const own = await store.take(policy, address, limits, now);
      return own.allowed ? stricter(own, await store.take(policy, site, siteLimits, now)) : own;
    },
    deleteExpired() {
      const longest = longestWaitSeconds(settings.read(rateLimitingSetting));
      return store.deleteExpired(clock.now(), longest + CLOCK_TOLERANCE_SECONDS);
    },
  };
}
