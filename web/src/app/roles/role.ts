// Roles of the API, and which of them the user may give and change.
import { useQuery } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { latchkey } from '../../api/latchkey.ts';
import { type Me, may, type ServicePermission, servicePermissions, useMe } from '../me.ts';

export type Role = Calls['Role/GetAll']['result']['items'][number];

export const isOfService = (permission: string): permission is ServicePermission =>
  servicePermissions.some((one) => one === permission);

/** Returns the permissions of the applications. */
export const applicationPermissions = (permissions: readonly string[]) =>
  permissions.filter((permission) => !isOfService(permission));

/** Whether the user holds every permission of this service that the role grants. The service refuses the user others. */
export const isCovered = (me: Me, { grantedPermissions }: Pick<Role, 'grantedPermissions'>) =>
  servicePermissions.every((permission) => !grantedPermissions.includes(permission) || may(me, permission));

export const rolesKey = ['roles'];

/** What is known before the service has answered. */
const builtIn: Pick<Role, 'name' | 'grantedPermissions'>[] = [
  { name: 'Administrator', grantedPermissions: [...servicePermissions] },
];

/** Reads how many users have each role, by the id of the role. Unknown until the service has answered. */
export function useUserCounts(): (role: Pick<Role, 'id'>) => number | undefined {
  const { data } = useQuery({ queryKey: [...rolesKey, 'counts'], queryFn: () => latchkey.call('Role/GetUserCounts') });
  return ({ id }) => data?.items.find((one) => one.id === id)?.userCount;
}

/** Reads the roles to choose from, if the user may. */
export function useRoles() {
  const me = useMe();
  const { data } = useQuery({
    queryKey: [...rolesKey, 'all'],
    queryFn: () => latchkey.call('Role/GetRoles'),
    enabled: may(me, 'Pages.Users'),
  });
  return data?.items ?? builtIn;
}
