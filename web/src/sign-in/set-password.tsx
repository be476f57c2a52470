// The last step of a password reset: the new password.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Form } from '../ui/form.tsx';
import { findTypingProblems, NewPassword } from '../ui/new-password.tsx';
import { requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { goToSignIn } from './after-sign-in.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';

/** The result of a right proof. The token sets one new password within some minutes. It is kept in memory only. */
export type ProvenReset = { readonly token: string; readonly username: string };

/** Returns the result of a proof, or `undefined` if the proof was wrong. */
export function readProvenReset({
  token,
  username,
}: {
  token: string | null;
  username: string | null;
}): ProvenReset | undefined {
  return token === null || username === null ? undefined : { token, username };
}

export function SetPassword({ proven: { token, username } }: { proven: ProvenReset }) {
  const [typed, setTyped] = useState({ password: '', repeated: '' });
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(findTypingProblems(typed, 'newPassword'));
    await latchkey.call('User/ResetPasswordUsingToken', { username, token, newPassword: typed.password });
    await goToSignIn('reset', { name: username });
  });
  return (
    <CardPage title={words.reset.title}>
      <Form label={words.reset.title} onSubmit={submit} problem={problem}>
        {/* Tells password managers the account. */}
        <input name="username" autoComplete="username" value={username} readOnly hidden />
        <NewPassword value={typed} onChange={setTyped} problem={problem} name="newPassword" />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.reset.submit}
        </Button>
      </Form>
      <BackLinks begin="/forgot-password" name={username} />
    </CardPage>
  );
}
