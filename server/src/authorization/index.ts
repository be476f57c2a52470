// Authorization: whether a caller may act.
export { type Authorization, type CurrentAccount, createAuthorization } from './authorization.ts';
export { createDeniedCalls, type DeniedCalls } from './denied-calls.ts';
export { createFindAbove, createLockManaged, type Managed, requireOther } from './managed-account.ts';
export { authorizationSlice } from './slice.ts';
