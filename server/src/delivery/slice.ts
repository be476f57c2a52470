// The endpoint, settings, actions and cleanup job of delivery.
import { addressInUseMessage, verificationPinMessage } from './address-messages.ts';
import { deliveryErrors } from './errors.ts';
import { messageActions } from './events.ts';
import { type DeliveryRouteDeps, deliveryRoutes } from './routes.ts';

export const deliveryDefinitions = {
  settings: [verificationPinMessage, addressInUseMessage],
  errors: [deliveryErrors],
  actions: [messageActions],
};

export const createDeliverySlice = (deps: DeliveryRouteDeps) => ({
  routes: deliveryRoutes(deps),
  jobs: [deps.messageDispatcher.deleteExpired],
});
