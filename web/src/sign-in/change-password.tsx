// The required password change after a sign-in.
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { MyAccountName } from '../ui/account-name.tsx';
import { Form } from '../ui/form.tsx';
import { findTypingProblems, NewPassword } from '../ui/new-password.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { asFieldError, requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { withTarget } from './after-sign-in.ts';
import { CardPage } from './card-page.tsx';
import { SignOutLink } from './sign-out-link.tsx';
import { useSessionEnd } from './use-session-end.ts';

/** @param props.current the password of the sign-in, or '' after a sign-in without one. */
export function ChangePassword({ current, onDone }: { current: string; onDone: (changed: string) => void }) {
  const [currentPassword, setCurrent] = useState(current);
  const [typed, setTyped] = useState({ password: '', repeated: '' });
  const change = useSubmit(async () => {
    requireFields({
      ...(currentPassword === '' && { currentPassword: words.common.required }),
      ...findTypingProblems(typed, 'newPassword'),
    });
    await latchkey
      .call('User/ChangePassword', { currentPassword, newPassword: typed.password })
      .catch(asFieldError('currentPassword', 'password.incorrect'));
    onDone(typed.password);
  });
  useSessionEnd();
  return (
    <CardPage title={words.change.title}>
      <Text>{words.change.reason}</Text>
      <Form label={words.change.title} onSubmit={change.submit} problem={change.problem}>
        <MyAccountName />
        <PasswordField
          name="currentPassword"
          label={words.change.current}
          kind="current-password"
          value={currentPassword}
          onChange={setCurrent}
          problem={change.problem}
        />
        <NewPassword value={typed} onChange={setTyped} problem={change.problem} name="newPassword" />
        <Button type="submit" loading={change.isBusy} fullWidth>
          {words.change.submit}
        </Button>
      </Form>
      <Group justify="space-between">
        <SignOutLink>{words.factors.required.signOut}</SignOutLink>
        {current === '' && (
          <Anchor size="sm" href={withTarget('/forgot-password')}>
            {words.signIn.forgot}
          </Anchor>
        )}
      </Group>
    </CardPage>
  );
}
