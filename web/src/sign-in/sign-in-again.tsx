// The sign-in that an application asks again of a person who is signed in.
import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { askForPasskeyOf, canUsePasskeys } from '../factors/passkeys.ts';
import { AccountName } from '../ui/account-name.tsx';
import { Form } from '../ui/form.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { asFieldError, requireFields } from '../ui/problem.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useLoad } from '../ui/use-load.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { WideButton } from '../ui/wide-button.tsx';
import { words } from '../words/index.ts';
import { applicationTexts } from './application-texts.ts';
import { CardPage } from './card-page.tsx';
import { EnterPin, sendPin } from './enter-pin.tsx';
import { type Kept, orKeptMessage } from './kept-message.ts';
import { findOffers } from './offers.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { SignOutLink } from './sign-out-link.tsx';

/** Returns the ways to sign in that my account has and this page offers. */
async function readWays() {
  const [ways, offers] = await Promise.all([latchkey.call('Session/GetSignInWays'), findOffers()]);
  return {
    password: ways.password,
    passkey: ways.passkey && offers.passkeys && canUsePasskeys,
    pin: ways.pin && offers.pins,
    providers: offers.providers.filter(({ name }) => ways.providers.includes(name)),
  };
}

type Asked = { application: string; user: string; onDone: () => void };

/** Renews the session in one of the ways that the account has. A sign-in to another account begins a new one. */
export function SignInAgain(props: Asked) {
  const { application, user, onDone } = props;
  const texts = applicationTexts().authorization;
  const ways = useLoad(readWays);
  const [sent, setSent] = useState<Kept>();
  const { submit, isBusy, problem } = useSubmit(async (how: 'passkey' | 'pin') => {
    if (how === 'pin') return setSent(await sendPin(user).catch(orKeptMessage('pin', user)));
    await latchkey.reauthenticate(await askForPasskeyOf(latchkey.call('TokenAuth/GetReauthenticationOptions')));
    onDone();
  });
  if (sent) return <AgainByPin sent={sent} onSent={setSent} onDone={onDone} onOther={() => setSent(undefined)} />;
  return (
    <CardPage title={texts.title(application)}>
      <Text>{texts.again(application)}</Text>
      <Text size="sm">{texts.signedInAs(user)}</Text>
      {ways.state === 'loading' && <Text role="status">{words.common.loading}</Text>}
      {ways.state === 'failed' && (
        <>
          <ProblemNotice problem={ways.problem} />
          <Button onClick={ways.retry}>{words.common.retry}</Button>
        </>
      )}
      {ways.state === 'loaded' && (
        <>
          {ways.value.password && <AgainByPassword {...props} />}
          {ways.value.passkey && (
            <WideButton disabled={isBusy} onClick={() => submit('passkey')}>
              {words.factors.passkey.signIn}
            </WideButton>
          )}
          {ways.value.pin && (
            <WideButton disabled={isBusy} onClick={() => submit('pin')}>
              {words.signIn.withPin}
            </WideButton>
          )}
          <ProblemNotice problem={problem} />
          <ProviderButtons providers={ways.value.providers} isPersistent={false} again />
        </>
      )}
      <SignOutLink>{texts.otherWay}</SignOutLink>
    </CardPage>
  );
}

function AgainByPassword({ application, user, onDone }: Asked) {
  const [password, setPassword] = useState('');
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({ ...(password === '' && { password: words.common.required }) });
    await latchkey.reauthenticate({ password }).catch(asFieldError('password', 'password.incorrect'));
    onDone();
  });
  return (
    <Form label={applicationTexts().authorization.title(application)} onSubmit={submit} problem={problem}>
      <AccountName name={user} />
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
  );
}

function AgainByPin(props: { sent: Kept; onSent: (sent: Kept) => void; onDone: () => void; onOther: () => void }) {
  const { sent, onSent, onDone, onOther } = props;
  const verify = async ({ operationId, code: pin }: { operationId: string; code: string }) => {
    await latchkey.reauthenticate({ operationId, pin });
    onDone();
  };
  return (
    <EnterPin sent={sent} onSent={onSent} verify={verify}>
      <Anchor component="button" type="button" size="sm" onClick={onOther}>
        {words.common.back}
      </Anchor>
    </EnterPin>
  );
}
