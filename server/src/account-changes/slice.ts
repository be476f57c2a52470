// What changes of accounts declare.
import { administrationErrors } from './errors.ts';
import { administrationActions } from './events.ts';
import { addressesReplacedMessage } from './templates.ts';

export const accountChangesSlice = {
  declarations: {
    settings: [addressesReplacedMessage],
    errors: [administrationErrors],
    actions: [administrationActions],
  },
};
