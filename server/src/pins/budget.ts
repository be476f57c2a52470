// Budgets: how often in a day, and how soon again, a pin may be asked for, sent or tried.
import { addSeconds, type Instant } from '../foundation/clock.ts';

const DAY_SECONDS = 86_400;

/** What was used of a day's budget; the day begins with its first use. */
export type Budget = { startedAt: Instant; used: number; lastUsedAt: Instant };

/** What a budget allows. */
export type Allowance = { perDay: number; cooldownSeconds: number };

/** Why a budget allows nothing now, and until when. */
export type Exhaustion = { reason: 'cooldown' | 'dailyLimit'; until: Instant };

/**
 * Whether less than `seconds` have passed since `start`. One that lies further ahead than that is of a clock that was
 * set back since: else nobody would be sent anything until it comes.
 */
function isUnderWay(start: Instant, seconds: number, now: Instant): boolean {
  return start <= addSeconds(now, seconds) && now < addSeconds(start, seconds);
}

/** The budget as it counts now: whole again when its day is over. */
export function budgetAt(budget: Budget, now: Instant): Budget {
  return isUnderWay(budget.startedAt, DAY_SECONDS, now) ? budget : { ...budget, startedAt: now, used: 0 };
}

/** What stands against one more use, if anything. */
export function findExhaustion(
  budget: Budget,
  { perDay, cooldownSeconds }: Allowance,
  now: Instant,
): Exhaustion | null {
  if (budget.used >= perDay) return { reason: 'dailyLimit', until: addSeconds(budget.startedAt, DAY_SECONDS) };
  if (!isUnderWay(budget.lastUsedAt, cooldownSeconds, now)) return null;
  return { reason: 'cooldown', until: addSeconds(budget.lastUsedAt, cooldownSeconds) };
}

/** The budget after one more use. */
export function useOnce(budget: Budget, now: Instant): Budget {
  return { ...budget, used: budget.used + 1, lastUsedAt: now };
}
