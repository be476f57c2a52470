// What administrators do to accounts. The entry's user is the account; details hold who did it.
import { defineActions } from '../foundation/events.ts';

export const administrationActions = defineActions('account', {
  created: 'An account was made; details hold by whom.',
  updated: 'An account was changed; details hold by whom, and the members that changed.',
  emailAddressShared:
    'An upgrade found that another account has the e-mail address of this one in another spelling: this account is no longer found by it. Details hold the id of the account that is.',
  deleted: 'An account was deleted; its sessions are ended.',
  activated: 'An account was activated.',
  deactivated: 'An account was deactivated; its sessions are ended.',
  unlocked: 'The lock of an account was lifted.',
  externalLoginRemoved:
    'An administrator removed an account’s link to an external provider; its sessions are ended. Details hold the provider.',
  signedOutEverywhere: 'All sessions of an account were ended.',
  passwordReset:
    'An administrator set a password, which must be changed at the next sign-in; all sessions are ended, and security answers dropped.',
});
