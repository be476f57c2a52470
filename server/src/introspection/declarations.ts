// Why forward-auth refuses a request whose token is valid.
import { defineErrors } from '../foundation/errors.ts';

export const forwardAuthErrors = defineErrors('forwardAuth', {
  levelTooLow: {
    status: 401,
    message: 'This address needs a second factor. Please authenticate again with one.',
  },
});
