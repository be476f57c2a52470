// The errors and audit actions of password reset.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

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

/** Reasons to refuse a password reset. */
export const resetErrors = defineErrors('reset', {
  invalidToken: { status: 400, message: 'This password reset is no longer valid. Please begin again.' },
});

/** Audit actions of password reset. Details hold the method: 2 link, 4 SMS, 8 security questions. */
export const resetActions = defineActions('reset', {
  requested:
    'A caller asked for a reset link or one-time pin. Details hold the masked address that it was sent to, if any.',
  invited:
    'An administrator sent a link to set the first password. Details hold the administrator and the masked address.',
  proven: 'A caller gave, or tried to give, the link, its code, the one-time pin or the answers for a new password.',
  completed:
    'A forgotten password was replaced. All sessions ended, and the lockout was reset. Security answers were deleted unless they were the method.',
});
