// Accounts of the API, and whether the user may manage one.
import type { Calls } from 'latchkey-sdk';
import { useLocation } from 'react-router';
import type { Me } from '../me.ts';
import { isCovered, type useRoles } from '../roles/role.ts';

export type User = Calls['User/GetAll']['result']['items'][number];

/** The account of a user's page. Lists leave the factors out. */
export type UserDetails = Calls['User/Get']['result'];

/** The most characters of a part of a name that the service searches for. */
export const LONGEST_KEYWORD = 100;

export const toKeyword = (typed: string): string => typed.trim().slice(0, LONGEST_KEYWORD);

export const ADMINISTRATOR = 'Administrator';

export const usersKey = ['users'];
export const userKey = (id: number) => [...usersKey, id];

/** Returns "Name Surname", or the user name of an account without names. */
export const displayName = ({ name, surname, userName }: Pick<User, 'name' | 'surname' | 'userName'>) =>
  `${name} ${surname}`.trim() || userName;

/** Whether the service lets the user change this account: the user holds every permission of its roles. */
export const mayManage = (me: Me, { roleNames }: Pick<User, 'roleNames'>, roles: ReturnType<typeof useRoles>) =>
  roles.every((role) => !roleNames.includes(role.name) || isCovered(me, role));

/** Returns the path of the list, with the search that the user came from. */
export const useListPath = (): string => {
  const state: unknown = useLocation().state;
  const search = typeof state === 'object' && state !== null && 'search' in state ? state.search : '';
  return `/users${typeof search === 'string' ? search : ''}`;
};
