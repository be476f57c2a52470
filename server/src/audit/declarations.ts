// The audit actions of the audit trail itself.
import { defineActions } from '../foundation/events.ts';

export const auditActions = defineActions('audit', {
  exported: 'An administrator exported audit entries. Details hold the format and the filter.',
});

/** An erasure is in the chain, so that it explains the entries without personal data. */
export const erasureActions = defineActions('account', {
  erased:
    'An account was erased: it was deleted, and its personal data are taken out of the trail. Details hold the administrator, and none if the owner erased it.',
});
