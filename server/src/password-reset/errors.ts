// What resetting a forgotten password may end in.
import { defineErrors } from '../foundation/errors.ts';

export const resetErrors = defineErrors('reset', {
  invalidToken: { status: 400, message: 'This way to a new password is no longer open. Please begin again.' },
  methodNotAllowed: { status: 400, message: 'Passwords cannot be reset in this way here. Please choose another one.' },
});
