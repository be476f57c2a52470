// What happens to messages. Details hold means, channel, template and the masked recipient; never a word of the message.
import { defineActions } from '../foundation/events.ts';

/** By the state in which a message ends. */
export const messageActions = defineActions('message', {
  sent: 'A channel has taken a message.',
  failed: 'A channel will not take a message, or twice it is not known whether it did: it is given up.',
  dropped: 'A message could not be sent before it expired.',
});
