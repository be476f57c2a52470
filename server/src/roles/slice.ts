// Roles, as a slice of the service.
import { roleActions, roleErrors } from './declarations.ts';
import type { Roles } from './roles.ts';
import { roleRoutes } from './routes.ts';

export const rolesSlice = {
  declarations: { errors: [roleErrors], actions: [roleActions] },
  create: ({ roles }: { roles: Roles }) => ({ routes: roleRoutes(roles) }),
};
