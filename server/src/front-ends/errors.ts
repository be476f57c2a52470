// What a call about a front end may end in.
import { defineErrors } from '../foundation/errors.ts';

export const frontEndErrors = defineErrors('frontEnd', {
  notFound: { status: 404, message: 'There is no such front end.' },
  protected: { status: 400, message: 'The default front end can be neither deleted nor renamed.' },
  duplicate: { status: 409, message: 'There is a front end with this key already.' },
});
