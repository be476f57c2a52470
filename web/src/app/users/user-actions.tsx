// What can be done with an account: each act tells what came of it, and what hurts is asked for first.
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
import { EditDialog } from './edit-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { displayName, type User, userKey, usersKey } from './user.ts';

export type UserActions = {
  readonly edit: () => void;
  readonly activate: () => void;
  readonly deactivate: () => void;
  readonly unlock: () => void;
  /** Not there for who may not. */
  readonly resetPassword: (() => void) | undefined;
  readonly signOutEverywhere: () => void;
  readonly remove: () => void;
  readonly isBusy: boolean;
  /** Of what was done without asking. */
  readonly problem: Problem | undefined;
};

/** Brings what the service now says of accounts, and then tells what was done. */
function useTell() {
  const queries = useQueryClient();
  const notify = useNotify();
  return async (text: string) => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: usersKey }),
      queries.invalidateQueries({ queryKey: meKey }),
    ]);
    notify(text);
  };
}

/** @returns the acts, and the dialogs that they need, which stand anywhere in the page. */
export function useUserActions(user: User, listPath: string): [UserActions, ReactNode] {
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useTell();
  const [ask, question] = useConfirm();
  const [open, setOpen] = useState<'edit' | 'reset'>();
  const texts = words.users.actions;
  const { id: userId } = user;
  const name = displayName(user);
  const warn = (text: string) => (userId === me.id ? `${texts.yourself} ${text}` : text);
  const { submit, isBusy, problem } = useSubmit(async (call: 'User/ActivateUser' | 'User/UnlockUser', text: string) => {
    await latchkey.call(call, { userId });
    await tell(text);
  });
  const actions: UserActions = {
    isBusy,
    problem,
    edit: () => setOpen('edit'),
    activate: () => submit('User/ActivateUser', texts.activated(name)),
    unlock: () => submit('User/UnlockUser', texts.unlocked(name)),
    resetPassword: may(me, 'users:resetPassword') ? () => setOpen('reset') : undefined,
    deactivate: () =>
      ask({
        title: texts.deactivateTitle(name),
        text: warn(texts.deactivateText),
        yes: texts.deactivate,
        run: async () => {
          await latchkey.call('User/InactivateUser', { userId });
          await tell(texts.deactivated(name));
        },
      }),
    signOutEverywhere: () =>
      ask({
        title: texts.signOutTitle(name),
        text: warn(texts.signOutText),
        yes: texts.signOut,
        run: async () => {
          await latchkey.call('User/SignOutEverywhere', { userId });
          await tell(texts.signedOut(name));
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
          await tell(texts.deleted(name));
        },
      }),
  };
  const done = async (text: string) => {
    await tell(text);
    setOpen(undefined);
  };
  const dialogs = (
    <>
      {question}
      <EditDialog user={user} isOpen={open === 'edit'} onClose={() => setOpen(undefined)} onDone={done} />
      <ResetDialog user={user} isOpen={open === 'reset'} onClose={() => setOpen(undefined)} onDone={done} />
    </>
  );
  return [actions, dialogs];
}
