// What managing accounts may end in, besides what accounts themselves say.
import { defineErrors } from '../foundation/errors.ts';

export const administrationErrors = defineErrors('account', {
  lastAdministrator: {
    status: 400,
    message: 'This is the last active administrator: make another one first.',
  },
});
