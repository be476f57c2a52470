// What happens to sessions and keys.
import { defineActions } from '../foundation/events.ts';

export const sessionActions = defineActions('session', {
  refreshed: 'A token was exchanged for a new one and blacklisted, or the exchange was refused.',
  signedOff: 'Somebody signed off: the session and all of its tokens are dead.',
  ended: 'Sessions of an account were ended by its owner or an administrator.',
  allEnded: 'All sessions of the service were ended, on command or because the database was found restored.',
});

export const keyActions = defineActions('key', {
  rotated: 'A new signing key was made; details hold its kid, and whether older keys were dropped.',
});
