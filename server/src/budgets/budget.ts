// Budget rules: how many uses a day has, and how soon after the last one another is allowed.
import { addSeconds, type Instant } from '../foundation/clock.ts';

const DAY_SECONDS = 86_400;

/** The used part of a day's budget. The day begins with the first use. */
export type Budget = { startedAt: Instant; used: number; lastUsedAt: Instant };

/** The limits of a budget. */
export type Allowance = { perDay: number; cooldownSeconds: number };

/** Why a budget allows no use now, and until when. */
export type Exhaustion = { reason: 'cooldown' | 'dailyLimit'; until: Instant };

/**
 * Whether less than `seconds` have passed since `start`. A `start` further in the future than `seconds` does not count:
 * the clock was set back since, and the service would otherwise send nothing until then.
 */
function isUnderWay(start: Instant, seconds: number, now: Instant): boolean {
  return start <= addSeconds(now, seconds) && now < addSeconds(start, seconds);
}

/** Returns the budget as it counts now. After its day it is unused again. */
export function budgetAt(budget: Budget, now: Instant): Budget {
  return isUnderWay(budget.startedAt, DAY_SECONDS, now) ? budget : { ...budget, startedAt: now, used: 0 };
}

/** Returns why the budget does not allow one more use now, or null if it does. */
export function findExhaustion(
  budget: Budget,
  { perDay, cooldownSeconds }: Allowance,
  now: Instant,
): Exhaustion | null {
  if (budget.used >= perDay) return { reason: 'dailyLimit', until: addSeconds(budget.startedAt, DAY_SECONDS) };
  if (!isUnderWay(budget.lastUsedAt, cooldownSeconds, now)) return null;
  return { reason: 'cooldown', until: addSeconds(budget.lastUsedAt, cooldownSeconds) };
}

/** Returns the budget after one more use. A use that needs no wait lets no other one wait. */
export function useOnce(budget: Budget, { cooldownSeconds }: Allowance, now: Instant): Budget {
  return { ...budget, used: budget.used + 1, ...(cooldownSeconds > 0 && { lastUsedAt: now }) };
}
