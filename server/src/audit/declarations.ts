// The audit action of the audit trail itself.
import { defineActions } from '../foundation/events.ts';

export const auditActions = defineActions('audit', {
  exported: 'An administrator exported audit entries. Details hold the format and the filter.',
});
