// The actions on an account. Each one notifies of its success, and destructive ones ask first.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/notify.tsx';
import type { Problem } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/index.ts';
import { may, meKey, useMe } from '../me.ts';
import { rolesKey } from '../roles/role.ts';
import { EditDialog } from './edit-dialog.tsx';
import { InviteDialog } from './invite.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { ResetFactorsDialog } from './reset-factors-dialog.tsx';
import { displayName, type UserDetails, userKey, usersKey } from './user.ts';

export type UserActions = {
  readonly edit: () => void;
  readonly activate: () => void;
  readonly deactivate: () => void;
  readonly unlock: () => void;
  /** Absent without the permission. */
  readonly resetPassword: (() => void) | undefined;
  /** Absent without the permission, and for the own account. */
  readonly resetFactors: (() => void) | undefined;
  /** Absent if the account has a password, no e-mail address, or is deactivated. */
  readonly invite: (() => void) | undefined;
  readonly signOutEverywhere: () => void;
  readonly remove: () => void;
  readonly isBusy: boolean;
  /** The problem of an action without a dialog. */
  readonly problem: Problem | undefined;
};

/** Reads the accounts again, then shows the notification. */
function useRefreshAndNotify() {
  const queries = useQueryClient();
  const notify = useNotify();
  return async (text: string) => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: usersKey }),
      queries.invalidateQueries({ queryKey: meKey }),
      queries.invalidateQueries({ queryKey: rolesKey }),
    ]);
    notify(text);
  };
}

/** Whether the service would send the account a link to set the first password. */
const mayBeInvited = ({ hasPassword, isActive, emailAddress }: UserDetails) =>
  !hasPassword && isActive && emailAddress !== null;

/** @returns the actions, and their dialogs to render anywhere in the page. */
export function useUserActions(user: UserDetails, listPath: string): [UserActions, ReactNode] {
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refreshAndNotify = useRefreshAndNotify();
  const [ask, question] = useConfirm();
  const [open, setOpen] = useState<'edit' | 'reset' | 'factors' | 'invite'>();
  const texts = words.users.actions;
  const { id: userId } = user;
  const name = displayName(user);
  const warn = (text: string) => (userId === me.id ? `${texts.yourself} ${text}` : text);
  const { submit, isBusy, problem } = useSubmit(async (call: 'User/ActivateUser' | 'User/UnlockUser', text: string) => {
    await latchkey.call(call, { userId });
    await refreshAndNotify(text);
  });
  const actions: UserActions = {
    isBusy,
    problem,
    edit: () => setOpen('edit'),
    activate: () => submit('User/ActivateUser', texts.activated(name)),
    unlock: () => submit('User/UnlockUser', texts.unlocked(name)),
    resetPassword: may(me, 'users:resetPassword') ? () => setOpen('reset') : undefined,
    resetFactors: may(me, 'users:resetPassword') && userId !== me.id ? () => setOpen('factors') : undefined,
    invite: mayBeInvited(user) ? () => setOpen('invite') : undefined,
    deactivate: () =>
      ask({
        title: texts.deactivateTitle(name),
        text: warn(texts.deactivateText),
        yes: texts.deactivate,
        run: async () => {
          await latchkey.call('User/InactivateUser', { userId });
          await refreshAndNotify(texts.deactivated(name));
        },
      }),
    signOutEverywhere: () =>
      ask({
        title: texts.signOutTitle(name),
        text: warn(texts.signOutText),
        yes: texts.signOut,
        run: async () => {
          await latchkey.call('User/SignOutEverywhere', { userId });
          await refreshAndNotify(texts.signedOut(name));
        },
      }),
    remove: () =>
      ask({
        title: texts.deleteTitle(name),
        text: warn(texts.deleteText),
        yes: texts.delete,
        run: async () => {
          await latchkey.call('User/Delete', { id: userId });
          await navigate(listPath);
          queries.removeQueries({ queryKey: userKey(userId) });
          await refreshAndNotify(texts.deleted(name));
        },
      }),
  };
  const done = async (text: string) => {
    await refreshAndNotify(text);
    setOpen(undefined);
  };
  const dialogs = (
    <>
      {question}
      <EditDialog user={user} isOpen={open === 'edit'} onClose={() => setOpen(undefined)} onDone={done} />
      <ResetFactorsDialog user={user} isOpen={open === 'factors'} onClose={() => setOpen(undefined)} onDone={done} />
      <InviteDialog user={user} isOpen={open === 'invite'} onClose={() => setOpen(undefined)} onDone={done} />
      <ResetDialog user={user} isOpen={open === 'reset'} onClose={() => setOpen(undefined)} onDone={done} />
    </>
  );
  return [actions, dialogs];
}
