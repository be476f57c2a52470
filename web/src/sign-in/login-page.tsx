// The sign-in page: the password, a passkey, and links to the other methods.
import { Anchor, Box, Button, Divider, Stack, Text } from '@mantine/core';
import { type Calls, isChallenge } from 'latchkey-sdk';
import { Suspense, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { keepSignedIn, latchkey } from '../api/latchkey.ts';
import { canUsePasskeys } from '../factors/passkeys.ts';
import { textsOf, useApplication } from '../ui/application.ts';
import { Form } from '../ui/form.tsx';
import { Boundary, lazyComponent } from '../ui/part.ts';
import { PasswordField } from '../ui/password-field.tsx';
import { requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { carriedName, readAuthorization, withName, withTarget } from './after-sign-in.ts';
import type { ForApplication } from './application-request.tsx';
import { CardPage } from './card-page.tsx';
import { EndNotice } from './end-notice.tsx';
import { useFailure } from './failed-page.tsx';
import { FinishSignIn } from './finish-sign-in.tsx';
import { keepLastMethod, type Method } from './last-method.ts';
import { loadApplications } from './load-applications.ts';
import { LastUsedHint, MethodButton, markOf } from './method-button.tsx';
import { PasskeyIcon, PinIcon } from './method-icons.tsx';
import { NameField } from './name-field.tsx';
import { findOffers } from './offers.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { readRemaining, remainingAfter } from './remaining.ts';
import { StaySignedIn, useStaySignedIn } from './stay-signed-in.tsx';
import { StorageBlocked } from './storage-blocked.tsx';
import { keepTrustedDevice, readTrustedDevice } from './trusted-device.ts';

export { NotFoundPage } from './not-found-page.tsx';

const ApplicationSignIn = lazyComponent(async () => (await loadApplications()).ApplicationSignIn);
const PasskeySignIn = lazyComponent(async () => (await import('./passkey-sign-in.tsx')).PasskeySignIn);

type Result = Calls['TokenAuth/Authenticate']['result'];

/** Without storage, a sign-in would end with this page. */
export function LoginPage() {
  if (!latchkey.canKeepToken) return <StorageBlocked />;
  if (readAuthorization() === null) return <SignIn />;
  return <ApplicationSignIn>{(application) => <SignIn application={application} />}</ApplicationSignIn>;
}

function SignIn({ application }: { application?: ForApplication }) {
  const [remaining, setRemaining] = useState(application?.remaining);
  const [name, setName] = useState(carriedName || (application?.name ?? ''));
  const [password, setPassword] = useState('');
  const [isPersistent, setPersistent] = useStaySignedIn();
  const offers = use(findOffers());
  const offersPasskeys = offers.passkeys && canUsePasskeys;
  const hasOthers = offersPasskeys || offers.pins || offers.providers.length > 0;
  const texts = textsOf(useApplication());

  /** Whether the sign-in is this page's own: what follows it is shown here. */
  const isOwn = useRef(false);

  // Leave this page when the user is signed in, also when that happens in another tab.
  useEffect(() => {
    const leave = (isSignedIn: boolean) => {
      if (isSignedIn && !isOwn.current) readRemaining().then(setRemaining, () => {});
    };
    leave(latchkey.isSignedIn);
    return latchkey.onSession(leave);
  }, []);

  async function signInBy(method: Method, call: () => Promise<Result>) {
    keepSignedIn(isPersistent);
    isOwn.current = true;
    try {
      setRemaining(remainingAfter(await call()));
      keepLastMethod(method);
    } catch (error) {
      isOwn.current = false;
      throw error;
    }
  }
  const signIn = useSubmit(async () => {
    const userNameOrEmailAddress = name.trim();
    requireFields({
      ...(userNameOrEmailAddress === '' && { userNameOrEmailAddress: words.common.required }),
      ...(password === '' && { password: words.common.required }),
    });
    const trusted = await readTrustedDevice(userNameOrEmailAddress);
    await signInBy('password', async () => {
      const given = { userNameOrEmailAddress, password, ...(trusted && { twoFactorRememberClientToken: trusted }) };
      const result = await latchkey.call('TokenAuth/Authenticate', given);
      // The service no longer accepts the token.
      if (trusted && isChallenge(result)) await keepTrustedDevice(userNameOrEmailAddress, undefined);
      return result;
    });
  });

  const { problem } = signIn;
  const passwordField = useRef<HTMLInputElement>(null);
  // A wrong password is typed anew, and the next letter may come at once.
  useLayoutEffect(() => {
    if (!problem || Object.keys(problem.fields).length > 0) return;
    passwordField.current?.focus();
    passwordField.current?.select();
  }, [problem]);

  if (remaining) return <FinishSignIn remaining={remaining} password={password} name={name.trim()} />;
  return (
    <CardPage title={application?.title ?? (texts?.title || words.signIn.title)}>
      {texts?.note && <Text c="var(--text-2)">{texts.note}</Text>}
      {!problem && <EndNotice />}
      <Form label={words.signIn.title} onSubmit={signIn.submit} problem={problem}>
        <NameField
          name="userNameOrEmailAddress"
          label={words.signIn.name}
          value={name}
          onChange={setName}
          problem={problem}
          offersPasskeys={offersPasskeys}
        />
        <Box pos="relative">
          <PasswordField
            ref={passwordField}
            name="password"
            label={words.signIn.password}
            kind="current-password"
            value={password}
            onChange={setPassword}
            problem={problem}
          />
          <Anchor size="sm" className="beside-label" href={withName('/forgot-password', name.trim())}>
            {words.signIn.forgot}
          </Anchor>
        </Box>
        <StaySignedIn value={isPersistent} onChange={setPersistent} />
        <Button type="submit" loading={signIn.isBusy} fullWidth {...markOf('password')}>
          {words.signIn.submit}
        </Button>
      </Form>
      {hasOthers && <Divider label={words.signIn.or} labelPosition="center" />}
      <Stack gap="sm">
        {offersPasskeys && (
          <Boundary fallback={(error, retry) => <FailedButton error={error} retry={retry} />}>
            <Suspense fallback={<PendingButton />}>
              <PasskeySignIn signIn={(call) => signInBy('passkey', call)} />
            </Suspense>
          </Boundary>
        )}
        {offers.pins && (
          <MethodButton method="pin" icon={<PinIcon />} href={withName('/login/pin', name.trim())}>
            {words.signIn.withPin}
          </MethodButton>
        )}
        <ProviderButtons providers={offers.providers} isPersistent={isPersistent} />
      </Stack>
      {offers.registers && (
        <Anchor size="sm" href={withTarget('/register')}>
          {words.signIn.register}
        </Anchor>
      )}
      <LastUsedHint />
    </CardPage>
  );
}

/** Keeps the place of the button while it loads. */
const PendingButton = () => (
  <MethodButton method="passkey" icon={<PasskeyIcon />} disabled>
    {words.factors.passkey.signIn}
  </MethodButton>
);

/** In place of the button if it cannot be loaded. The page stays: the other methods work. */
function FailedButton({ error, retry }: { error: unknown; retry: () => void }) {
  const [reason, again] = useFailure(error, retry);
  return (
    <>
      <PendingButton />
      <Text size="sm" role="alert">
        {reason}
      </Text>
      <Button variant="default" onClick={again}>
        {words.common.retry}
      </Button>
    </>
  );
}
