// Authorization: whether a caller may act.
export { type Authorization, type CurrentAccount, createAuthorization } from './authorization.ts';
export { createLockManaged } from './managed-account.ts';
