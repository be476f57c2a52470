// The dialog to remove all second factors of an account, with the reason for the audit trail.
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

type Props = { user: User; onDone: (text: string) => Promise<void> };

/** The greatest length that the service accepts. */
const MAX_LENGTH = 500;

export function ResetFactorsDialog({ isOpen, onClose, ...props }: Props & { isOpen: boolean; onClose: () => void }) {
  const title = words.users.factors.resetTitle(displayName(props.user));
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <ResetForm {...props} label={title} />
    </Dialog>
  );
}

function ResetForm({ user, onDone, label }: Props & { label: string }) {
  const texts = words.users.factors;
  const [typed, setReason] = useState('');
  const { submit, isBusy, problem } = useSubmit(async () => {
    const reason = typed.trim();
    requireFields(reason === '' ? { reason: words.common.required } : {});
    await latchkey.call('User/ResetFactors', { userId: user.id, reason });
    await onDone(texts.resetDone(displayName(user)));
  });
  return (
    <Form label={label} onSubmit={submit} problem={problem}>
      <Text size="sm">{texts.resetText}</Text>
      <TextInput
        name="reason"
        label={texts.reason}
        description={texts.reasonHint}
        maxLength={MAX_LENGTH}
        autoComplete="off"
        required
        withAsterisk={false}
        data-autofocus
        value={typed}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={problem?.fields.reason}
      />
      <FormButtons submit={texts.resetSubmit} isBusy={isBusy} isDanger />
    </Form>
  );
}
