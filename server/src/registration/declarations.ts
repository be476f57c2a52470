// The errors and audit actions of registration.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** Reasons to refuse a registration. */
export const registrationErrors = {
  ...defineErrors('registration', {
    disabled: { status: 400, message: 'You cannot register in this way. Please ask an administrator.' },
    addressNotProven: {
      status: 400,
      message: 'This address is not verified, or its verification has expired. Please verify it, then register.',
    },
  }),
  ...defineErrors('account', {
    userNameTaken: { status: 409, message: 'This user name is taken. Please choose another one.' },
  }),
};

/** Audit actions of registration. Details hold masked addresses. */
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
