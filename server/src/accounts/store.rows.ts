// Rows of accounts: the selected columns, and the conversions between rows and accounts.
import type { Expression, Selectable, SqlBool } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { AccountTable } from '../storage/database.ts';
import { type Account, type AccountInput, nameKey } from './account.ts';
import { importedPasswordMark } from './imported-password.ts';

/** What the accounts of a list have in common: conditions in SQL on rows of accounts, all of which hold. */
export type AccountConditions = readonly Expression<SqlBool>[];

/** Order and page of a list of accounts. Accounts without the value to sort by are the first of an ascending list. */
export type AccountQuery = {
  sort: {
    by: 'id' | 'userName' | 'name' | 'surname' | 'emailAddress' | 'creationTime' | 'lastLoginTime';
    descending: boolean;
  };
  skip: number;
  take: number;
};

/** A new account to store. */
export type NewAccount = AccountInput & {
  passwordHash: string | null;
  /** The service generated the password: no person has chosen it or knows it. */
  hasRandomPassword?: boolean;
  /** Set for an account of another system: what it keeps from there. */
  imported?: ImportedIdentity;
};

/** What an imported account keeps of its former system. Absent members are as in any new account. */
export type ImportedIdentity = { id?: number; personId?: string; createdAt?: Instant; lastSignInAt?: Instant };

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
  'updated_at',
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
    updatedAt: row.updated_at ?? row.created_at,
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
  { passwordHash, hasRandomPassword = false, imported, ...input }: NewAccount,
  personId: string,
  now: Instant,
) {
  return {
    ...toRow(input),
    ...(imported?.id !== undefined && { id: imported.id }),
    person_id: imported?.personId ?? personId,
    password_hash: passwordHash,
    password_version: imported?.id === undefined ? 1 : firstVersionOfReusedId(now),
    password_changed_at: passwordHash === null || hasRandomPassword ? null : now,
    last_sign_in_at: imported?.lastSignInAt ?? null,
    created_at: imported?.createdAt ?? now,
    updated_at: null,
    registration_completed_at: null,
    imported_password: imported ? importedPasswordMark(passwordHash) : null,
  } as const;
}

/**
 * A given id may have belonged to a deleted account. Links and tokens that reset its password name a version, which is
 * never this one.
 */
function firstVersionOfReusedId(now: Instant): number {
  return Math.floor(now / 1000);
}

export const sortColumns = {
  id: 'id',
  userName: 'user_name_key',
  name: 'name',
  surname: 'surname',
  emailAddress: 'email_key',
  creationTime: 'created_at',
  lastLoginTime: 'last_sign_in_at',
} as const satisfies Record<AccountQuery['sort']['by'], keyof AccountTable>;
