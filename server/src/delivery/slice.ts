// Delivery, as a slice of the service.
import { addressInUseMessage, verificationPinMessage } from './address-messages.ts';
import type { Courier } from './courier.ts';
import { messageActions } from './events.ts';
import type { Messages } from './messages.ts';
import { deliveryRoutes } from './routes.ts';
import { applicationSetting } from './settings.ts';

export const deliveryDefinitions = {
  settings: [verificationPinMessage, addressInUseMessage, applicationSetting],
  actions: [messageActions],
};

export const createDeliverySlice = ({ messages, courier }: { messages: Messages; courier: Courier }) => ({
  routes: deliveryRoutes({ messages, courier }),
  jobs: [courier.removeOld],
});
