// Lockout rules: when a subject is locked, and what a failed attempt does to it (specification 3.2; NIST SP 800-63B-4, 3.2.2).
import { addSeconds, type Instant } from '../foundation/clock.ts';

/** The lockout settings of the front end that the caller named; it may be lax, see {@link MAX_STREAK}. */
export type LockoutPolicy = { enabled: boolean; maxFailures: number; seconds: number };

/** An attempt that was reserved and has no verdict yet. */
export type PendingAttempt = { readonly id: string; readonly reservedAt: Instant };

/** What is known of one subject: an account, or a name that belongs to none. */
export type LockoutState = {
  failures: number;
  streak: number;
  pending: readonly PendingAttempt[];
  lockedUntil: Instant | null;
};

/**
 * So many failures in a row lock whatever the front end says, since callers choose the front end they name.
 * Each further failure locks again: at most one guess an hour is left, and yet nobody is shut out for good.
 */
export const MAX_STREAK = 100;
export const STREAK_LOCK_SECONDS = 3600;

/**
 * A reservation without a verdict lapses after this long: its process died, lost its database, or was too slow. What is
 * settled later counts as unchecked.
 */
export const RESERVATION_SECONDS = 8;

/** Clocks of nodes differ by less; a reservation from further in the future was made before the clock was set back. */
const MAX_SKEW_SECONDS = 30;

/** Of each value the stricter one. */
export function stricterPolicy(one: LockoutPolicy, other: LockoutPolicy): LockoutPolicy {
  return {
    enabled: one.enabled || other.enabled,
    maxFailures: Math.min(one.maxFailures, other.maxFailures),
    seconds: Math.max(one.seconds, other.seconds),
  };
}

/**
 * The state as it counts now: without reservations that lapsed, and without a lock that is over, which then stays over
 * when the clock is set back.
 */
export function stateAt(state: LockoutState, now: Instant): LockoutState {
  const holds = ({ reservedAt }: PendingAttempt) =>
    now < addSeconds(reservedAt, RESERVATION_SECONDS) && reservedAt <= addSeconds(now, MAX_SKEW_SECONDS);
  const isLocked = state.lockedUntil !== null && state.lockedUntil > now;
  return { ...state, pending: state.pending.filter(holds), lockedUntil: isLocked ? state.lockedUntil : null };
}

/**
 * Whether one more attempt may be checked of a subject that is not locked. Attempts under check count as if they failed,
 * but a lone one always may.
 */
export function mayCheckAnother({ failures, streak, pending }: LockoutState, policy: LockoutPolicy): boolean {
  if (pending.length === 0) return true;
  const withinPolicy = !policy.enabled || failures + pending.length < policy.maxFailures;
  return withinPolicy && streak + pending.length < MAX_STREAK;
}

/** The state after a failed attempt. A lock starts the count anew; only a success ends the streak. */
export function afterFailure(state: LockoutState, policy: LockoutPolicy, now: Instant): LockoutState {
  const failures = state.failures + 1;
  const streak = state.streak + 1;
  const byPolicy = policy.enabled && failures >= policy.maxFailures ? policy.seconds : 0;
  const byStreak = streak >= MAX_STREAK ? STREAK_LOCK_SECONDS : 0;
  const seconds = Math.max(byPolicy, byStreak);
  if (seconds === 0) return { ...state, failures, streak };
  // An attempt that was under check when another one locked the subject does not prolong the lock.
  return { ...state, failures: 0, streak, lockedUntil: state.lockedUntil ?? addSeconds(now, seconds) };
}

/** The state after a successful attempt. A lock that others caused meanwhile stays. */
export function afterSuccess(state: LockoutState): LockoutState {
  return { ...state, failures: 0, streak: 0 };
}
