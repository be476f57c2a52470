// What happens when people sign in.
import { defineActions } from '../foundation/events.ts';

export const signInActions = defineActions('signIn', {
  password: 'Somebody signed in, or tried to, with a user name or e-mail address and a password.',
  pinRequested: 'Somebody asked for a pin to sign in with; details hold the masked address it was sent to, if any.',
  pin: 'Somebody signed in, or tried to, with a one-time pin.',
  external: 'Somebody signed in, or tried to, through an external provider; details hold its name.',
  externalRegistered:
    'An account was made for somebody whom an external provider vouched for; details hold its name, and whether the account waits for an administrator.',
});
