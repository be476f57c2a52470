// Authorization: whether a caller may act.
export { type Authorization, type CurrentAccount, createAuthorization } from './authorization.ts';
export { createFindAbove, createLockManaged, type Managed, requireOther } from './managed-account.ts';
