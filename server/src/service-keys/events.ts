// What happens to service keys. Details hold the name of the key, and what it allows.
import { defineActions } from '../foundation/events.ts';

export const serviceKeyActions = defineActions('serviceKey', {
  created: 'A key for another service was made.',
  withdrawn: 'The key of another service was withdrawn. Calls with it are refused from then on.',
});
