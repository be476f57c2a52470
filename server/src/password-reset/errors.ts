// Reasons to refuse a password reset.
import { defineErrors } from '../foundation/errors.ts';

export const resetErrors = defineErrors('reset', {
  invalidToken: { status: 400, message: 'This password reset is no longer valid. Please begin again.' },
  methodNotAllowed: {
    status: 400,
    message: 'This method to reset a password is switched off. Please choose another one.',
  },
});
