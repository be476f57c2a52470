// Accounts: their members, roles and permissions, and the rules for user names.
import type { Instant } from '../foundation/clock.ts';
import { emailKey } from '../foundation/email-address.ts';

/** The account of one person. An address counts only while it is verified; `mobileNumber` is E.164. */
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
  /** When a name, address or number last changed, or was verified: at the latest when the account was created. */
  updatedAt: Instant;
};

/**
 * The stored hash of an account's password. `version` increases with each new password and each new address, and when
 * the account is activated or deactivated.
 */
export type Credential = { hash: string | null; version: number };

/** The members of an account that an administrator or an import sets. */
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

/** Returns the input for an active account with this user name. Members that `more` leaves out are empty or false. */
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

/**
 * Returns the key under which a user name or e-mail address is unique in all of its spellings. A user name that is an
 * address has the key of that address. Any other user name is case-folded.
 */
export function nameKey(name: string): string {
  return emailKey(name);
}

/** In characters. Case folding can lengthen a name, and databases limit the size of an index entry. */
const MAX_KEY_LENGTH = 256;

/** Whether the key of a user name or e-mail address is short enough for a unique index. */
export function isIndexable(name: string): boolean {
  return nameKey(name).length <= MAX_KEY_LENGTH;
}

/** Returns "Name Surname", or the user name if the account has neither. */
export function fullName({ name, surname, userName }: Pick<Account, 'name' | 'surname' | 'userName'>): string {
  return `${name} ${surname}`.trim() || userName;
}

/** Returns what a token says of its account. */
export const toTokenSubject = (account: Account) => ({
  id: account.id,
  userName: account.userName,
  fullName: fullName(account),
  email: account.emailAddress,
  roles: account.roleNames,
});

/** Returns the names of the account owner, as messages give them. */
export const ownerNames = (account: Account) => ({ name: fullName(account), username: account.userName });

/**
 * Whether a user name looks like an e-mail address or phone number that is not the account's own. In any spelling, such
 * a name could be mistaken for another person's address.
 * @param parseNumber returns the number in E.164, or `undefined` if the text is not a phone number.
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
