// Grants: what applications get from approvals, and what ends it.
export { grantActions } from './declarations.ts';
export type { Grant } from './grant.ts';
export { createGrants, type Given, type Grantee, type Grants } from './grants.ts';
export { createRefreshTokens } from './refresh-token.ts';
export { grantsSlice } from './slice.ts';
export { createGrantStore } from './store.sql.ts';
