// The errors of front ends.
import { defineErrors } from '../foundation/errors.ts';

export const frontEndErrors = defineErrors('frontEnd', {
  notFound: { status: 404, message: 'There is no such front end.' },
  protected: { status: 400, message: 'The default front end can be neither deleted nor renamed.' },
  duplicate: { status: 409, message: 'Another front end has this key. Please choose a different one.' },
});
