// The dialog to erase a person. The administrator types the user name, because nothing can bring the person back.
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { displayName, type User } from './user.ts';

/** `from`: the path of the page where the person was erased. */
type Props = { user: User; onDone: (text: string, from: string) => Promise<void> };

export function EraseDialog({ isOpen, onClose, ...props }: Props & { isOpen: boolean; onClose: () => void }) {
  const title = words.users.actions.eraseTitle(displayName(props.user));
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <EraseForm {...props} label={title} />
    </Dialog>
  );
}

function EraseForm({ user, onDone, label }: Props & { label: string }) {
  const texts = words.users.actions;
  const [typed, setTyped] = useState('');
  const { submit, isBusy, problem } = useSubmit(async () => {
    const isSame = typed.trim().toLowerCase() === user.userName.toLowerCase();
    requireFields(isSame ? {} : { userName: texts.eraseMismatch });
    const from = location.pathname;
    await latchkey.call('User/Erase', { id: user.id });
    await onDone(texts.erased(displayName(user)), from);
  });
  return (
    <Form label={label} onSubmit={submit} problem={problem}>
      <Text size="sm">{texts.eraseText}</Text>
      <TextInput
        name="userName"
        label={texts.eraseName(user.userName)}
        autoComplete="off"
        required
        withAsterisk={false}
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={problem?.fields.userName}
      />
      <FormButtons submit={texts.eraseYes} isBusy={isBusy} isDanger />
    </Form>
  );
}
