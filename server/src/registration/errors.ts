// Reasons to refuse a registration.
import { defineErrors } from '../foundation/errors.ts';

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
