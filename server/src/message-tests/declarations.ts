// The errors and the audit action of test messages.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

export const messageTestErrors = defineErrors('message', {
  noOwnAddress: {
    status: 400,
    message: 'A test goes to your own verified address. Please verify one in "My account" first.',
  },
  tooManyTests: { status: 429, message: 'You have sent yourself too many tests today. Please try again later.' },
});

/** Details hold means, template and the masked recipient. */
export const messageTestActions = defineActions('message', {
  tested: 'An administrator had a test message sent to their own address.',
});
