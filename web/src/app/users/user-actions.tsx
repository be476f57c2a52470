// The actions on an account. Each one notifies of its success, and destructive ones ask first.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/notify.tsx';
import type { Problem } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { may, meKey, useMe } from '../me.ts';
import { rolesKey } from '../roles/role.ts';
import { savePerson } from '../save-person.ts';
import { EditDialog } from './edit-dialog.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { InviteDialog } from './invite.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { ResetFactorsDialog } from './reset-factors-dialog.tsx';
import { ResetLinkDialog } from './reset-link.tsx';
import { displayName, type UserDetails, userKey, usersKey } from './user.ts';

export type UserActions = {
  readonly edit: () => void;
  readonly activate: () => void;
  /** Absent for the own account, like `remove`. */
  readonly deactivate: (() => void) | undefined;
  readonly unlock: () => void;
  /** Absent without the permission, and for the own account. */
  readonly resetPassword: (() => void) | undefined;
  /** Like `resetPassword`. */
  readonly resetFactors: (() => void) | undefined;
  /** Absent for the own account, and if the account has a password, no e-mail address, or is deactivated. */
  readonly invite: (() => void) | undefined;
  /** Absent for the own account, and if the account has no password. */
  readonly sendResetLink: (() => void) | undefined;
  readonly signOutEverywhere: () => void;
  readonly remove: (() => void) | undefined;
  /** Absent for the own account. */
  readonly erase: (() => void) | undefined;
  readonly download: () => void;
  readonly isBusy: boolean;
  /** The problem of an action without a dialog. */
  readonly problem: Problem | undefined;
};

/** Reads the accounts again, then shows the notification. It reads them again after `undo`. */
function useRefreshAndNotify() {
  const queries = useQueryClient();
  const notify = useNotify();
  const reread = () =>
    Promise.all([usersKey, meKey, rolesKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  return async (text: string, undo?: () => Promise<unknown>) => {
    await reread();
    notify(text, undo && (() => undo().then(reread)));
  };
}

/** Whether the service would send the account a link to set the first password. @param maySet whether the caller may set any. */
const mayBeInvited = ({ hasPassword, isActive, emailAddress, lastLoginTime }: UserDetails, maySet: boolean) =>
  !hasPassword && isActive && emailAddress !== null && (lastLoginTime === null || maySet);

/** @returns the actions, and their dialogs to render anywhere in the page. */
export function useUserActions(user: UserDetails, listPath: string): [UserActions, ReactNode] {
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refreshAndNotify = useRefreshAndNotify();
  const [ask, question] = useConfirm();
  const [open, setOpen] = useState<'edit' | 'reset' | 'link' | 'factors' | 'invite' | 'erase'>();
  const texts = words.users.actions;
  const { id: userId } = user;
  const name = displayName(user);
  const isOwn = userId === me.id;
  const mayReset = may(me, 'users:resetPassword') && !isOwn;
  const activate = () => latchkey.call('User/ActivateUser', { userId });
  const deactivate = () => latchkey.call('User/InactivateUser', { userId });
  const { submit, isBusy, problem } = useSubmit(
    async (call: () => Promise<unknown>, text: string, undo?: () => Promise<unknown>) => {
      await call();
      await refreshAndNotify(text, undo);
    },
  );
  const actions: UserActions = {
    isBusy,
    problem,
    edit: () => setOpen('edit'),
    activate: () => submit(activate, texts.activated(name), deactivate),
    unlock: () => submit(() => latchkey.call('User/UnlockUser', { userId }), texts.unlocked(name)),
    resetPassword: mayReset ? () => setOpen('reset') : undefined,
    resetFactors: mayReset ? () => setOpen('factors') : undefined,
    invite: !isOwn && mayBeInvited(user, mayReset) ? () => setOpen('invite') : undefined,
    sendResetLink: !isOwn && user.hasPassword ? () => setOpen('link') : undefined,
    deactivate: isOwn
      ? undefined
      : () =>
          ask({
            title: texts.deactivateTitle(name),
            text: texts.deactivateText,
            yes: texts.deactivate,
            run: async () => {
              await deactivate();
              // The sessions stay ended.
              await refreshAndNotify(texts.deactivated(name), activate);
            },
          }),
    signOutEverywhere: () =>
      ask({
        title: texts.signOutTitle(name),
        text: isOwn ? `${texts.yourself} ${texts.signOutText}` : texts.signOutText,
        yes: texts.signOut,
        run: async () => {
          await latchkey.call('User/SignOutEverywhere', { userId });
          await refreshAndNotify(texts.signedOut(name));
        },
      }),
    download: () => submit(() => savePerson(`${user.userName}.json`, userId), texts.downloaded(name)),
    erase: isOwn ? undefined : () => setOpen('erase'),
    remove: isOwn
      ? undefined
      : () =>
          ask({
            title: texts.deleteTitle(name),
            text: texts.deleteText,
            yes: texts.delete,
            run: async () => {
              const from = location.pathname;
              await latchkey.call('User/Delete', { id: userId });
              await leave(texts.deleted(name), from);
            },
          }),
  };
  /** Leaves the page of an account that is gone. A reader who has left meanwhile stays there. */
  async function leave(text: string, from: string) {
    if (location.pathname === from) await navigate(listPath);
    queries.removeQueries({ queryKey: userKey(userId) });
    await refreshAndNotify(text);
  }
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
      <EraseDialog user={user} isOpen={open === 'erase'} onClose={() => setOpen(undefined)} onDone={leave} />
      <ResetLinkDialog
        user={user}
        isOpen={open === 'link'}
        onClose={() => setOpen(undefined)}
        onDone={done}
        edit={actions.edit}
        resetPassword={actions.resetPassword}
      />
      <ResetDialog user={user} isOpen={open === 'reset'} onClose={() => setOpen(undefined)} onDone={done} />
    </>
  );
  return [actions, dialogs];
}
