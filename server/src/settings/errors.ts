// The errors of settings.
import { defineErrors } from '../foundation/errors.ts';

export const settingErrors = defineErrors('setting', {
  notFound: { status: 404, message: 'There is no setting with this name.' },
  conflict: {
    status: 409,
    message: 'This setting has changed since you read it. Nothing was saved. Please reload it.',
  },
});

/** Of the Security Settings, which switch each method on or off for all users. */
export const resetMethodErrors = defineErrors('reset', {
  methodNotAllowed: {
    status: 400,
    message: 'This method to reset a password is turned off. Please choose another one.',
  },
});
