// The audit actions of what happens to all data of a person.
import { defineActions } from '../foundation/events.ts';

export const personActions = defineActions('account', {
  dataExported:
    'An account owner or an administrator exported everything that is stored about the owner. Details hold the administrator.',
});
