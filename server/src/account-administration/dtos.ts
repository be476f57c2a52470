// A user as administrators read and write it: the shapes of the calls, and their meaning for an account.
import { type Static, Type } from 'typebox';
import { AccountFactorsDto, toAccountFactorsDto } from '../account-factors/index.ts';
import { fullName } from '../accounts/index.ts';
import { NamedObject, Nullable } from '../contract/schemas.ts';
import { type Instant, toIsoString } from '../foundation/clock.ts';
import type { DetailedAccount, ManagedAccount } from './account-reader.ts';

export const DateTime = Type.String({ format: 'date-time' });
export const UserDto = NamedObject('UserDto', {
  id: Type.Integer(),
  personId: Type.String(),
  userName: Type.String(),
  name: Type.String(),
  surname: Type.String(),
  emailAddress: Nullable(Type.String()),
  mobileNumber: Nullable(Type.String()),
  isActive: Type.Boolean(),
  isEmailConfirmed: Type.Boolean(),
  isMobileConfirmed: Type.Boolean(),
  requireChangePassword: Type.Boolean(),
  roleNames: Type.Array(Type.String()),
  fullName: Type.String(),
  isLockedOut: Type.Boolean(),
  lockedUntil: Nullable(DateTime),
  factorLockedUntil: Nullable(DateTime),
  hasSecondFactor: Type.Boolean(),
  lastLoginTime: Nullable(DateTime),
  creationTime: DateTime,
});

/** The account that an administrator looks at. Lists leave the factors out. */
export const UserDetailsDto = NamedObject('UserDetailsDto', {
  ...UserDto.properties,
  hasPassword: Type.Boolean(),
  passwordLinkExpiresAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Until when a mailed link sets a password: an invitation, or a link to reset it.',
    }),
  ),
  factors: NamedObject('UserFactorsDto', {
    ...AccountFactorsDto.properties,
    lockedUntil: Nullable(DateTime),
  }),
});

const toTime = (instant: Instant | null) => (instant === null ? null : toIsoString(instant));

export function toUserDto(account: ManagedAccount): Static<typeof UserDto> {
  const {
    lastSignInAt,
    createdAt,
    updatedAt: _,
    lockedUntil,
    factorLockedUntil,
    mustChangePassword,
    ...same
  } = account;
  return {
    ...same,
    requireChangePassword: mustChangePassword,
    fullName: fullName(account),
    isLockedOut: lockedUntil !== null,
    lockedUntil: toTime(lockedUntil),
    factorLockedUntil: toTime(factorLockedUntil),
    lastLoginTime: toTime(lastSignInAt),
    creationTime: toIsoString(createdAt),
  };
}

/** The members of an account in an export, in the order of the columns. */
export const exportedMembers = [
  'id',
  'userName',
  'name',
  'surname',
  'emailAddress',
  'isEmailConfirmed',
  'mobileNumber',
  'isMobileConfirmed',
  'isActive',
  'requireChangePassword',
  'hasSecondFactor',
  'roleNames',
  'lockedUntil',
  'lastLoginTime',
  'creationTime',
  'personId',
] as const;

/** Returns what an export has of an account. */
export function toExported(account: ManagedAccount) {
  const dto = toUserDto(account);
  return Object.fromEntries(exportedMembers.map((member) => [member, dto[member]]));
}

export function toUserDetailsDto(account: DetailedAccount): Static<typeof UserDetailsDto> {
  const { factors, hasPassword, passwordLinkExpiresAt, ...managed } = account;
  return {
    ...toUserDto(managed),
    hasPassword,
    passwordLinkExpiresAt: toTime(passwordLinkExpiresAt),
    factors: { ...toAccountFactorsDto(factors), lockedUntil: toTime(factors.lockedUntil) },
  };
}
