// Service keys, as a slice of the service.
import { serviceKeyActions, serviceKeyErrors } from './declarations.ts';
import { serviceKeyRoutes } from './routes.ts';
import type { ServiceKeys } from './service-keys.ts';

export const serviceKeysSlice = {
  declarations: { errors: [serviceKeyErrors], actions: [serviceKeyActions] },
  create: ({ serviceKeys }: { serviceKeys: ServiceKeys }) => ({
    routes: serviceKeyRoutes(serviceKeys),
  }),
};
