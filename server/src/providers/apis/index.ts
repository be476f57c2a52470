// The base class of OpenID providers, for the extension API. It loads the library that calls them.
export type { Claims, MappedClaims } from './oidc-claims.ts';
export { OidcProviderApiBase } from './oidc-provider-api-base.ts';
