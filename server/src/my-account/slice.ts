// The slice of what account owners do with their own account.
import type { Capabilities, Slice } from '../slice.ts';
import { createAddressProofs } from './address-proof.ts';
import { createAddressRequests } from './address-request.ts';
import { myAccountActions } from './declarations.ts';
import { createMyExternalLogins } from './my-external-logins.ts';
import { createMyQuestions } from './my-questions.ts';
import { createMySessions } from './my-sessions.ts';
import { createPasswordChange } from './password-change.ts';
import { myAccountRoutes } from './routes.ts';
import {
  addressChangedMessage,
  addressVerifiedMessage,
  ownPasswordChangedMessage,
  questionsChangedMessage,
} from './templates.ts';

export const myAccountSlice = {
  declarations: {
    settings: [addressChangedMessage, addressVerifiedMessage, questionsChangedMessage, ownPasswordChangedMessage],
    actions: [myAccountActions],
  },
  create(capabilities: Capabilities) {
    return {
      routes: myAccountRoutes({
        changePassword: createPasswordChange(capabilities),
        mySessions: createMySessions(capabilities),
        addressRequests: createAddressRequests(capabilities),
        addressProofs: createAddressProofs(capabilities),
        myQuestions: createMyQuestions(capabilities),
        myExternalLogins: createMyExternalLogins(capabilities),
      }),
    };
  },
} satisfies Slice;
