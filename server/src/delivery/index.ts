// Delivery: messages are stored in the transaction of the change that they report, and sent afterwards.
export { type Channel, DeliveryError, type OutgoingMessage } from './channel.ts';
export { messageActions } from './declarations.ts';
export { createMessageDispatcher, type MessageDispatcher } from './message-dispatcher.ts';
export { createMessages, type Messages, NOTICE_SECONDS } from './messages.ts';
export { createOffChannel, findOfferedMedia, OFF, requireOffered } from './off.ts';
export { createOutboxChannel, OUTBOX } from './outbox.ts';
export { requireUnexposed } from './secret-places.ts';
export { deliverySlice } from './slice.ts';
export { createSmsGateway } from './sms-gateway.ts';
export { createSmtpChannel } from './smtp.ts';
export { createMessageStore } from './store.sql.ts';
export {
  defineMessage,
  defineNotice,
  isMessageTemplate,
  type MessageTemplate,
  type NoticeTemplate,
  type Values,
  type Words,
} from './template.ts';
