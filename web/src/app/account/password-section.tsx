// A new password of my own choice.
import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Form } from '../../ui/form.tsx';
import { findTypingProblems, NewPassword } from '../../ui/new-password.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/index.ts';
import { sessionsKey } from './sessions-section.tsx';

const nothing = { password: '', repeated: '' };

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
      {isOpen ? (
        <ChangeForm onDone={onDone} onCancel={() => setOpen(false)} />
      ) : (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {texts.change}
          </Button>
        </Group>
      )}
    </>
  );
}

function ChangeForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [currentPassword, setCurrent] = useState('');
  const [typed, setTyped] = useState(nothing);
  const queries = useQueryClient();
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({
      ...(currentPassword === '' && { currentPassword: words.common.required }),
      ...findTypingProblems(typed, 'newPassword'),
    });
    await latchkey.call('User/ChangePassword', { currentPassword, newPassword: typed.password });
    await queries.invalidateQueries({ queryKey: sessionsKey });
    onDone();
  });
  return (
    <Form label={words.account.password.title} onSubmit={submit} problem={problem}>
      <PasswordInput
        name="currentPassword"
        label={words.change.current}
        autoComplete="current-password"
        required
        withAsterisk={false}
        maw={440}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed.
        autoFocus
        value={currentPassword}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        error={problem?.fields['currentPassword']}
        visibilityToggleButtonProps={{ 'aria-label': words.common.showPassword }}
      />
      <NewPassword value={typed} onChange={setTyped} problem={problem} name="newPassword" />
      <Group>
        <Button type="submit" loading={isBusy}>
          {words.change.submit}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {words.common.cancel}
        </Button>
      </Group>
    </Form>
  );
}
