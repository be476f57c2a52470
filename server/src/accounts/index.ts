// Accounts: who may sign in, under which names, and what they may do.
export {
  type Account,
  type AccountInput,
  ADMINISTRATOR,
  type Credential,
  fullName,
  isForeignAddress,
  isIndexable,
  nameKey,
  newAccount,
  type Permission,
  permissionsOf,
  permitsAll,
  toRoleNames,
} from './account.ts';
export { requireEmailAddress } from './email-address.ts';
export { accountErrors } from './errors.ts';
export { createNames, type Names } from './names.ts';
export { createPhoneNumbers, type PhoneNumbers, phoneNumberSetting } from './phone-number.ts';
export { createAccountStore } from './store.sql.ts';
export type { AccountQuery, AccountStore } from './store.ts';
