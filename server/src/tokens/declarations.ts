// The errors and audit actions of tokens, sessions and signing keys.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** The errors of bearer tokens (RFC 6750, 3.1) and sessions. */
export const tokenErrors = defineErrors('token', {
  missing: { status: 401, message: 'This call needs a bearer token. Please sign in first.' },
  invalid: { status: 401, message: 'The token is not valid. Please sign in again.' },
  expired: { status: 401, message: 'The token has expired. Please sign in again.' },
  revoked: { status: 401, message: 'The session has ended. Please sign in again.' },
});

export const sessionErrors = defineErrors('session', {
  notFound: { status: 404, message: 'You have no open session with this id.' },
});

/** The audit actions of sessions and signing keys. */
export const sessionActions = defineActions('session', {
  refreshed: 'A token was exchanged for a new one and revoked, or the exchange was refused.',
  signedOff: 'A caller signed off: the session ended, and all of its tokens were revoked.',
  ended: 'The account owner or an administrator ended sessions of an account.',
  allEnded: 'All sessions of the service ended, on command or because the database was restored from a backup.',
});

export const keyActions = defineActions('key', {
  rotated:
    'The service made a new signing key. Details hold its kid, and whether the older keys were deleted as compromised.',
});
