// The endpoint, settings, actions and cleanup job of delivery.
import { addressInUseMessage, verificationPinMessage } from './address-messages.ts';
import { messageActions } from './events.ts';
import type { MessageDispatcher } from './message-dispatcher.ts';
import type { Messages } from './messages.ts';
import { deliveryRoutes } from './routes.ts';

export const deliveryDefinitions = {
  settings: [verificationPinMessage, addressInUseMessage],
  actions: [messageActions],
};

export const createDeliverySlice = ({
  messages,
  messageDispatcher,
}: {
  messages: Messages;
  messageDispatcher: MessageDispatcher;
}) => ({
  routes: deliveryRoutes({ messages, messageDispatcher }),
  jobs: [messageDispatcher.deleteExpired],
});
