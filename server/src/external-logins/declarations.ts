// Reasons to refuse a call about an external login.
import { defineErrors } from '../foundation/errors.ts';

export const externalLoginErrors = defineErrors('externalLogin', {
  notFound: { status: 404, message: 'The account has no such external login. Please reload the list.' },
});
