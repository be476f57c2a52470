// The signed-in user, for the pages of the application.
import { useQuery } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { latchkey } from '../api/latchkey.ts';

export type Me = NonNullable<Calls['Session/GetCurrentLoginInfo']['result']['user']>;

export const meKey = ['me'];

/** What asks for the signed-in user. */
export const meQuery = {
  queryKey: meKey,
  queryFn: async () => (await latchkey.call('Session/GetCurrentLoginInfo')).user,
};

/**
 * Asks only with a session: a visitor without one goes to the sign-in page, which does not say that a session ended. A tab that
 * is slow to answer may tell of the session when this page is shown already.
 */
export function useMeQuery() {
  const enabled = useSyncExternalStore(latchkey.onSession, () => latchkey.isSignedIn);
  return useQuery({ ...meQuery, enabled });
}

/** The shell provides it: it shows pages to signed-in users only. */
export const MeContext = createContext<Me | undefined>(undefined);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('Render pages within the shell.');
  return me;
}

/** Whether the user has this permission. */
export const may = (me: Me, permission: string) => me.grantedPermissions.some((one) => one.permission === permission);

/** The permissions that mean something to this service. All others are names of the applications. */
export const servicePermissions = ['pages:maintenance', 'Pages.Users', 'users:resetPassword'] as const;
export type ServicePermission = (typeof servicePermissions)[number];

/** Whether the user holds every permission of this service. */
export const holdsAll = (me: Me) => servicePermissions.every((permission) => may(me, permission));
