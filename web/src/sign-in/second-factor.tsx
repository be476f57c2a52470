// The second factor of a sign-in: a code of the authenticator app, a passkey, or a recovery code.
import { Anchor, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { type Calls, type Challenge, type FactorProvider, isLatchkeyError } from 'latchkey-sdk';
import { use, useEffect, useRef, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { AuthenticatorCode, findCodeFault } from '../factors/authenticator-code.tsx';
import { askForPasskeyOf, canUsePasskeys } from '../factors/passkeys.ts';
import { CardPage } from '../ui/card-page.tsx';
import { withoutSpacing } from '../ui/code-field.tsx';
import { Form } from '../ui/form.tsx';
import { asFieldError, type Problem, requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { withTarget } from './after-sign-in.ts';
import { BackLinks } from './back-links.tsx';
import { offeredFactors } from './offered-factors.ts';
import { canTrustDevice, keepTrustedDevice } from './trusted-device.ts';

type Verify = Calls['TokenAuth/VerifySecondFactor'];

/** The order in which they are offered. */
const providers: readonly FactorProvider[] = ['Passkey', 'Authenticator', 'RecoveryCode'];

/** The form of a recovery code, without the dash. */
const RECOVERY_CODE = /^[\p{L}\p{Nd}]{10}$/u;

/** Returns what is wrong with the form of a code. A code of another form is not sent. */
function findFault(provider: FactorProvider, code: string): string | undefined {
  if (provider === 'Passkey') return undefined;
  if (provider === 'Authenticator') return findCodeFault(code);
  if (code === '') return words.common.required;
  return RECOVERY_CODE.test(withoutSpacing(code)) ? undefined : words.factors.challenge.recoveryForm;
}

export function SecondFactor(props: {
  challenge: Challenge;
  /** The name of the sign-in, if the device can be trusted for it. */
  name: string | undefined;
  onSignedIn: (result: Verify['result']) => void;
}) {
  const { challenge, name, onSignedIn } = props;
  const { challengeToken, twoFactorAuthProviders } = challenge;
  const texts = words.factors.challenge;
  const offered = providers.filter(
    (one) => twoFactorAuthProviders.includes(one) && (one !== 'Passkey' || canUsePasskeys),
  );
  const [provider, setProvider] = useState(offered[0]);
  const [code, setCode] = useState('');
  const [isTrusted, setTrusted] = useState(false);
  const { trustedDeviceDays } = use(offeredFactors);
  const days = name !== undefined && canTrustDevice ? trustedDeviceDays : 0;

  const { submit, isBusy, problem, setProblem } = useSubmit(async () => {
    if (provider === undefined) return;
    const fault = findFault(provider, code.trim());
    requireFields(fault ? { code: fault } : {});
    try {
      const proof =
        provider === 'Passkey'
          ? await askForPasskeyOf(latchkey.call('TokenAuth/GetSecondFactorOptions', { challengeToken }))
          : { code: code.trim() };
      const input = { challengeToken, provider, ...proof, rememberClient: isTrusted && days > 0 };
      const result = await latchkey
        .call('TokenAuth/VerifySecondFactor', input)
        .catch(asFieldError('code', 'factor.invalid'));
      if (name !== undefined && result.twoFactorRememberClientToken) {
        await keepTrustedDevice(name, result.twoFactorRememberClientToken);
      }
      onSignedIn(result);
    } catch (error) {
      if (!isLatchkeyError(error, 'factor.challengeInvalid')) throw error;
      location.replace(withTarget('/login', undefined, 'expired'));
    }
  });
  const change = (next: FactorProvider) => {
    setProblem(undefined);
    setCode('');
    setProvider(next);
  };

  return (
    <CardPage title={texts.title}>
      {provider === undefined ? (
        <Text>{texts.unsupported}</Text>
      ) : (
        <Form key={provider} label={texts.title} onSubmit={submit} problem={problem}>
          <ProviderField
            provider={provider}
            // With a checkbox below, the user decides when the code is sent.
            submitsItself={days === 0}
            code={code}
            onChange={setCode}
            problem={problem}
          />
          {days > 0 && (
            <Checkbox
              name="trustDevice"
              label={texts.trust(days)}
              description={texts.trustHint}
              checked={isTrusted}
              onChange={(event) => setTrusted(event.currentTarget.checked)}
            />
          )}
          <Button type="submit" loading={isBusy} fullWidth>
            {provider === 'Passkey' ? texts.usePasskey : texts.submit}
          </Button>
        </Form>
      )}
      <Stack gap="xs" align="flex-start">
        {offered
          .filter((one) => one !== provider)
          .map((one) => (
            <Anchor key={one} component="button" type="button" size="sm" onClick={() => change(one)}>
              {texts.switch[one]}
            </Anchor>
          ))}
      </Stack>
      <BackLinks />
    </CardPage>
  );
}

function ProviderField(props: {
  provider: FactorProvider;
  submitsItself: boolean;
  code: string;
  onChange: (code: string) => void;
  problem: Problem | undefined;
}) {
  const { provider, submitsItself, code, onChange, problem } = props;
  const texts = words.factors.challenge;
  const recovery = useRef<HTMLInputElement>(null);
  useEffect(() => recovery.current?.focus(), []);
  if (provider === 'Passkey') return <Text>{texts.passkey}</Text>;
  if (provider === 'Authenticator') {
    return (
      <AuthenticatorCode
        submitsItself={submitsItself}
        description={texts.authenticator}
        value={code}
        onChange={onChange}
        problem={problem}
      />
    );
  }
  return (
    <TextInput
      ref={recovery}
      name="code"
      label={texts.recoveryCode}
      description={texts.recoveryHint}
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck="false"
      size="md"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      required
      withAsterisk={false}
      value={code}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={problem?.fields.code}
    />
  );
}
