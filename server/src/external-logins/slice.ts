// The settings and errors of external logins.
import { externalLoginErrors } from './errors.ts';
import { externalLoginLinkedMessage, externalLoginUnlinkedMessage } from './templates.ts';

export const externalLoginDefinitions = {
  settings: [externalLoginLinkedMessage, externalLoginUnlinkedMessage],
  errors: [externalLoginErrors],
};
