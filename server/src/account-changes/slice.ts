// What changes of accounts declare.
import { administrationActions, administrationErrors } from './declarations.ts';
import { addressesReplacedMessage, changedByAdministratorMessage } from './templates.ts';

export const accountChangesSlice = {
  declarations: {
    settings: [addressesReplacedMessage, changedByAdministratorMessage],
    errors: [administrationErrors],
    actions: [administrationActions],
  },
};
