// Reasons to refuse a change of an account, besides those of accounts themselves.
import { defineErrors } from '../foundation/errors.ts';

export const administrationErrors = defineErrors('account', {
  lastAdministrator: {
    status: 400,
    message: 'This is the last active administrator who can sign in. Make another account an administrator first.',
  },
});
