// Sorting: reads the column and direction to sort a search by.
import type { AccountQuery } from '../accounts/index.ts';
import { invalidMember } from '../foundation/errors.ts';

const sortKeys: Readonly<Record<string, AccountQuery['sort']['by']>> = {
  id: 'id',
  username: 'userName',
  name: 'name',
  surname: 'surname',
  emailaddress: 'emailAddress',
  creationtime: 'creationTime',
  lastlogintime: 'lastLoginTime',
};

/** Reads "userName asc" or "creationTime desc". @throws AuthError `request.invalid` for any other column or direction. */
export function toSort(sorting = 'id'): AccountQuery['sort'] {
  const [column = '', direction = 'asc', ...more] = sorting.trim().toLowerCase().split(/\s+/);
  const by = Object.hasOwn(sortKeys, column) ? sortKeys[column] : undefined;
  if (by && ['asc', 'desc'].includes(direction) && more.length === 0) return { by, descending: direction === 'desc' };
  const message = 'Sort by id, userName, name, surname, emailAddress, creationTime or lastLoginTime, then asc or desc.';
  throw invalidMember('sorting', message);
}
