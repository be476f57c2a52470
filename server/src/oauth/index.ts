// OAuth: how applications authenticate, and the errors and parameters of its endpoints.
export { ASSERTION_ALGORITHMS, createVerifyAssertion } from './assertions.ts';
export {
  type ClientAuthentication,
  createClientAuthentication,
  readPresented,
} from './client-authentication.ts';
export { OAuthError, type OAuthErrorCode } from './oauth-error.ts';
export { type Parameters, readParameters } from './parameters.ts';
export { refuseByStandard } from './refusals.ts';
export { oauthSlice } from './slice.ts';
export { createAssertionStore } from './store.sql.ts';
