// Lockout rules: when a subject is locked, and what a failed attempt does to it (specification 3.2; NIST SP 800-63B-4, 3.2.2).
import { addSeconds, type Instant } from '../foundation/clock.ts';

/** The lockout settings of the front end that the caller named; it may be lax, see {@link MAX_STREAK}. */
export type LockoutPolicy = { enabled: boolean; maxFailures: number; seconds: number };

/** What is known of one subject: an account, or a name that belongs to none. */
export type LockoutState = { failures: number; streak: number; pending: number; lockedUntil: Instant | null };

/**
 * So many failures in a row lock whatever the front end says, since callers choose the front end they name.
 * Each further failure locks again: at most one guess an hour is left, and yet nobody is shut out for good.
 */
export const MAX_STREAK = 100;
export const STREAK_LOCK_SECONDS = 3600;

/** What reserving an attempt led to. `busy`: so many attempts are being checked that none may be added yet. */
export type Reservation = { outcome: 'reserved' } | { outcome: 'busy' } | { outcome: 'locked'; until: Instant };

/** Whether the subject may be tried now: attempts under check count as if they failed, but a lone one always may. */
export function judgeReservation(state: LockoutState, policy: LockoutPolicy, now: Instant): Reservation {
  if (state.lockedUntil !== null && state.lockedUntil > now) return { outcome: 'locked', until: state.lockedUntil };
  if (state.pending === 0) return { outcome: 'reserved' };
  const withinPolicy = !policy.enabled || state.failures + state.pending < policy.maxFailures;
  return { outcome: withinPolicy && state.streak + state.pending < MAX_STREAK ? 'reserved' : 'busy' };
}

/** The state after a reserved attempt failed. A lock starts the count anew; only a success ends the streak. */
export function afterFailure(state: LockoutState, policy: LockoutPolicy, now: Instant): LockoutState {
  const failures = state.failures + 1;
  const streak = state.streak + 1;
  const pending = Math.max(0, state.pending - 1);
  const byPolicy = policy.enabled && failures >= policy.maxFailures ? policy.seconds : 0;
  const byStreak = streak >= MAX_STREAK ? STREAK_LOCK_SECONDS : 0;
  const seconds = Math.max(byPolicy, byStreak);
  const running = state.lockedUntil !== null && state.lockedUntil > now ? state.lockedUntil : null;
  if (seconds === 0) return { failures, streak, pending, lockedUntil: running };
  // An attempt that was under check when another one locked the subject does not prolong the lock.
  return { failures: 0, streak, pending, lockedUntil: running ?? addSeconds(now, seconds) };
}

/** The state after a reserved attempt succeeded. A lock that others caused meanwhile stays. */
export function afterSuccess(state: LockoutState): LockoutState {
  return { ...state, failures: 0, streak: 0, pending: Math.max(0, state.pending - 1) };
}

/**
 * A reservation without a verdict after this long was abandoned: by a process that died, or one that lost its database.
 * A check takes at most about two seconds, its wait for a thread included.
 */
const ABANDONED_AFTER_SECONDS = 8;

/** Reservations that nobody will ever settle hold no attempt back. */
export function forgetAbandoned(state: LockoutState, touchedAt: Instant, now: Instant): LockoutState {
  return addSeconds(touchedAt, ABANDONED_AFTER_SECONDS) > now ? state : { ...state, pending: 0 };
}
