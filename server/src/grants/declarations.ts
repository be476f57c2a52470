// The audit actions of grants.
import { defineActions } from '../foundation/events.ts';

export const grantActions = defineActions('grant', {
  given: 'A person signed in to an application: it may exchange a code for tokens.',
  redeemed: 'An application exchanged a code for tokens.',
  replayed: 'A code or refresh token was used again, and the grant ended: somebody else may have it.',
  ended: 'An application, its person or an administrator ended what the application was given.',
});
