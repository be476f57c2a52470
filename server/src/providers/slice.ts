// The endpoints, errors and cleanup job of external providers.
import type { AuthorizationRequests } from './authorization-requests.ts';
import { externalErrors } from './declarations.ts';
import type { Providers } from './providers.ts';
import { providerRoutes } from './routes.ts';

export const providersSlice = {
  declarations: { errors: [externalErrors] },
  create: (deps: { providers: Providers; authorizationRequests: AuthorizationRequests }) => ({
    routes: providerRoutes(deps),
    jobs: [deps.authorizationRequests.deleteExpired],
  }),
};
