// The errors and audit actions of front ends.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** The errors of front ends. */
export const frontEndErrors = defineErrors('frontEnd', {
  notFound: { status: 404, message: 'There is no such front end.' },
  protected: { status: 400, message: 'The default front end can be neither deleted nor renamed.' },
  duplicate: { status: 409, message: 'Another front end has this key. Please choose a different one.' },
});

/** The audit actions of front ends. */
export const frontEndActions = defineActions('frontEnd', {
  created: 'An administrator registered a front end.',
  updated: 'An administrator changed a front end. Details hold its old and new key.',
  deleted: 'An administrator deleted a front end and its settings.',
});
