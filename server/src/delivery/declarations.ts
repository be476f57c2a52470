// The errors and audit actions of messages.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** The error of a call that would need a means of delivery that is off. */
export const deliveryErrors = defineErrors('delivery', {
  notOffered: { status: 400, message: 'This service does not send such messages. Please choose another way.' },
});

// The audit actions of messages. Details hold means, channel, template and the masked recipient, never the text.
/** The actions, keyed by the final state of a message. */
export const messageActions = defineActions('message', {
  sent: 'A channel accepted a message.',
  failed: 'The service gave up a message: a channel refused it, or the outcome of two tries is unknown.',
  dropped: 'A message expired before the service could send it.',
});
