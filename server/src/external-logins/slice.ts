// The settings and errors of external logins.
import { externalLoginErrors } from './declarations.ts';
import { externalLoginLinkedMessage, externalLoginUnlinkedMessage } from './templates.ts';

export const externalLoginsSlice = {
  declarations: {
    settings: [externalLoginLinkedMessage, externalLoginUnlinkedMessage],
    errors: [externalLoginErrors],
  },
};
