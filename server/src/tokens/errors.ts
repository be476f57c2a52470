// The errors of bearer tokens (RFC 6750, 3.1) and sessions.
import { defineErrors } from '../foundation/errors.ts';

export const tokenErrors = defineErrors('token', {
  missing: { status: 401, message: 'This call needs a bearer token. Please sign in first.' },
  invalid: { status: 401, message: 'The token is not valid. Please sign in again.' },
  expired: { status: 401, message: 'The token has expired. Please sign in again.' },
  revoked: { status: 401, message: 'The session has ended. Please sign in again.' },
});

export const sessionErrors = defineErrors('session', {
  notFound: { status: 404, message: 'You have no open session with this id.' },
});
