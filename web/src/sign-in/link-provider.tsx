// Linking a provider to the signed-in account. The owner confirms it with the password.
import { Anchor, Button, Text } from '@mantine/core';
import { isLatchkeyError } from 'latchkey-sdk';
import { useState } from 'react';
import { type Proof, redirectToProvider } from '../api/authorization-request.ts';
import { at } from '../api/base-path.ts';
import { latchkey } from '../api/latchkey.ts';
import { GuardedForm } from '../factors/guarded-form.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { asFieldError, requireFields } from '../ui/problem.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useLoad } from '../ui/use-load.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { leaveTo } from './after-sign-in.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';

const readUser = async () => (await latchkey.call('Session/GetCurrentLoginInfo')).user;

type Linking = { proof: Proof; displayName: string };

export function LinkProvider({ proof, displayName }: Linking) {
  const texts = words.external.link;
  const user = useLoad(readUser);
  const title = texts.title(displayName);
  if (user.state === 'loaded' && !user.value) {
    return (
      <CardPage title={title}>
        <Text role="status">{texts.signedOut}</Text>
        <BackLinks />
      </CardPage>
    );
  }
  return (
    <CardPage title={title} language={null}>
      {user.state === 'loading' && <Text role="status">{words.common.loading}</Text>}
      {user.state === 'failed' && <ProblemNotice problem={user.problem} />}
      {user.state === 'loaded' && (
        <Confirm proof={proof} displayName={displayName} account={user.value?.userName ?? ''} />
      )}
      <Anchor size="sm" href={at('/app/account')}>
        {words.external.backToAccount}
      </Anchor>
    </CardPage>
  );
}

function Confirm({ proof, displayName, account }: Linking & { account: string }) {
  const texts = words.external.link;
  const [currentPassword, setPassword] = useState('');
  const [isOver, setOver] = useState(false);
  const beginning = useSubmit(() => redirectToProvider({ name: proof.authProvider, displayName }, 'link'));
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(currentPassword === '' ? { currentPassword: words.common.required } : {});
    const linking =
      'request' in proof
        ? latchkey.call('ExternalLogin/LinkByCode', { ...proof, currentPassword })
        : latchkey.call('ExternalLogin/Link', { ...proof, currentPassword });
    await linking.catch((error) => {
      // The service has used the response, or the provider's code has expired meanwhile: no password helps any more.
      setOver(isLatchkeyError(error) && error.reason.startsWith('external.'));
      return asFieldError('currentPassword', 'password.incorrect')(error);
    });
    await leaveTo(at('/app/account'));
  });
  if (isOver) {
    return (
      <>
        <ProblemNotice problem={beginning.problem ?? problem} />
        <Button onClick={() => beginning.submit()} loading={beginning.isBusy} fullWidth>
          {words.forgot.again}
        </Button>
      </>
    );
  }
  return (
    <>
      <Text>{texts.text(displayName, account)}</Text>
      <GuardedForm label={texts.title(displayName)} onSubmit={submit} problem={problem}>
        <PasswordField
          name="currentPassword"
          label={words.change.current}
          kind="current-password"
          value={currentPassword}
          onChange={setPassword}
          problem={problem}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {texts.submit}
        </Button>
      </GuardedForm>
      <Anchor size="sm" href={at('/forgot-password')}>
        {words.signIn.forgot}
      </Anchor>
    </>
  );
}
