// The errors and audit actions of settings.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** The errors of settings. */
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

/** The audit actions of settings. */
export const settingActions = defineActions('setting', {
  changed: 'An administrator changed a setting. Details hold its name, front end, old and new value.',
});
