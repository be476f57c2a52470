// Service keys, as a slice of the service.
import { serviceKeyErrors } from './errors.ts';
import { serviceKeyActions } from './events.ts';
import { serviceKeyRoutes } from './routes.ts';
import type { ServiceKeys } from './service-keys.ts';

export const serviceKeysSlice = {
  declarations: { errors: [serviceKeyErrors], actions: [serviceKeyActions] },
  create: ({ serviceKeys }: { serviceKeys: ServiceKeys }) => ({
    routes: serviceKeyRoutes(serviceKeys),
  }),
};
