// Accounts: the stored accounts with their names, addresses, roles and permissions.
export {
  type Account,
  type AccountInput,
  type Credential,
  fullName,
  isForeignAddress,
  isIndexable,
  nameKey,
  newAccount,
  ownerNames,
  toTokenSubject,
} from './account.ts';
export { accountErrors } from './declarations.ts';
export { requireEmailAddress } from './email-address.ts';
export { compareImportedPassword } from './imported-password.ts';
export { createNames, type Named, type Names } from './names.ts';
export { createPhoneNumbers, type PhoneNumbers } from './phone-number.ts';
export { accountsSlice } from './slice.ts';
export { type AccountCounts, createAccountCounts } from './store.counts.sql.ts';
export {
  type AccountImportStore,
  type AccountKeys,
  createAccountImportStore,
  keysOf,
  type StoredKeys,
} from './store.import.ts';
export type { AccountConditions, AccountQuery, ImportedIdentity } from './store.rows.ts';
export type { AccountStore } from './store.sql.ts';
export { createAccountStore } from './store.sql.ts';
export { createVerifiedAddresses, type VerifiedAddresses } from './verified-addresses.ts';
