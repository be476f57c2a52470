// Audit actions of password reset. Details hold the method: 2 link, 4 SMS, 8 security questions.
import { defineActions } from '../foundation/events.ts';

export const resetActions = defineActions('reset', {
  requested:
    'A caller asked for a reset link or one-time pin. Details hold the masked address that it was sent to, if any.',
  invited:
    'An administrator sent a link to set the first password. Details hold the administrator and the masked address.',
  proven: 'A caller gave, or tried to give, the link, its code, the one-time pin or the answers for a new password.',
  completed:
    'A forgotten password was replaced. All sessions ended, and the lockout was reset. Security answers were deleted unless they were the method.',
});
