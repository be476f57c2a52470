// The endpoint, actions and cleanup job of delivery.
import { deliveryErrors, messageActions } from './declarations.ts';
import { type DeliveryRouteDeps, deliveryRoutes } from './routes.ts';

export const deliverySlice = {
  declarations: {
    errors: [deliveryErrors],
    actions: [messageActions],
  },
  create: (deps: DeliveryRouteDeps) => ({
    routes: deliveryRoutes(deps),
    jobs: [
      deps.messageDispatcher.correctDueTimes,
      deps.messageDispatcher.eraseDropped,
      deps.messageDispatcher.deleteExpired,
    ],
    duty: deps.messageDispatcher,
  }),
};
