// What happens to service keys. Details hold the name of the key, and what it allows.
import { defineActions } from '../foundation/events.ts';

export const serviceKeyActions = defineActions('serviceKey', {
  created: 'An administrator made a key for another service.',
  withdrawn: 'An administrator withdrew the key of another service. Calls with it are refused from then on.',
});
