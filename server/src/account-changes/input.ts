// A new or changed account, as administrators and imports write it.
import { type Static, Type } from 'typebox';
import { type AccountInput, newAccount } from '../accounts/index.ts';
import {
  AccountId,
  EmailAddressOrNone,
  MobileNumber,
  Nullable,
  RoleName,
  Secret,
  Text,
  UserName,
} from '../contract/schemas.ts';
import type { AccountChanges } from './account-changes.ts';

const profile = {
  name: Type.Optional(Nullable(Text({ maxLength: 100 }))),
  surname: Type.Optional(Nullable(Text({ maxLength: 100 }))),
  emailAddress: Type.Optional(Nullable(EmailAddressOrNone)),
  mobileNumber: Type.Optional(Nullable(MobileNumber())),
  isActive: Type.Optional(Nullable(Type.Boolean())),
  isEmailConfirmed: Type.Optional(Nullable(Type.Boolean())),
  isMobileConfirmed: Type.Optional(Nullable(Type.Boolean())),
  requireChangePassword: Type.Optional(Nullable(Type.Boolean())),
  roleNames: Type.Optional(Nullable(Type.Array(RoleName, { maxItems: 50 }))),
};

/** The input for a new account. Import accepts the same members. */
export const CreateInput = Type.Object({
  userName: UserName(),
  password: Type.Optional(Nullable(Secret({ maxLength: 4096 }))),
  ...profile,
});
export const UpdateInput = Type.Object({ id: AccountId, userName: Type.Optional(UserName()), ...profile });

/** Returns the members that were sent. An empty address means none. */
export function toChanges(input: Static<typeof UpdateInput> | Static<typeof CreateInput>): AccountChanges {
  const { name, surname, emailAddress, mobileNumber, requireChangePassword, userName } = input;
  return {
    ...(userName !== undefined && { userName }),
    ...(name !== undefined && { name: name ?? '' }),
    ...(surname !== undefined && { surname: surname ?? '' }),
    ...(emailAddress !== undefined && { emailAddress: emailAddress || null }),
    ...(mobileNumber !== undefined && { mobileNumber: mobileNumber || null }),
    ...(input.isActive != null && { isActive: input.isActive }),
    ...(input.isEmailConfirmed != null && { isEmailConfirmed: input.isEmailConfirmed }),
    ...(input.isMobileConfirmed != null && { isMobileConfirmed: input.isMobileConfirmed }),
    ...(requireChangePassword != null && { mustChangePassword: requireChangePassword }),
    ...(input.roleNames != null && { roleNames: input.roleNames }),
  };
}

/** Returns the account to create. It is active unless the input says otherwise, and absent members are empty. */
export const toAccountInput = (input: Static<typeof CreateInput>): AccountInput =>
  newAccount(input.userName, toChanges(input));
