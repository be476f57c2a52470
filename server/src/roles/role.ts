// Roles: names that accounts have, and the permissions they grant.
import { foldCase } from '../foundation/case-folding.ts';
import { permissionErrors } from '../foundation/errors.ts';

/** What a caller may do in this service beyond the own account. */
export const servicePermissions = ['pages:maintenance', 'Pages.Users', 'users:resetPassword'] as const;
export type Permission = (typeof servicePermissions)[number];

/** The role that holds every permission of this service. One active account always has it. */
export const ADMINISTRATOR = 'Administrator';

/** What the roles of this service always grant, besides what is stored for them. */
const builtIn: ReadonlyMap<string, readonly Permission[]> = new Map<string, readonly Permission[]>([
  [ADMINISTRATOR, servicePermissions],
  ['UserManager', ['Pages.Users', 'users:resetPassword']],
]);

/** The names of the roles that are always there. */
export const builtInRoles: readonly string[] = [...builtIn.keys()];

/** A role as it is stored. */
export type Role = {
  readonly id: number;
  /** As accounts, tokens and `roleNames` have it. */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Stored grants: permissions of this service, or names of the application's own. */
  readonly permissions: readonly string[];
};

/** The key under which role names are unique in all their spellings. */
export const roleKey = (name: string): string => foldCase(name);

const builtInByKey = new Map([...builtIn].map(([name, permissions]) => [roleKey(name), permissions]));

/** What a role grants by itself, without what is stored for it. */
export const builtInPermissions = (name: string): readonly string[] => builtInByKey.get(roleKey(name)) ?? [];

/** Everything a role grants. */
export function permissionsOf({ name, permissions }: Pick<Role, 'name' | 'permissions'>): string[] {
  return [...new Set([...builtInPermissions(name), ...permissions])];
}

/**
 * Whether `held` covers every permission of this service in `given`: an administrator gives, removes and manages no more
 * than the administrator holds. Permissions of the application's own are the application's business.
 */
export function coversAll(held: readonly string[], given: readonly string[]): boolean {
  return servicePermissions.every((permission) => !given.includes(permission) || held.includes(permission));
}

/** Requires that `held` has every permission of this service. @throws AuthError `permission.denied`. */
export function requireAll(held: readonly string[]): void {
  if (coversAll(held, servicePermissions)) return;
  throw permissionErrors.denied({
    details: `This takes all of these permissions: ${servicePermissions.join(', ')}.`,
  });
}
