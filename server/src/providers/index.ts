// External providers: verifies the identities that people have at other services.
export { externalErrors } from './errors.ts';
export { type ExternalUser, MAX_KEY_LENGTH } from './profile.ts';
export {
  type ExternalAuthCall,
  ExternalAuthProviderApiBase,
  type ExternalAuthProviderApiType,
  type ExternalAuthUserInfo,
  type ExternalLoginProviderInfo,
} from './provider.ts';
export { createProviders, type ExternalProof, type Providers } from './providers.ts';
export { createReview, type Review, type Reviewer, type ReviewVerdict } from './review.ts';
export { createProviderSlice, providerDefinitions } from './slice.ts';
