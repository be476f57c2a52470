// Roles: names that accounts have, and the permissions they grant.
import { foldCase } from '../foundation/case-folding.ts';
import { type Permission, servicePermissions } from '../foundation/permissions.ts';

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
