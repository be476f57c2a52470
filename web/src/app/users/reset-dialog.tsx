// The dialog to set the password of an account. Its owner must change it at the next sign-in.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { findTypingProblems, NewPassword } from '../../ui/new-password.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { generatePassword } from './generate-password.ts';
import { displayName, type User } from './user.ts';

type Props = { user: User; onDone: (text: string) => Promise<void> };

export function ResetDialog({ isOpen, onClose, ...props }: Props & { isOpen: boolean; onClose: () => void }) {
  const title = words.users.actions.resetTitle(displayName(props.user));
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <ResetForm {...props} label={title} />
    </Dialog>
  );
}

function ResetForm({ user, onDone, label }: Props & { label: string }) {
  const texts = words.users.actions;
  const [typed, setTyped] = useState({ password: '', repeated: '' });
  const [generated, setGenerated] = useState<string>();
  const generate = () => {
    const password = generatePassword();
    setGenerated(password);
    setTyped({ password, repeated: password });
  };
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(findTypingProblems(typed, 'newPassword'));
    await latchkey.call('User/ResetPassword', { userId: user.id, newPassword: typed.password });
    await onDone(texts.reset(displayName(user)));
  });
  return (
    <Form label={label} onSubmit={submit} problem={problem}>
      <Text size="sm">{texts.resetText}</Text>
      <NewPassword value={typed} onChange={setTyped} problem={problem} name="newPassword" />
      {generated !== undefined && generated === typed.password && (
        <>
          <CodeBlock text={generated} />
          <Text size="sm">{texts.generated}</Text>
        </>
      )}
      <Button variant="default" onClick={generate}>
        {texts.generate}
      </Button>
      <FormButtons submit={texts.resetSubmit} isBusy={isBusy} />
    </Form>
  );
}
