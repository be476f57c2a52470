// The settings, errors, actions and cleanup jobs of tokens and sessions.
import { sessionErrors, tokenErrors } from './errors.ts';
import { keyActions, sessionActions } from './events.ts';
import type { KeyRing } from './keys.ts';
import type { Sessions } from './sessions.ts';
import { tokenSettings } from './settings.ts';

export const tokensSlice = {
  declarations: {
    settings: [tokenSettings],
    errors: [tokenErrors, sessionErrors],
    actions: [sessionActions, keyActions],
  },
  create: ({ sessions, keys }: { sessions: Sessions; keys: KeyRing }) => ({
    jobs: [sessions.deleteExpired, keys.maintain],
  }),
};
