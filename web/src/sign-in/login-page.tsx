// The sign-in page: the password, and links to the other methods.
import { Alert, Anchor, Button, Divider, Group, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { keepSignedIn, latchkey } from '../api/latchkey.ts';
import { CardPage } from '../ui/card-page.tsx';
import { Form } from '../ui/form.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { requireFields } from '../ui/problem.ts';
import { useLoad } from '../ui/use-load.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { type End, mustChangePassword, openTarget, withTarget } from './after-sign-in.ts';
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
  const [isPersistent, setPersistent] = useState(false);
  const registration = useLoad(readRegistration);
  const end = new URLSearchParams(location.search).get('end');
  const continueOrChange = async () => ((await mustChangePassword()) ? setStep('change') : openTarget());

  const isSubmitting = useRef(false);

  // Leave this page when the user is signed in, also when that happens in another tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page opens.
  useEffect(() => {
    const leave = (isSignedIn: boolean) => {
      if (isSignedIn && !isSubmitting.current) continueOrChange().catch(() => {});
    };
    leave(latchkey.isSignedIn);
    return latchkey.onSession(leave);
  }, []);

  const signIn = useSubmit(async () => {
    requireFields({
      ...(name.trim() === '' && { userNameOrEmailAddress: words.common.required }),
      ...(password === '' && { password: words.common.required }),
    });
    keepSignedIn(isPersistent);
    isSubmitting.current = true;
    const result = await latchkey
      .call('TokenAuth/Authenticate', { userNameOrEmailAddress: name.trim(), password })
      .finally(() => {
        isSubmitting.current = false;
      });
    if (result.requiredChangePassword) setStep('change');
    else openTarget();
  });

  if (step === 'change') return <ChangePassword current={password} onDone={openTarget} />;
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
        <StaySignedIn value={isPersistent} onChange={setPersistent} />
        <Button type="submit" loading={signIn.isBusy} fullWidth>
          {words.signIn.submit}
        </Button>
      </Form>
      <Group justify="space-between">
        <Anchor size="sm" href={withTarget('/forgot-password')}>
          {words.signIn.forgot}
        </Anchor>
        {registration.state === 'loaded' && registration.value && (
          <Anchor size="sm" href={withTarget('/register')}>
            {words.signIn.register}
          </Anchor>
        )}
      </Group>
      <Divider label={words.signIn.or} labelPosition="center" />
      <Stack gap="sm">
        <Button component="a" variant="default" href={withTarget('/login/pin')}>
          {words.signIn.withPin}
        </Button>
        <ProviderButtons isPersistent={isPersistent} />
      </Stack>
    </CardPage>
  );
}
