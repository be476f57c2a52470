// The audit actions and the error of what happens to all data of a person. The trail itself declares that of the erasure.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

export const personActions = defineActions('account', {
  dataExported:
    'An account owner or an administrator exported everything that is stored about the owner. Details hold the administrator.',
  erasureRequested: 'An account owner tried to erase the account, and did not prove who they are.',
});

export const personErrors = defineErrors('account', {
  erasureNotOffered: {
    status: 400,
    message: 'You cannot delete your account yourself here. Please ask an administrator.',
  },
  exportUnderWay: {
    status: 409,
    message: 'The data of this account are being downloaded already. Please wait until that has ended.',
  },
});
