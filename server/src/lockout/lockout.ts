// Lockout rules: when a subject is locked, and how attempts change its state (specification 3.2; NIST SP 800-63B-4, 3.2.2).
import { addSeconds, type Instant } from '../foundation/clock.ts';

/** The lockout settings of the front end that the caller names. They can be lax, see {@link MAX_STREAK}. */
export type LockoutPolicy = { enabled: boolean; maxFailures: number; seconds: number };

/** A reserved attempt that is not settled. It is reserved for `seconds`, by default for {@link RESERVATION_SECONDS}. */
export type PendingAttempt = { readonly id: string; readonly reservedAt: Instant; readonly seconds?: number };

/** The state of one subject: an account, or a name without account. */
export type LockoutState = {
  failures: number;
  streak: number;
  pending: readonly PendingAttempt[];
  lockedUntil: Instant | null;
};

/**
 * This many failures in a row lock under any policy of the front end, because callers choose the front end that they name.
 * Each further failure locks again. An attacker has one attempt an hour left, and the owner is not locked out for good.
 */
export const MAX_STREAK = 100;
export const STREAK_LOCK_SECONDS = 3600;

/**
 * A reservation expires after this long if it is not settled: its process crashed, lost its database, or was too slow. An
 * attempt that is settled later counts as unverified.
 */
export const RESERVATION_SECONDS = 8;

/**
 * Failures on an account and on a name without account are forgotten after this long without an attempt. If one of the two kept
 * them longer, an attacker could tell them apart.
 */
export const FAILURES_KEPT_SECONDS = 7 * 86_400;

/** Clocks of nodes differ by less. A reservation further in the future was made before the clock was set back. */
const MAX_SKEW_SECONDS = 30;

/** Combines the stricter values of two policies. */
export function stricterPolicy(one: LockoutPolicy, other: LockoutPolicy): LockoutPolicy {
  return {
    enabled: one.enabled || other.enabled,
    maxFailures: Math.min(one.maxFailures, other.maxFailures),
    seconds: Math.max(one.seconds, other.seconds),
  };
}

/**
 * Returns the state as it counts now, without expired reservations and ended locks. When it is stored, an ended lock does
 * not return even if the clock is set back.
 */
export function stateAt(state: LockoutState, now: Instant): LockoutState {
  const isHeld = ({ reservedAt, seconds = RESERVATION_SECONDS }: PendingAttempt) =>
    now < addSeconds(reservedAt, seconds) && reservedAt <= addSeconds(now, MAX_SKEW_SECONDS);
  const isLocked = state.lockedUntil !== null && state.lockedUntil > now;
  return { ...state, pending: state.pending.filter(isHeld), lockedUntil: isLocked ? state.lockedUntil : null };
}

/** Returns the state without failures that are forgotten by now. A lock stays until its end. */
export function withoutOldFailures(state: LockoutState, touchedAt: Instant, now: Instant): LockoutState {
  return addSeconds(touchedAt, FAILURES_KEPT_SECONDS) < now ? { ...state, failures: 0, streak: 0 } : state;
}

/**
 * Whether one more attempt may be verified on a subject that is not locked. Pending attempts count as failures, but a
 * lone attempt is always allowed.
 */
export function mayCheckAnother({ failures, streak, pending }: LockoutState, policy: LockoutPolicy): boolean {
  if (pending.length === 0) return true;
  const withinPolicy = !policy.enabled || failures + pending.length < policy.maxFailures;
  return withinPolicy && streak + pending.length < MAX_STREAK;
}

/** Returns the state after a failed attempt. A lock resets the count, and leaves the streak. */
export function afterFailure(state: LockoutState, policy: LockoutPolicy, now: Instant): LockoutState {
  const failures = state.failures + 1;
  const streak = state.streak + 1;
  const byPolicy = policy.enabled && failures >= policy.maxFailures ? policy.seconds : 0;
  const byStreak = streak >= MAX_STREAK ? STREAK_LOCK_SECONDS : 0;
  const seconds = Math.max(byPolicy, byStreak);
  if (seconds === 0) return { ...state, failures, streak };
  // An attempt that was pending when another one locked the subject does not extend the lock.
  return { ...state, failures: 0, streak, lockedUntil: state.lockedUntil ?? addSeconds(now, seconds) };
}

/** Returns the state after a successful attempt. A lock that other attempts caused meanwhile stays. */
export function afterSuccess(state: LockoutState): LockoutState {
  return { ...state, failures: 0, streak: 0 };
}
