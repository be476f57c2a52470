// What people do with their own account.
import { defineActions } from '../foundation/events.ts';

export const myAccountActions = defineActions('account', {
  passwordChanged: 'Somebody changed, or tried to change, the own password; all other sessions are ended with it.',
});
