// What happens when people register. Details hold masked addresses.
import { defineActions } from '../foundation/events.ts';

export const registrationActions = {
  ...defineActions('registration', {
    pinRequested:
      'Somebody asked for a pin or link to register with an address; the user, if any, has it already, and was told instead.',
    pinTried: 'Somebody gave a pin to verify an address to register with.',
  }),
  ...defineActions('account', {
    registered: 'Somebody made an account with an address that was verified.',
    registrationCompleted: 'Somebody who registered has filled in all there is to fill in.',
  }),
};
