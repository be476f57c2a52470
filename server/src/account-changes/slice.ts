// What changes of accounts declare.
import { administrationActions, administrationErrors } from './declarations.ts';
import { addressesReplacedMessage } from './templates.ts';

export const accountChangesSlice = {
  declarations: {
    settings: [addressesReplacedMessage],
    errors: [administrationErrors],
    actions: [administrationActions],
  },
};
