// The audit actions of front ends.
import { defineActions } from '../foundation/events.ts';

export const frontEndActions = defineActions('frontEnd', {
  created: 'An administrator registered a front end.',
  updated: 'An administrator changed a front end. Details hold its old and new key.',
  deleted: 'An administrator deleted a front end and its settings.',
});
