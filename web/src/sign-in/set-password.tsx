// The new password in place of a forgotten one, for whoever has proven who it is.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { CardPage } from '../ui/card-page.tsx';
import { Form } from '../ui/form.tsx';
import { findTypingProblems, NewPassword } from '../ui/new-password.tsx';
import { requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { goToSignIn } from './after-sign-in.ts';
import { WaysBack } from './ways-back.tsx';

/** What a proof leads to: good for one new password, some minutes long. It is kept in memory only. */
export type Proven = { readonly token: string; readonly username: string };

/** What the service says of a proof: nothing if it was wrong. */
export function readProof({ token, username }: { token: string | null; username: string | null }): Proven | undefined {
  return token === null || username === null ? undefined : { token, username };
}

export function SetPassword({ proven: { token, username } }: { proven: Proven }) {
  const [typed, setTyped] = useState({ password: '', repeated: '' });
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(findTypingProblems(typed, 'newPassword'));
    await latchkey.call('User/ResetPasswordUsingToken', { username, token, newPassword: typed.password });
    await goToSignIn('reset');
  });
  return (
    <CardPage title={words.reset.title}>
      <Form label={words.reset.title} onSubmit={submit} problem={problem}>
        {/* For password managers: whose password it is. */}
        <input name="username" autoComplete="username" value={username} readOnly hidden />
        <NewPassword value={typed} onChange={setTyped} problem={problem} name="newPassword" />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.reset.submit}
        </Button>
      </Form>
      <WaysBack begin="/forgot-password" />
    </CardPage>
  );
}
