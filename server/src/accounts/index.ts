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
} from './account.ts';
export { requireEmailAddress } from './email-address.ts';
export { accountErrors } from './errors.ts';
export { createNames, type Named, type Names } from './names.ts';
export { createPhoneNumbers, type PhoneNumbers } from './phone-number.ts';
export { accountDefinitions } from './slice.ts';
export { createAccountStore } from './store.sql.ts';
export type { AccountQuery, AccountStore } from './store.ts';
export { createVerifiedAddresses, type VerifiedAddress, type VerifiedAddresses } from './verified-addresses.ts';
