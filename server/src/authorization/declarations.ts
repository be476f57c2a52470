// The audit action of denied calls.
import { defineActions } from '../foundation/events.ts';

export const callActions = defineActions('call', {
  denied:
    'A caller with a valid token or service key lacks the permission for a call. Details hold the calls: all that it was denied in a minute have one entry, and another with their number. Calls without a valid token have none.',
});
