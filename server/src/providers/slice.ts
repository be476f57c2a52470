// The endpoints, errors, actions and cleanup job of external providers.
import type { AuthorizationRequests } from './authorization-requests.ts';
import { externalErrors, externalProviderActions, externalProviderErrors } from './declarations.ts';
import type { Providers } from './providers.ts';
import { type ExternalProviderRouteDeps, externalProviderRoutes } from './routes.external-providers.ts';
import { providerRoutes } from './routes.ts';

export const providersSlice = {
  declarations: { errors: [externalErrors, externalProviderErrors], actions: [externalProviderActions] },
  create: (
    deps: { providers: Providers; authorizationRequests: AuthorizationRequests } & ExternalProviderRouteDeps,
  ) => ({
    routes: [...providerRoutes(deps), ...externalProviderRoutes(deps)],
    jobs: [deps.authorizationRequests.deleteExpired],
  }),
};
