// Signing in with a password, and the ways to everything else.
import { Alert, Anchor, Button, Divider, Group, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { chooseStaying, latchkey } from '../api/latchkey.ts';
import { CardPage } from '../ui/card-page.tsx';
import { Form } from '../ui/form.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { requireFields } from '../ui/problem.ts';
import { useLoad } from '../ui/use-load.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { type End, goOn, keepTarget, mustChangePassword } from './after-sign-in.ts';
import { ChangePassword } from './change-password.tsx';
import { NameField } from './name-field.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { readRegistration } from './registration.ts';
import { StaySignedIn } from './stay-signed-in.tsx';

type Step = 'signIn' | 'change';

function isEnd(text: string | null): text is End {
  return text !== null && Object.hasOwn(words.signIn.ended, text);
}

export function LoginPage() {
  const [step, setStep] = useState<Step>('signIn');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [isStaying, setStaying] = useState(false);
  const registration = useLoad(readRegistration);
  const end = new URLSearchParams(location.search).get('end');
  const goOnOrChange = async () => ((await mustChangePassword()) ? setStep('change') : goOn());

  const isSubmitting = useRef(false);

  // A user who is signed in has nothing to do here, also when another tab tells so later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened.
  useEffect(() => {
    const leave = (isSignedIn: boolean) => {
      if (isSignedIn && !isSubmitting.current) goOnOrChange().catch(() => {});
    };
    leave(latchkey.isSignedIn);
    return latchkey.onSession(leave);
  }, []);

  const signIn = useSubmit(async () => {
    requireFields({
      ...(name.trim() === '' && { userNameOrEmailAddress: words.common.required }),
      ...(password === '' && { password: words.common.required }),
    });
    chooseStaying(isStaying);
    isSubmitting.current = true;
    const result = await latchkey
      .call('TokenAuth/Authenticate', { userNameOrEmailAddress: name.trim(), password })
      .finally(() => {
        isSubmitting.current = false;
      });
    if (result.requiredChangePassword) setStep('change');
    else goOn();
  });

  if (step === 'change') return <ChangePassword current={password} onDone={goOn} />;
  const { problem } = signIn;
  return (
    <CardPage title={words.signIn.title}>
      {isEnd(end) && !problem && (
        <Alert color="blue" variant="light" role="status">
          {words.signIn.ended[end]}
        </Alert>
      )}
      <Form label={words.signIn.title} onSubmit={signIn.submit} problem={problem}>
        <NameField
          name="userNameOrEmailAddress"
          label={words.signIn.name}
          value={name}
          onChange={setName}
          problem={problem}
        />
        <PasswordField
          name="password"
          label={words.signIn.password}
          kind="current-password"
          value={password}
          onChange={setPassword}
          problem={problem}
        />
        <StaySignedIn value={isStaying} onChange={setStaying} />
        <Button type="submit" loading={signIn.isBusy} fullWidth>
          {words.signIn.submit}
        </Button>
      </Form>
      <Group justify="space-between">
        <Anchor size="sm" href={keepTarget('/forgot-password')}>
          {words.signIn.forgot}
        </Anchor>
        {registration.state === 'loaded' && registration.value && (
          <Anchor size="sm" href={keepTarget('/register')}>
            {words.signIn.register}
          </Anchor>
        )}
      </Group>
      <Divider label={words.signIn.or} labelPosition="center" />
      <Stack gap="sm">
        <Button component="a" variant="default" href={keepTarget('/login/pin')}>
          {words.signIn.withPin}
        </Button>
        <ProviderButtons isStaying={isStaying} />
      </Stack>
    </CardPage>
  );
}
