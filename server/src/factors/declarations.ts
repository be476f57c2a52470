// The errors of second factors.
import { defineErrors } from '../foundation/errors.ts';

export const factorErrors = defineErrors('factor', {
  invalid: { status: 401, message: 'The second factor is wrong. Please try again.' },
  challengeInvalid: { status: 401, message: 'This sign-in has expired. Please sign in again.' },
  enrollmentRequired: { status: 403, message: 'Set up a second factor first.' },
  reauthenticationRequired: {
    status: 403,
    message: 'Prove again that it is you: with your password or a passkey, or by signing in again.',
  },
  secondFactorRequired: {
    status: 403,
    message:
      'Confirm with your second factor first: call TokenAuth/Reauthenticate with a code of your authenticator app, a passkey or a recovery code. Then send this again within 5 minutes.',
  },
  enrollmentEnded: {
    status: 400,
    message:
      'This enrollment has ended: it took longer than 5 minutes, a newer one was begun, or your factors or password were changed. Please begin again.',
  },
  notEnrolled: { status: 400, message: 'Your account has no second factor. Set one up first.' },
  deviceNotFound: { status: 404, message: 'Your account has no trusted device with this id.' },
  disabled: { status: 400, message: 'This kind of second factor is turned off. Please choose another one.' },
});

export const passkeyErrors = defineErrors('passkey', {
  duplicate: {
    status: 409,
    message: 'This passkey is already registered. Please choose another device or security key.',
  },
  tooMany: { status: 400, message: 'You have as many passkeys as an account can have. Remove one first.' },
  notFound: { status: 404, message: 'You do not have this passkey. Please reload the list.' },
  lastWayToSignIn: {
    status: 400,
    message: 'This passkey is the only way to sign in to your account. Set a password or verify an address first.',
  },
});
