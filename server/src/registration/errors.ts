// What registering may end in.
import { defineErrors } from '../foundation/errors.ts';

export const registrationErrors = {
  ...defineErrors('registration', {
    disabled: { status: 400, message: 'It is not possible to register in this way.' },
    addressNotProven: {
      status: 400,
      message: 'This address is not verified, or was too long ago. Please verify it, then register.',
    },
  }),
  ...defineErrors('account', {
    userNameTaken: { status: 409, message: 'Somebody has this user name already. Please choose another one.' },
  }),
};
