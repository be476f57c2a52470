// The errors of accounts.
import { defineErrors } from '../foundation/errors.ts';

export const accountErrors = defineErrors('account', {
  notFound: { status: 404, message: 'There is no such account.' },
  duplicate: { status: 409, message: 'Another account has this user name, e-mail address or mobile number.' },
});
