// The last step of a password reset: the new password, which signs in when nothing else is due.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { keepSignedIn, latchkey } from '../api/latchkey.ts';
import { AccountName } from '../ui/account-name.tsx';
import { Form } from '../ui/form.tsx';
import { findTypingProblems, NewPassword } from '../ui/new-password.tsx';
import { requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { goToSignIn, openTarget, readAuthorization } from './after-sign-in.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { remainingAfter } from './remaining.ts';

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

/**
 * Signs in with the new password, as the sign-in page would.
 * @returns whether nothing is left to do. The sign-in page shows what is left: a second factor, a lock, an application that waits.
 */
async function signIn(userNameOrEmailAddress: string, password: string): Promise<boolean> {
  if (readAuthorization() !== null || !latchkey.canKeepToken) return false;
  // The browser may be signed in to another account.
  await latchkey.signOff().catch(() => {});
  keepSignedIn(false);
  const result = await latchkey
    .call('TokenAuth/Authenticate', { userNameOrEmailAddress, password })
    .catch(() => undefined);
  if (!result) return false;
  const { challenge, mustChange, mustEnroll } = remainingAfter(result);
  return !challenge && !mustChange && !mustEnroll;
}

export function SetPassword({ proven: { token, username } }: { proven: ProvenReset }) {
  const [typed, setTyped] = useState({ password: '', repeated: '' });
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(findTypingProblems(typed, 'newPassword'));
    await latchkey.call('User/ResetPasswordUsingToken', { username, token, newPassword: typed.password });
    if (await signIn(username, typed.password)) await openTarget();
    else await goToSignIn('reset', { name: username });
  });
  return (
    <CardPage title={words.reset.title} language={null}>
      <Form label={words.reset.title} onSubmit={submit} problem={problem}>
        <AccountName name={username} />
        <NewPassword value={typed} onChange={setTyped} problem={problem} name="newPassword" />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.reset.submit}
        </Button>
      </Form>
      <BackLinks begin="/forgot-password" name={username} />
    </CardPage>
  );
}
