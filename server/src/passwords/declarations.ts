// The errors of passwords. A wrong password at sign-in is an error of the sign-in.
import { defineErrors } from '../foundation/errors.ts';

export const passwordErrors = defineErrors('password', {
  incorrect: { status: 400, message: 'The current password is wrong.' },
  policy: { status: 400, message: 'The new password does not meet the requirements.' },
  changeRequired: { status: 403, message: 'You must change your password before you can continue.' },
});
