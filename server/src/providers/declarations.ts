// The errors and audit actions of external providers, and the errors of sign-ins with them.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

export const externalErrors = defineErrors('external', {
  unknownProvider: { status: 400, message: 'There is no such provider. Choose one that is offered.' },
  couldNotValidate: {
    status: 401,
    isLogged: true,
    message: 'The provider did not confirm this sign-in. Please begin again.',
  },
  emailInUse: {
    status: 409,
    isLogged: true,
    message:
      'An account with this e-mail address already exists. Sign in to it in another way, and link the provider to it.',
  },
  incompleteProfile: {
    status: 502,
    message: 'The provider did not send your identity or your e-mail address. Please ask an administrator.',
  },
  unavailable: {
    status: 502,
    message:
      'The provider gave no usable answer. Please try again shortly. If that does not help, ask an administrator.',
  },
  registrationRefused: {
    status: 403,
    isLogged: true,
    message: 'You cannot create an account here. Please ask an administrator.',
  },
  linkedElsewhere: { status: 409, message: 'This sign-in already belongs to another account.' },
  lastWayToSignIn: {
    status: 409,
    message: 'This is the only way left to sign in to the account. Set a password or verify an address first.',
  },
});

/** Second sentences of these errors, which say what a person can do who cannot register. */
export const externalDetails = {
  notVerified: 'The provider has not verified your e-mail address. Verify it there, and begin again.',
  unusable: 'The provider sent an e-mail address or a name that no account can have. Please ask an administrator.',
};

/** Why a call about a registered provider is refused. */
export const externalProviderErrors = defineErrors('externalProvider', {
  notFound: { status: 404, message: 'There is no external provider with this id.' },
  nameTaken: { status: 409, message: 'Another external provider has this name. Please choose a different one.' },
  tooMany: { status: 409, message: 'There are as many external providers as the service allows. Delete one first.' },
  hasLogins: {
    status: 409,
    message: 'People are linked to this provider. At another one their keys could belong to other people.',
  },
});

/** What happens to registered providers. Details hold the name and the type. */
export const externalProviderActions = defineActions('externalProvider', {
  created: 'An administrator registered an external provider, with which people sign in here.',
  updated: 'An administrator changed an external provider. Details hold the names of the changed members.',
  deleted:
    'An administrator deleted an external provider. Details say how many external logins went with it; the sessions of their accounts ended.',
});
