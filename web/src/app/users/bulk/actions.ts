// The actions on several accounts. Each makes the same call for each account as the page of one account does.
import { latchkey } from '../../../api/latchkey.ts';
import type { words } from '../../../words/more.ts';
import type { InvitationLanguage } from '../invite.tsx';
import type { User, UserDetails } from '../user.ts';

export type BulkAction = {
  readonly key: keyof typeof words.users.bulk.actions;
  /** Whether the account is in the wanted state already, so that there is nothing to do. */
  readonly isDone?: (user: UserDetails) => boolean;
  /** @param language of the e-mail, if the action sends one. */
  readonly run: (user: User, language: InvitationLanguage) => Promise<unknown>;
  /** Absent if the action cannot be undone. */
  readonly undo?: (user: User) => Promise<unknown>;
};

const activate = ({ id: userId }: User) => latchkey.call('User/ActivateUser', { userId });
const deactivate = ({ id: userId }: User) => latchkey.call('User/InactivateUser', { userId });
const requireChange = (requireChangePassword: boolean) => (user: User) =>
  latchkey.call('User/Update', { id: user.id, requireChangePassword });

export const bulkActions: readonly BulkAction[] = [
  { key: 'activate', isDone: ({ isActive }) => isActive, run: activate, undo: deactivate },
  { key: 'deactivate', isDone: ({ isActive }) => !isActive, run: deactivate, undo: activate },
  { key: 'signOut', run: ({ id: userId }) => latchkey.call('User/SignOutEverywhere', { userId }) },
  { key: 'unlock', run: ({ id: userId }) => latchkey.call('User/UnlockUser', { userId }) },
  {
    key: 'requireChange',
    isDone: ({ requireChangePassword }) => requireChangePassword,
    run: requireChange(true),
    undo: requireChange(false),
  },
  {
    key: 'invite',
    isDone: ({ hasPassword, passwordLinkExpiresAt }) => hasPassword || passwordLinkExpiresAt !== null,
    run: ({ id: userId }, language) => latchkey.call('User/SendInvitation', { userId, language }),
  },
];

/**
 * Whether the account is in the wanted state now. The list may be old: then a change would be left out, or undoing it would
 * take back the change of another administrator.
 */
export async function isDoneNow({ isDone }: BulkAction, { id }: User): Promise<boolean> {
  return isDone?.(await latchkey.call('User/Get', { id })) ?? false;
}
