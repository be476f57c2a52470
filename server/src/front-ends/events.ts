// What happens to front ends.
import { defineActions } from '../foundation/events.ts';

export const frontEndActions = defineActions('frontEnd', {
  created: 'An administrator registered a front end.',
  updated: 'An administrator changed a front end; details hold its key before and after.',
  deleted: 'An administrator removed a front end, and with it its settings.',
});
