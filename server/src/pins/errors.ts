// The errors of requesting and trying pins.
import { defineErrors } from '../foundation/errors.ts';

export const pinErrors = defineErrors('pin', {
  invalid: {
    status: 401,
    message: 'This pin is wrong, or can no longer be used. Please check it, or ask for a new one.',
  },
  cooldown: { status: 429, message: 'A message was asked for a moment ago. Please wait before you ask for another.' },
  dailyLimit: { status: 429, message: 'Too many messages were asked for today. Please try again later.' },
});
