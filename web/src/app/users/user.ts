// Accounts as the API gives them, and who may manage whom.
import type { Calls } from 'latchkey-sdk';
import { useLocation } from 'react-router';
import { type Me, may } from '../me.ts';

export type User = Calls['User/Get']['result'];

export const ADMINISTRATOR = 'Administrator';

export const usersKey = ['users'];
export const userKey = (id: number) => [...usersKey, id];

/** "Name Surname", or the user name of an account that has neither. */
export const displayName = ({ name, surname, userName }: Pick<User, 'name' | 'surname' | 'userName'>) =>
  `${name} ${surname}`.trim() || userName;

/** Whether the service would let somebody change this account: nobody manages who may do more. */
export const mayManage = (me: Me, { roleNames }: Pick<User, 'roleNames'>) =>
  may(me, 'pages:maintenance') || !roleNames.includes(ADMINISTRATOR);

/** The list as it was left: the way back leads to the same search. */
export const useListPath = (): string => {
  const state: unknown = useLocation().state;
  const search = typeof state === 'object' && state !== null && 'search' in state ? state.search : '';
  return `/users${typeof search === 'string' ? search : ''}`;
};
