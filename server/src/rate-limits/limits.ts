// The rate limits as journeys use them: one budget per policy and address, under the limits that the settings say now.
import type { Clock } from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { limitsOf, longestWaitSeconds, type Policy, rateLimitingSetting } from './settings.ts';
import type { RateLimitStore } from './store.ts';
import type { Decision } from './window.ts';

/** Nodes' clocks may differ by this much before one forgets a window that still counts for another. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** Budgets against password spraying, guessing of pins and SMS toll fraud (specification 8). */
export interface RateLimits {
  /**
   * Uses one request of the budget of `address` (the budget key of http/client-address.ts), whatever the request's
   * answer will be.
   * @throws service.unavailable when the store is out of reach: what cannot be counted is not let through.
   */
  take(policy: Policy, address: string): Promise<Decision>;
  /** Housekeeping: forgets windows that are past, and says how many. */
  removeExpired(): Promise<number>;
}

export type RateLimitsDeps = {
  readonly store: RateLimitStore;
  readonly settings: SettingReader;
  readonly clock: Clock;
};

export function createRateLimits({ store, settings, clock }: RateLimitsDeps): RateLimits {
  return {
    take: (policy, address) =>
      store.take(policy, address, limitsOf(policy, settings.read(rateLimitingSetting)), clock.now()),
    removeExpired() {
      const longest = longestWaitSeconds(settings.read(rateLimitingSetting));
      return store.removeExpired(clock.now(), longest + CLOCK_TOLERANCE_SECONDS);
    },
  };
}
