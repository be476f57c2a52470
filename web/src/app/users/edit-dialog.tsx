// The dialog to edit a user. It sends changed members only, so that it does not undo another administrator's change.
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { may, useMe } from '../me.ts';
import { findChanges } from '../settings/definition.ts';
import { type Profile, ProfileFields, trim } from './profile-fields.tsx';
import { displayName, type User } from './user.ts';

type Props = { user: User; onDone: (text: string) => Promise<void> };

export function EditDialog({ isOpen, onClose, ...props }: Props & { isOpen: boolean; onClose: () => void }) {
  const title = words.users.editOne(displayName(props.user));
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <EditForm {...props} label={title} />
    </Dialog>
  );
}

const toProfile = (user: User): Profile => ({
  userName: user.userName,
  name: user.name,
  surname: user.surname,
  emailAddress: user.emailAddress ?? '',
  mobileNumber: user.mobileNumber ?? '',
  isEmailConfirmed: user.isEmailConfirmed,
  isMobileConfirmed: user.isMobileConfirmed,
  requireChangePassword: user.requireChangePassword,
  roleNames: user.roleNames,
});

/** Returns the changed members. A changed address includes whether it is verified, which the service would reset. */
function toInput(before: Profile, after: Profile, present: Profile): Partial<Profile> {
  const changes = findChanges(before, after, present);
  return {
    ...changes,
    ...('emailAddress' in changes && { isEmailConfirmed: after.isEmailConfirmed }),
    ...('mobileNumber' in changes && { isMobileConfirmed: after.isMobileConfirmed }),
  };
}

function EditForm({ user, onDone, label }: Props & { label: string }) {
  const me = useMe();
  const mayVerify = may(me, 'users:resetPassword') ? undefined : 'unverifiable';
  const [before] = useState(() => toProfile(user));
  const [typed, setTyped] = useState(before);
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(typed.userName.trim() === '' ? { userName: words.common.required } : {});
    const { id } = user;
    const present = toProfile(await latchkey.call('User/Get', { id }));
    const saved = await latchkey.call('User/Update', { id, ...toInput(before, trim(typed), present) });
    await onDone(words.users.saved(displayName(saved)));
  });
  return (
    <Form label={label} onSubmit={submit} problem={problem}>
      <ProfileFields
        value={typed}
        onChange={setTyped}
        problem={problem}
        former={before}
        addresses={user.id === me.id ? 'fixed' : mayVerify}
      />
      <FormButtons submit={words.common.save} isBusy={isBusy} />
    </Form>
  );
}
