// Why a call about a role is refused.
import { defineErrors } from '../foundation/errors.ts';

export const roleErrors = defineErrors('role', {
  notFound: { status: 404, message: 'There is no such role.' },
  duplicate: { status: 409, message: 'Another role has this name. Please choose a different one.' },
  protected: { status: 409, message: 'This role belongs to the service. It cannot be deleted.' },
});
