// Reasons to refuse a password reset.
import { defineErrors } from '../foundation/errors.ts';

/** Reasons to send no invitation. */
export const invitationErrors = defineErrors('invitation', {
  notActive: { status: 400, message: 'The account is deactivated. Activate it first.' },
  hasPassword: {
    status: 400,
    message: 'The account has a password. Its owner can reset a forgotten one on the sign-in page.',
  },
  noAddress: { status: 400, message: 'The account has no e-mail address. Add one first.' },
  tooMany: {
    status: 400,
    message: 'Too many messages were sent to this address. Please wait some minutes, or try again tomorrow.',
  },
});

export const resetErrors = defineErrors('reset', {
  invalidToken: { status: 400, message: 'This password reset is no longer valid. Please begin again.' },
});
