// The rules of the fixed window: how many requests one address may make in it, and how long it waits after that.
import { addSeconds, type Instant, secondsUntil, toInstant } from '../foundation/clock.ts';

/** The current limits of one policy. */
export type Limits = {
  /** Requests an address may make in one window, at least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** The shortest wait after the first refusal. 0: until the window ends. */
  readonly retryAfterSeconds: number;
};

/** The state of one address under one policy. A window starts with the first request of its address. */
export type Window = {
  readonly startedAt: Instant;
  /** Allowed requests. Refused requests do not count. */
  readonly requests: number;
  /** The instant of the first refusal that still stands. Later refusals do not change it. */
  readonly refusedAt: Instant | null;
};

/** The decision on one request, with the values of its headers. */
export type Decision = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Seconds until the whole budget is available again, at least 1. */
  readonly resetSeconds: number;
  /** Seconds for `Retry-After` of a refusal, at least 1 and never early. 0 if allowed. */
  readonly retryAfterSeconds: number;
  /** Whether this is the first refusal since the last allowed request. Only this one gets an audit entry. */
  readonly firstRefusal: boolean;
};

/**
 * Decides on one request. Changed limits apply to the next request, also in a window that began under other limits.
 * @returns the decision, and the window after it.
 */
export function take(before: Window | undefined, limits: Limits, now: Instant): { window: Window; decision: Decision } {
  const current = before && !isOver(before, limits, now) ? before : { startedAt: now, requests: 0, refusedAt: null };
  if (current.requests < limits.limit) {
    const window = { ...current, requests: current.requests + 1, refusedAt: null };
    return { window, decision: decisionOn(window, limits, now, false) };
  }
  const window = { ...current, refusedAt: current.refusedAt ?? now };
  return { window, decision: decisionOn(window, limits, now, current.refusedAt === null) };
}

/** Gives back a request that was allowed then. A refusal that stands stays, and a later window is not changed. */
export function giveBack(window: Window, takenAt: Instant): Window {
  const isOf = window.refusedAt === null && window.startedAt <= takenAt;
  return isOf ? { ...window, requests: window.requests - 1 } : window;
}

/**
 * Whether the next request starts a new window: the window has ended, and no refusal outlasts it. It also does if the
 * window starts further in the future than its length, because a clock was set back. The address would wait for hours.
 */
function isOver(window: Window, limits: Limits, now: Instant): boolean {
  if (window.startedAt > addSeconds(now, limits.windowSeconds)) return true;
  if (now < addSeconds(window.startedAt, limits.windowSeconds)) return false;
  const refusalStands = window.refusedAt !== null && window.requests >= limits.limit;
  return !refusalStands || now >= addSeconds(window.refusedAt, limits.retryAfterSeconds);
}

/** Returns the refusal of one more request if a refusal of this window still stands. It changes nothing. */
export function standingRefusal(window: Window, limits: Limits, now: Instant): Decision | undefined {
  if (window.refusedAt === null) return undefined;
  const { decision } = take(window, limits, now);
  return decision.allowed ? undefined : decision;
}

/**
 * Returns the stricter one of the decisions of two budgets on one request: a refusal before a permission, the longer one of
 * two refusals, and of two permissions the one with fewer remaining requests. If they are equal, returns the first.
 * The wait of a refusal lasts until neither budget is used up.
 */
export function stricter(one: Decision, other: Decision): Decision {
  if (one.allowed && other.allowed) return other.remaining < one.remaining ? other : one;
  const isOther = one.allowed || (!other.allowed && other.resetSeconds > one.resetSeconds);
  // Mutation: `0` becomes `1`. One of the two is a refusal, whose wait is a second at least.
  const waits = [one, other].map(({ remaining, resetSeconds }) => (remaining === 0 ? resetSeconds : 0));
  return { ...(isOther ? other : one), retryAfterSeconds: Math.max(...waits) };
}

/** Returns when the window and its refusals end, under these limits. */
export function endOf({ startedAt, refusedAt }: Window, limits: Limits): Instant {
  const windowEnd = addSeconds(startedAt, limits.windowSeconds);
  // Mutation: `refusedAt === null` becomes `false`. Every window outlasts a refusal of 1970.
  if (refusedAt === null) return windowEnd;
  return toInstant(Math.max(windowEnd, addSeconds(refusedAt, limits.retryAfterSeconds)));
}

/** Returns the decision on a request from the window after it. */
export function decisionOn(window: Window, limits: Limits, now: Instant, firstRefusal: boolean): Decision {
  const allowed = window.refusedAt === null;
  const resetSeconds = secondsUntil(endOf(window, limits), now);
  return {
    allowed,
    limit: limits.limit,
    windowSeconds: limits.windowSeconds,
    remaining: Math.max(0, limits.limit - window.requests),
    resetSeconds,
    retryAfterSeconds: allowed ? 0 : resetSeconds,
    firstRefusal,
  };
}
