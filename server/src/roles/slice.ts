// Roles, as a slice of the service.
import { roleErrors } from './errors.ts';
import { roleActions } from './events.ts';
import type { Roles } from './roles.ts';
import { roleRoutes } from './routes.ts';

export const roleDefinitions = { errors: [roleErrors], actions: [roleActions] };

export const createRoleSlice = ({ roles }: { roles: Roles }) => ({ routes: roleRoutes(roles) });
