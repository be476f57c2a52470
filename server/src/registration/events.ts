// Audit actions of registration. Details hold masked addresses.
import { defineActions } from '../foundation/events.ts';

export const registrationActions = {
  ...defineActions('registration', {
    pinRequested:
      'A caller asked for a pin or link to register with an address. If the entry has a user, that account has the address, and its owner was notified instead.',
    pinTried: 'A caller tried a pin to verify an address to register with.',
  }),
  ...defineActions('account', {
    registered: 'A caller registered an account with a verified address.',
    registrationCompleted: 'An account owner completed the registration: all extra information is filled in.',
  }),
};
