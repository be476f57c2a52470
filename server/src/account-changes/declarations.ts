// The errors and audit actions of changes of accounts.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** Reasons to refuse a change of an account, besides those of accounts themselves. */
export const administrationErrors = defineErrors('account', {
  lastAdministrator: {
    status: 400,
    message: 'This is the last active administrator who can sign in. Make another account an administrator first.',
  },
});

/** Audit actions of administrators on accounts. The user of an entry is the account; details hold the administrator. */
export const administrationActions = defineActions('account', {
  created: 'An account was created. Details hold the administrator.',
  updated:
    'An account was changed. Details hold the administrator and the changed members with their old and new values. Addresses are masked.',
  emailAddressShared:
    'An upgrade found that another account has the same e-mail address in another spelling. The address finds the other account only, and details hold its id.',
  exported: 'An administrator exported accounts. Details hold the format and the number of accounts.',
  deleted: 'An account was deleted, and its sessions ended.',
  activated: 'An account was activated.',
  deactivated: 'An account was deactivated, and its sessions ended.',
  unlocked: 'The lockout of an account was reset.',
  externalLoginRemoved:
    'An administrator removed an external login of an account, and all of its sessions ended. Details hold the provider.',
  signedOutEverywhere: 'All sessions of an account were ended.',
  sessionEnded:
    'An administrator ended one session of an account. Details hold the application, if one stayed signed in by it.',
  factorsReset:
    'An administrator removed all second factors, passkeys and recovery codes of an account. Details hold the reason, if the administrator gave one.',
  passwordReset:
    'An administrator set a password, which must be changed at the next sign-in. All sessions ended, and the security answers were deleted.',
});
