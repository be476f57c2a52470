// The errors and audit actions of the authentication flow.
import { type Instant, secondsUntil } from '../foundation/clock.ts';
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** Reasons to refuse a sign-in. */
export const signInErrors = defineErrors('signIn', {
  invalidCredentials: { status: 401, message: 'The user name or the password is wrong.' },
  lockedOut: { status: 401, message: 'There were too many failed attempts. Please wait, then try again.' },
  notActive: { status: 401, message: 'This account is deactivated. Please ask an administrator.' },
});

/** Returns the error of an attempt during a lock. */
export const lockedOut = (until: Instant, now: Instant) =>
  signInErrors.lockedOut({ retryAfterSeconds: secondsUntil(until, now) });

/** Audit actions of the authentication flow. */
export const authenticationActions = defineActions('signIn', {
  challenged:
    'The first factor of a sign-in was right, and the account has a second factor. Details hold the first method and the second factors.',
  deviceTrusted:
    'A user chose to trust a device while completing a sign-in. Its next sign-ins are not asked for a second factor.',
});
