// Audit actions of owners on their account. For an address, details hold its member (`emailAddress`, `mobileNumber`) and mask.
import { defineActions } from '../foundation/events.ts';

export const myAccountActions = defineActions('account', {
  passwordChanged: 'An account owner changed, or tried to change, the password. A change ends all other sessions.',
  externalLoginLinked:
    'An account owner linked, or tried to link, the account to an external provider. Details hold the name of the provider.',
  externalLoginUnlinked:
    'An account owner removed an external login, which ended all other sessions. Details hold the name of the provider.',
  addressChangeRequested:
    'An account owner asked, or tried to ask, for a pin to verify a new or present e-mail address or mobile number.',
  addressChanged:
    'An account owner verified, or tried to verify, an e-mail address or mobile number. The account has it from then on.',
  securityQuestionsSet:
    'An account owner set, or tried to set, the answers to security questions. Every verified address is notified. Details hold the number of answers.',
});
