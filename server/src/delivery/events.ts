// The audit actions of messages. Details hold means, channel, template and the masked recipient, never the text.
import { defineActions } from '../foundation/events.ts';

/** The actions, keyed by the final state of a message. */
export const messageActions = defineActions('message', {
  sent: 'A channel accepted a message.',
  failed: 'The service gave up a message: a channel refused it, or the outcome of two tries is unknown.',
  dropped: 'A message expired before the service could send it.',
});
