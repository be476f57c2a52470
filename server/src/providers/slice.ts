// The endpoints, errors, actions and cleanup job of external providers.
import { basePathOf } from '../foundation/base-path.ts';
import type { AuthorizationRequests } from './authorization-requests.ts';
import { externalErrors, externalProviderActions, externalProviderErrors } from './declarations.ts';
import type { ExternalProviders } from './external-providers.ts';
import type { Providers } from './providers.ts';
import { providerEndpoints } from './routes.endpoints.ts';
import { externalProviderRoutes } from './routes.external-providers.ts';
import { providerRoutes } from './routes.ts';

type Needs = {
  providers: Providers;
  authorizationRequests: AuthorizationRequests;
  externalProviders: ExternalProviders;
  /** The public URL. */
  issuer: string;
};

export const providersSlice = {
  declarations: { errors: [externalErrors, externalProviderErrors], actions: [externalProviderActions] },
  create: (needs: Needs) => ({
    routes: [...providerRoutes(needs), ...externalProviderRoutes({ ...needs, checkProvider: needs.providers.check })],
    endpoints: providerEndpoints(basePathOf(needs.issuer)),
    jobs: [needs.authorizationRequests.deleteExpired],
  }),
};
