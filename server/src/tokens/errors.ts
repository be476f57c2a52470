// What a call with a bearer token may end in (RFC 6750, 3.1).
import { defineErrors } from '../foundation/errors.ts';

export const tokenErrors = defineErrors('token', {
  missing: { status: 401, message: 'Sign in first: this call needs a bearer token.' },
  invalid: { status: 401, message: 'The token is not valid. Please sign in again.' },
  expired: { status: 401, message: 'The token has expired. Please sign in again.' },
  revoked: { status: 401, message: 'The session has ended. Please sign in again.' },
});

export const sessionErrors = defineErrors('session', {
  notFound: { status: 404, message: 'You have no such open session.' },
});
