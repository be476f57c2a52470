// Reasons to refuse an imported account, besides those of accounts themselves.
import { defineErrors } from '../foundation/errors.ts';

export const importErrors = defineErrors('import', {
  newRole: {
    status: 400,
    message: 'The account has roles that do not exist here. Create them first, or allow new roles.',
  },
  administrator: {
    status: 400,
    message: 'The account would be an administrator. Allow administrators, or import it without its roles.',
  },
});
