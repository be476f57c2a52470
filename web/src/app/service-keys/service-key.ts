// A service key as the API lists it.
import type { Calls } from 'latchkey-sdk';

export type ServiceKey = Calls['ServiceKey/GetAll']['result']['items'][number];
export type ServiceKeyPermission = ServiceKey['permissions'][number];

export const serviceKeysKey = ['service-keys'];

/** All that a key can allow, in the order of the page. */
export const serviceKeyPermissions: readonly ServiceKeyPermission[] = ['introspect', 'revocations', 'audit'];
