// The errors of requesting and trying pins.
import { defineErrors } from '../foundation/errors.ts';

export const pinErrors = defineErrors('pin', {
  invalid: {
    status: 401,
    message: 'This pin is wrong, or can no longer be used. Please check it, or request a new one.',
  },
  cooldown: {
    status: 429,
    message: 'A message was requested a moment ago. Please wait before you request another one.',
  },
  dailyLimit: { status: 429, message: 'Too many messages were requested today. Please try again later.' },
});
