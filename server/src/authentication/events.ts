// Audit actions of the authentication flow.
import { defineActions } from '../foundation/events.ts';

export const authenticationActions = defineActions('signIn', {
  challenged:
    'The first factor of a sign-in was right, and the account has a second factor. Details hold the first method and the second factors.',
  deviceTrusted:
    'A user chose to trust a device while completing a sign-in. Its next sign-ins are not asked for a second factor.',
});
