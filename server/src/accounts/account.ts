// Account rules: names that are the same, roles and what they permit, and what a person may be called.
import type { Instant } from '../foundation/clock.ts';
import { emailKey } from '../foundation/email-address.ts';

/** A person's account. Addresses count only while confirmed; `mobileNumber` is E.164. */
export type Account = {
  id: number;
  personId: string;
  userName: string;
  name: string;
  surname: string;
  emailAddress: string | null;
  mobileNumber: string | null;
  isEmailConfirmed: boolean;
  isMobileConfirmed: boolean;
  isActive: boolean;
  mustChangePassword: boolean;
  roleNames: string[];
  lastSignInAt: Instant | null;
  createdAt: Instant;
};

/** What is stored to check an account's password; `version` grows with each new one, new address, and (de)activation. */
export type Credential = { hash: string | null; version: number };

/** What administrators and importers decide of an account. */
export type AccountInput = Pick<
  Account,
  | 'userName'
  | 'name'
  | 'surname'
  | 'emailAddress'
  | 'mobileNumber'
  | 'isEmailConfirmed'
  | 'isMobileConfirmed'
  | 'isActive'
  | 'mustChangePassword'
  | 'roleNames'
>;

/** An active account of this name with nothing else to it, as far as `more` does not say otherwise. */
export function newAccount(userName: string, more: Partial<AccountInput> = {}): AccountInput {
  return {
    userName,
    name: '',
    surname: '',
    emailAddress: null,
    mobileNumber: null,
    isEmailConfirmed: false,
    isMobileConfirmed: false,
    isActive: true,
    mustChangePassword: false,
    roleNames: [],
    ...more,
  };
}

/** What somebody signed in may do beyond the own account. */
export type Permission = 'pages:maintenance' | 'Pages.Users' | 'users:resetPassword';

export const ADMINISTRATOR = 'Administrator';

const permissionsByRole: Readonly<Record<string, readonly Permission[]>> = {
  [ADMINISTRATOR]: ['pages:maintenance', 'Pages.Users', 'users:resetPassword'],
  UserManager: ['Pages.Users', 'users:resetPassword'],
};

/** The role names as they are kept: each once, and those that mean something here in their own spelling. */
export function toRoleNames(names: readonly string[]): string[] {
  const known = new Map(Object.keys(permissionsByRole).map((name) => [nameKey(name), name]));
  return [...new Set(names.map((name) => known.get(nameKey(name)) ?? name))];
}

/** What these roles grant here; other role names are free, and travel in the token for other services. */
export function permissionsOf(roleNames: readonly string[]): Permission[] {
  const granted = roleNames.flatMap((role) =>
    Object.hasOwn(permissionsByRole, role) ? (permissionsByRole[role] ?? []) : [],
  );
  return [...new Set(granted)];
}

/** Whether `holder`'s roles permit all that `other`'s do: nobody gives, takes or manages more than they hold. */
export function permitsAll(holder: readonly string[], other: readonly string[]): boolean {
  const held = new Set(permissionsOf(holder));
  return permissionsOf(other).every((permission) => held.has(permission));
}

/**
 * The key under which user names and e-mail addresses are unique, whatever their spelling. A user name that is an address
 * has the key of that address; any other is only folded.
 */
export function nameKey(name: string): string {
  return emailKey(name);
}

/** Longest key: some characters are folded into many, and databases index only so much. */
const MAX_KEY_LENGTH = 256;

/** Whether a user name or e-mail address can be kept unique. */
export function isIndexable(name: string): boolean {
  return nameKey(name).length <= MAX_KEY_LENGTH;
}

/** "Name Surname", or the user name of an account that has neither. */
export function fullName({ name, surname, userName }: Pick<Account, 'name' | 'surname' | 'userName'>): string {
  return `${name} ${surname}`.trim() || userName;
}

/**
 * Whether a user name could be taken for somebody else's address: one that looks like an e-mail address or a phone
 * number, in whatever spelling, must be the account's own.
 * @param parseNumber the number in E.164 if the text is one.
 */
export function isForeignAddress(
  { userName, emailAddress, mobileNumber }: Pick<Account, 'userName' | 'emailAddress' | 'mobileNumber'>,
  parseNumber: (text: string) => string | undefined,
): boolean {
  const key = nameKey(userName);
  if (key.includes('@')) return emailAddress === null || nameKey(emailAddress) !== key;
  const number = parseNumber(key);
  return number !== undefined && number !== mobileNumber;
}
