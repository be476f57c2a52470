// External providers: verifies the identities that people have at other services.
export {
  type AuthorizationRequests,
  type AuthorizationResponse,
  createAuthorizationRequests,
} from './authorization-requests.ts';
export { externalDetails, externalErrors } from './declarations.ts';
export { ProviderChangeMembers, ProviderMembers, redirectUriOf, toProviderChanges } from './dtos.external-providers.ts';
export { createExternalProviders, type DescribedProvider, type ExternalProviders } from './external-providers.ts';
export { type ExternalUser, type IdentifiedUser, MAX_KEY_LENGTH } from './profile.ts';
export {
  type AuthorizationCodeGrant,
  type ExternalAuthCall,
  ExternalAuthProviderApiBase,
  type ExternalAuthProviderApiType,
  type ExternalAuthUserInfo,
  type ExternalLoginProviderInfo,
} from './provider.ts';
export { findExpiringSecrets, WARNED_DAYS } from './provider-rules.ts';
export { findWarnings } from './provider-warnings.ts';
export { createProviders, type ExternalProof, type Providers } from './providers.ts';
export { createReview, type Review, type Reviewer, type ReviewVerdict } from './review.ts';
export { authorizationResponse } from './routes.ts';
export { providersSlice } from './slice.ts';
export { createExternalProviderStore } from './store.external-providers.sql.ts';
export { createAuthorizationRequestStore } from './store.sql.ts';
