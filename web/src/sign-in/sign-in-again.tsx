// The sign-in that an application asks again of a person who is signed in.
import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { askForPasskeyOf, canUsePasskeys } from '../factors/passkeys.ts';
import { CardPage } from '../ui/card-page.tsx';
import { Form } from '../ui/form.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { asFieldError, requireFields } from '../ui/problem.ts';
import { useLoad } from '../ui/use-load.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { WideButton } from '../ui/wide-button.tsx';
import { words } from '../words/index.ts';
import { goToSignIn } from './after-sign-in.ts';
import { applicationTexts } from './application-texts.ts';
import { offeredFactors } from './offered-factors.ts';

/** Whether I can give a passkey here. */
async function readPasskeys(): Promise<boolean> {
  const { passkeys } = await offeredFactors;
  return passkeys && canUsePasskeys && (await latchkey.call('Factor/GetAll')).passkeys.length > 0;
}

/** Renews the session by the password or a passkey. Any other way begins a new session. */
export function SignInAgain(props: { application: string; user: string; onDone: () => void }) {
  const { application, user, onDone } = props;
  const texts = applicationTexts().authorization;
  const passkeys = useLoad(readPasskeys);
  const [password, setPassword] = useState('');
  const { submit, isBusy, problem } = useSubmit(async (how: 'password' | 'passkey') => {
    if (how === 'password') {
      requireFields({ ...(password === '' && { password: words.common.required }) });
      await latchkey.reauthenticate({ password }).catch(asFieldError('password', 'password.incorrect'));
    } else {
      await latchkey.reauthenticate(await askForPasskeyOf(latchkey.call('TokenAuth/GetReauthenticationOptions')));
    }
    onDone();
  });
  return (
    <CardPage title={texts.title(application)}>
      <Text>{texts.again(application)}</Text>
      <Form label={texts.title(application)} onSubmit={() => submit('password')} problem={problem}>
        <Text size="sm">{texts.signedInAs(user)}</Text>
        <PasswordField
          name="password"
          label={words.signIn.password}
          kind="current-password"
          value={password}
          onChange={setPassword}
          problem={problem}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.signIn.submit}
        </Button>
      </Form>
      {passkeys.state === 'loaded' && passkeys.value && (
        <WideButton disabled={isBusy} onClick={() => submit('passkey')}>
          {words.factors.passkey.signIn}
        </WideButton>
      )}
      <Anchor component="button" type="button" size="sm" onClick={() => goToSignIn('signedOff')}>
        {texts.otherWay}
      </Anchor>
    </CardPage>
  );
}
