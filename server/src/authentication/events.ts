// What happens in the authentication flow itself.
import { defineActions } from '../foundation/events.ts';

export const authenticationActions = defineActions('signIn', {
  challenged:
    'The first factor of a sign-in was right, and the account has a second one; details hold the first method and the second factors.',
});
