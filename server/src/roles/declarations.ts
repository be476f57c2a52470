// The errors and audit actions of roles.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** Why a call about a role is refused. */
export const roleErrors = defineErrors('role', {
  notFound: { status: 404, message: 'There is no such role.' },
  duplicate: { status: 409, message: 'Another role has this name. Please choose a different one.' },
  protected: { status: 409, message: 'This role belongs to the service. It cannot be deleted.' },
});

/** What happens to roles. Details hold the name of the role, and the permissions it grants from then on. */
export const roleActions = defineActions('role', {
  created: 'An administrator created a role.',
  updated: 'An administrator changed what a role grants, or how it is described.',
  deleted: 'An administrator deleted a role. The service took it from all accounts.',
});
