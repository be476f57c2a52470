// The fixed window: how many requests one address may make in it, and how long it waits after that; pure rules.
import { addSeconds, type Instant, secondsUntil } from '../foundation/clock.ts';

/** What applies to one policy at this moment. */
export type Limits = {
  /** Requests an address may make in one window, at least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** Shortest wait, from the first refusal on; 0: until the window ends. */
  readonly retryAfterSeconds: number;
};

/** What is kept of one address under one policy. A window starts with the first request of its address. */
export type Window = {
  readonly startedAt: Instant;
  /** Requests that were let through; refused ones do not count. */
  readonly requests: number;
  /** When the first of the refusals that now stand was spoken; later refusals do not move it. */
  readonly refusedAt: Instant | null;
};

/** The answer to one request, and what its headers say. */
export type Decision = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Seconds until the whole budget is there again, at least 1. */
  readonly resetSeconds: number;
  /** Seconds for `Retry-After` when refused, at least 1 and never early; 0 when allowed. */
  readonly retryAfterSeconds: number;
  /** Is this the first refusal since the address was last let through? It alone is worth a line in the audit trail. */
  readonly firstRefusal: boolean;
};

/**
 * Decides on one request and gives the window as it is afterwards.
 * The limits are those of now, not those the window began under: a change applies to the next request.
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

/**
 * Does the next request start a new window? Yes once the window has ended and no refusal outlasts it; also when the
 * window lies further ahead than it is long, because a clock was set back since: else its address would wait for hours.
 */
function isOver(window: Window, limits: Limits, now: Instant): boolean {
  if (window.startedAt > addSeconds(now, limits.windowSeconds)) return true;
  if (now < addSeconds(window.startedAt, limits.windowSeconds)) return false;
  const refusalStands = window.refusedAt !== null && window.requests >= limits.limit;
  return !refusalStands || now >= addSeconds(window.refusedAt, limits.retryAfterSeconds);
}

/** The decision on one more request, if the window was refused and the refusal stands: this request changes nothing. */
export function standingRefusal(window: Window, limits: Limits, now: Instant): Decision | undefined {
  if (window.refusedAt === null) return undefined;
  const { decision } = take(window, limits, now);
  return decision.allowed ? undefined : decision;
}

/**
 * What the caller is told of the decisions on one request under two budgets: the refusal, and to wait until neither is used
 * up; without one, the decision that leaves fewer requests, or the first of two that leave as many.
 */
export function stricter(one: Decision, other: Decision): Decision {
  if (one.allowed && other.allowed) return other.remaining < one.remaining ? other : one;
  const isOther = one.allowed || (!other.allowed && other.resetSeconds > one.resetSeconds);
  const waits = [one, other].map(({ remaining, resetSeconds }) => (remaining === 0 ? resetSeconds : 0));
  return { ...(isOther ? other : one), retryAfterSeconds: Math.max(...waits) };
}

/** When the window and the refusals in it are over, under these limits. */
export function endOf({ startedAt, refusedAt }: Window, limits: Limits): Instant {
  const windowEnd = addSeconds(startedAt, limits.windowSeconds);
  if (refusedAt === null) return windowEnd;
  return Math.max(windowEnd, addSeconds(refusedAt, limits.retryAfterSeconds)) as Instant;
}

/** Says what `window`, as a request left it, means for that request. */
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
