// What happens when people reset a forgotten password. Details hold the method: 2 link, 4 SMS, 8 security questions.
import { defineActions } from '../foundation/events.ts';

export const resetActions = defineActions('reset', {
  requested: 'Somebody asked for a link or one-time password; details hold the masked address it was sent to, if any.',
  proven: 'Somebody gave, or tried to give, the link, the one-time password or the answers that allow a new password.',
  completed:
    'A forgotten password was replaced; all sessions are ended with it, the lock is lifted, and security answers are dropped unless they were the way.',
});
