// Audit actions of signing in.
import { defineActions } from '../foundation/events.ts';

export const signInActions = defineActions('signIn', {
  password:
    'A caller signed in, or tried to, with a user name or e-mail address and a password. Details tell if a trusted device replaced the second factor.',
  pinRequested:
    'A caller asked for a pin to sign in with. Details hold the masked address that the pin was sent to, if any.',
  pin: 'A caller signed in, or tried to, with a one-time pin.',
  external: 'A caller signed in, or tried to, through an external provider. Details hold the name of the provider.',
  authenticator: 'A caller completed a sign-in, or tried to, with a code of an authenticator app.',
  reauthenticated:
    'A signed-in caller proved again, or tried to, who they are. Details hold the method, except for a wrong password.',
  recoveryCode: 'A caller completed a sign-in, or tried to, with a recovery code. The code is used up.',
  passkey:
    'A caller signed in, or completed a sign-in, or tried to, with a passkey. Details hold the id of the passkey, if it is known.',
  passkeyCounterBehind:
    'The signature counter of a passkey was not higher than before, so that the passkey may have been copied. The sign-in was refused. Details hold the id of the passkey.',
  externalRegistered:
    'The first sign-in through an external provider created an account. Details hold the name of the provider, and whether the account waits for an administrator.',
});
