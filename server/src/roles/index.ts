// Roles: what the names that accounts have grant, here and in the applications.
export { ADMINISTRATOR, builtInRoles, type Role, roleKey } from './role.ts';
export { createRoles, type Roles } from './roles.ts';
export { CreateRoleInput, toNewRole, toRoleChanges } from './routes.ts';
export { rolesSlice } from './slice.ts';
export { createRoleStore } from './store.sql.ts';
