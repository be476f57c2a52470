// The error of a budget that callers see.
import { defineErrors } from '../foundation/errors.ts';

export const changeErrors = defineErrors('account', {
  tooManyChanges: {
    status: 429,
    message: 'What protects this account was changed too often today. Please try again later.',
  },
});
