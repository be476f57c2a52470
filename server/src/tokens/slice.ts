// The settings, errors, actions and cleanup jobs of tokens and sessions.
import { keyActions, sessionActions, sessionErrors, tokenErrors } from './declarations.ts';
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
