// Rows of accounts: the selected columns, and the conversions between rows and accounts.
import type { Selectable } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { AccountTable } from '../storage/database.ts';
import { type Account, type AccountInput, nameKey } from './account.ts';
import type { NewAccount } from './store.ts';

export const columns = [
  'id',
  'person_id',
  'user_name',
  'name',
  'surname',
  'email',
  'mobile',
  'is_email_confirmed',
  'is_mobile_confirmed',
  'is_active',
  'must_change_password',
  'roles',
  'last_sign_in_at',
  'created_at',
] as const;

export function toAccount(row: Pick<Selectable<AccountTable>, (typeof columns)[number]>): Account {
  return {
    id: row.id,
    personId: row.person_id,
    userName: row.user_name,
    name: row.name,
    surname: row.surname,
    emailAddress: row.email,
    mobileNumber: row.mobile,
    isEmailConfirmed: row.is_email_confirmed === 1,
    isMobileConfirmed: row.is_mobile_confirmed === 1,
    isActive: row.is_active === 1,
    mustChangePassword: row.must_change_password === 1,
    roleNames: JSON.parse(row.roles),
    lastSignInAt: row.last_sign_in_at,
    createdAt: row.created_at,
  };
}

export function toRow(input: AccountInput) {
  return {
    user_name: input.userName,
    user_name_key: nameKey(input.userName),
    name: input.name,
    surname: input.surname,
    email: input.emailAddress,
    email_key: input.emailAddress === null ? null : nameKey(input.emailAddress),
    mobile: input.mobileNumber,
    is_email_confirmed: input.isEmailConfirmed ? 1 : 0,
    is_mobile_confirmed: input.isMobileConfirmed ? 1 : 0,
    is_active: input.isActive ? 1 : 0,
    must_change_password: input.mustChangePassword ? 1 : 0,
    roles: JSON.stringify(input.roleNames),
  } as const;
}

export function toNewRow(
  { passwordHash, hasRandomPassword = false, ...input }: NewAccount,
  personId: string,
  now: Instant,
) {
  return {
    ...toRow(input),
    person_id: personId,
    password_hash: passwordHash,
    password_version: 1,
    password_changed_at: passwordHash === null || hasRandomPassword ? null : now,
    last_sign_in_at: null,
    created_at: now,
    registration_completed_at: null,
  } as const;
}
