// What happens to roles. Details hold the name of the role, and the permissions it grants from then on.
import { defineActions } from '../foundation/events.ts';

export const roleActions = defineActions('role', {
  created: 'An administrator created a role.',
  updated: 'An administrator changed what a role grants, or how it is described.',
  deleted: 'An administrator deleted a role. The service took it from all accounts.',
});
