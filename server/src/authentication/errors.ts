// Reasons to refuse a sign-in.
import { type Instant, secondsUntil } from '../foundation/clock.ts';
import { defineErrors } from '../foundation/errors.ts';

export const signInErrors = defineErrors('signIn', {
  invalidCredentials: { status: 401, message: 'The user name or the password is wrong.' },
  lockedOut: { status: 401, message: 'There were too many failed attempts. Please wait, then try again.' },
  notActive: { status: 401, message: 'This account is deactivated. Please ask an administrator.' },
});

/** Returns the error of an attempt during a lock. */
export const lockedOut = (until: Instant, now: Instant) =>
  signInErrors.lockedOut({ retryAfterSeconds: secondsUntil(until, now) });
