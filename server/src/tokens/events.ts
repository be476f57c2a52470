// The audit actions of sessions and signing keys.
import { defineActions } from '../foundation/events.ts';

export const sessionActions = defineActions('session', {
  refreshed: 'A token was exchanged for a new one and revoked, or the exchange was refused.',
  signedOff: 'A caller signed off: the session ended, and all of its tokens were revoked.',
  ended: 'The account owner or an administrator ended sessions of an account.',
  allEnded: 'All sessions of the service ended, on command or because the database was restored from a backup.',
});

export const keyActions = defineActions('key', {
  rotated:
    'The service made a new signing key. Details hold its kid, and whether the older keys were deleted as compromised.',
});
