// External providers: who people are elsewhere, and the accounts that it is linked to.
export { externalErrors, externalLoginErrors } from './errors.ts';
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
export { providerRoutes } from './routes.ts';
export { createExternalLoginStore } from '../external-logins/store.sql.ts';
export type { ExternalIdentity, ExternalLogin, ExternalLoginStore } from '../external-logins/store.ts';
