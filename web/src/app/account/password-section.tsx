// Changing my password.
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { MyAccountName } from '../../ui/account-name.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { findTypingProblems, NewPassword } from '../../ui/new-password.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { asFieldError, requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { useReread } from './ending.ts';

const emptyPassword = { password: '', repeated: '' };

export function PasswordSection() {
  const texts = words.account.password;
  const [isOpen, setOpen] = useState(false);
  const notify = useNotify();
  const onDone = () => {
    setOpen(false);
    notify(texts.done);
  };
  return (
    <>
      <Text size="sm">{texts.others}</Text>
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          {texts.change}
        </Button>
      </Group>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={texts.change}>
        <ChangeForm onDone={onDone} />
      </Dialog>
    </>
  );
}

function ChangeForm({ onDone }: { onDone: () => void }) {
  const [currentPassword, setCurrent] = useState('');
  const [typed, setTyped] = useState(emptyPassword);
  const reread = useReread();
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({
      ...(currentPassword === '' && { currentPassword: words.common.required }),
      ...findTypingProblems(typed, 'newPassword'),
    });
    await latchkey
      .call('User/ChangePassword', { currentPassword, newPassword: typed.password })
      .catch(asFieldError('currentPassword', 'password.incorrect'));
    await reread();
    onDone();
  });
  return (
    <Form label={words.account.password.change} onSubmit={submit} problem={problem}>
      <MyAccountName />
      <PasswordField
        name="currentPassword"
        label={words.change.current}
        kind="current-password"
        isFirst
        value={currentPassword}
        onChange={setCurrent}
        problem={problem}
      />
      <NewPassword value={typed} onChange={setTyped} problem={problem} name="newPassword" />
      <FormButtons submit={words.change.submit} isBusy={isBusy} />
    </Form>
  );
}
