// The form for a second factor: a code of the authenticator app, a passkey, or a recovery code.
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import type { FactorProvider } from 'latchkey-sdk';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { withoutSpacing } from '../ui/code-field.tsx';
import { Form } from '../ui/form.tsx';
import { asFieldError, type Problem, requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { AuthenticatorCode, findCodeFault } from './authenticator-code.tsx';
import { cancelPasskey, canUsePasskeys } from './passkeys.ts';

/** The order in which they are offered. */
const providers: readonly FactorProvider[] = ['Passkey', 'Authenticator', 'RecoveryCode'];

/** The form of a recovery code, without the dashes: 25 characters, or 10 if it was made before 27 November 2026. */
const RECOVERY_CODE = /^(?:[\p{L}\p{Nd}]{25}|[\p{L}\p{Nd}]{10})$/u;

/** Returns what is wrong with the form of a code. A code of another form is not sent. */
function findFault(provider: FactorProvider, code: string): string | undefined {
  if (provider === 'Passkey') return undefined;
  if (provider === 'Authenticator') return findCodeFault(code);
  if (code === '') return words.common.required;
  return RECOVERY_CODE.test(withoutSpacing(code)) ? undefined : words.factors.challenge.recoveryForm;
}

type FormProps = {
  /** Whether a complete code of the app submits the form. */
  submitsItself: boolean;
  /** Verifies the code, or asks for the passkey and verifies it. */
  verify: (provider: FactorProvider, code: string) => Promise<unknown>;
  /** Further fields. */
  children?: ReactNode;
};

/** @param props.has the second factors that the account has. */
export function SecondFactorForm({ has, ...form }: FormProps & { has: readonly string[] }) {
  const texts = words.factors.challenge;
  const offered = providers.filter((one) => has.includes(one) && (one !== 'Passkey' || canUsePasskeys));
  const [provider, setProvider] = useState(offered[0]);
  if (provider === undefined) return <Text>{texts.unsupported}</Text>;
  return (
    <>
      <ProviderForm key={provider} provider={provider} {...form} />
      <Stack gap="xs" align="flex-start">
        {offered
          .filter((one) => one !== provider)
          .map((one) => (
            <Anchor key={one} component="button" type="button" size="sm" onClick={() => setProvider(one)}>
              {texts.switch[one]}
            </Anchor>
          ))}
      </Stack>
    </>
  );
}

/** Another second factor has another form, which does not wait for this one. */
function ProviderForm({ provider, submitsItself, verify, children }: FormProps & { provider: FactorProvider }) {
  const texts = words.factors.challenge;
  const [code, setCode] = useState('');
  const { submit, isBusy, problem } = useSubmit(async () => {
    const fault = findFault(provider, code.trim());
    requireFields(fault ? { code: fault } : {});
    await verify(provider, code.trim()).catch(asFieldError('code', 'factor.invalid'));
  });
  // The browser may still ask for the passkey when the form goes.
  useEffect(() => cancelPasskey, []);
  return (
    <Form label={texts.title} onSubmit={submit} problem={problem}>
      <ProviderField
        provider={provider}
        submitsItself={submitsItself}
        code={code}
        onChange={setCode}
        problem={problem}
      />
      {children}
      <Button type="submit" loading={isBusy} fullWidth>
        {provider === 'Passkey' ? texts.usePasskey : texts.submit}
      </Button>
    </Form>
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
  useLayoutEffect(() => recovery.current?.focus(), []);
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
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      required
      withAsterisk={false}
      value={code}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={problem?.fields.code}
    />
  );
}
