// A service key as the API lists it.
import type { Calls } from 'latchkey-sdk';
import { words } from '../../words/more.ts';
import { isOfService } from '../roles/role.ts';

export type ServiceKey = Calls['ServiceKey/GetAll']['result']['items'][number];
export type ServiceKeyPermission = ServiceKey['permissions'][number];

export const serviceKeysKey = ['service-keys'];

/** All that a key can allow, in the order of the page. */
export const serviceKeyPermissions = ['introspect', 'revocations', 'audit', 'manage'] as const;

/** Returns what a key allows, as the page calls it: `manage` stands for the permissions of roles beside it. */
export const nameAllowed = (permissions: readonly ServiceKeyPermission[]): string[] =>
  permissions.flatMap((one) => {
    if (one === 'manage') return [];
    const { roles, serviceKeys } = words;
    return (isOfService(one) ? roles.permissions[one] : serviceKeys.permissions[one]).label;
  });
