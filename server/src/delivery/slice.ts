// The endpoint, settings, actions and cleanup job of delivery.
import type { OfferedMeans } from '../foundation/means.ts';
import { addressInUseMessage, verificationPinMessage } from './address-messages.ts';
import { deliveryErrors } from './errors.ts';
import { messageActions } from './events.ts';
import type { MessageDispatcher } from './message-dispatcher.ts';
import type { Messages } from './messages.ts';
import { deliveryRoutes } from './routes.ts';

export const deliveryDefinitions = {
  settings: [verificationPinMessage, addressInUseMessage],
  errors: [deliveryErrors],
  actions: [messageActions],
};

export const createDeliverySlice = ({
  messages,
  messageDispatcher,
  offeredMeans,
}: {
  messages: Messages;
  messageDispatcher: MessageDispatcher;
  offeredMeans: OfferedMeans;
}) => ({
  routes: deliveryRoutes({ messages, messageDispatcher, offeredMeans }),
  jobs: [messageDispatcher.deleteExpired],
});
