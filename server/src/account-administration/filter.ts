// The filter of lists and exports of accounts, as the calls take it.
import { type Static, type TObject, Type } from 'typebox';
import { RoleName, Text } from '../contract/schemas.ts';
import { parseTime } from '../contract/time.ts';
import type { Roles } from '../roles/index.ts';
import type { AccountFilter } from './store.filter.ts';

const Is = (description: string) => Type.Optional(Type.Boolean({ description }));
const Time = (description: string) => Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description }));

/** Query members that say which accounts to find. */
export const filterMembers = {
  keyword: Type.Optional(Text({ maxLength: 100, description: 'Part of a name or address.' })),
  isActive: Type.Optional(Type.Boolean()),
  isLockedOut: Is('Whether too many wrong passwords or pins have locked the account.'),
  requireChangePassword: Is('Whether the password must be changed at the next sign-in.'),
  roleName: Type.Optional(RoleName),
  hasSignedIn: Is('Whether the account has ever signed in.'),
  hasOpenSession: Is('Whether it has a session that has neither ended nor expired.'),
  notSignedInSince: Time('Whether the last sign-in, if there was one, came before this time.'),
  hasSecondFactor: Is('Whether it has an authenticator app or a passkey.'),
  hasUnverifiedAddress: Is('Whether it has an e-mail address or a mobile number that is not verified.'),
  createdFrom: Time('Inclusive.'),
  createdTo: Time('Exclusive.'),
};

/** Returns the filter of a call. @throws AuthError `request.invalid` for a time that does not exist. */
export function toFilter(
  { keyword, roleName, notSignedInSince, createdFrom, createdTo, ...states }: Static<TObject<typeof filterMembers>>,
  roles: Pick<Roles, 'spell'>,
): AccountFilter {
  return {
    ...states,
    keyword: keyword || undefined,
    roleName: roleName === undefined ? undefined : roles.spell([roleName])[0],
    notSignedInSince: readTime(notSignedInSince, 'notSignedInSince'),
    createdFrom: readTime(createdFrom, 'createdFrom'),
    createdTo: readTime(createdTo, 'createdTo'),
  };
}

const readTime = (time: string | undefined, member: string) =>
  time === undefined ? undefined : parseTime(time, member);
