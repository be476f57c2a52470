// What people do with their own account. Of addresses, details hold which one (`emailAddress`, `mobileNumber`) and its mask.
import { defineActions } from '../foundation/events.ts';

export const myAccountActions = defineActions('account', {
  passwordChanged: 'Somebody changed, or tried to change, the own password; all other sessions are ended with it.',
  externalLoginLinked:
    'Somebody linked, or tried to link, the own account to an external provider; details hold its name.',
  externalLoginUnlinked:
    'Somebody took a link to an external provider away; all other sessions are ended with it. Details hold its name.',
  addressChangeRequested:
    'Somebody asked, or tried to ask, for a pin to verify a new or present e-mail address or mobile number of their own.',
  addressChanged:
    'Somebody verified, or tried to verify, an e-mail address or mobile number: it is the account’s from then on.',
  securityQuestionsSet:
    'Somebody gave, or tried to give, the answers to security questions of their own, of which every verified address is told; details hold how many.',
});
