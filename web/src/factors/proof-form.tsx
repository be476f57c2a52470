// The form in which account owners prove who they are before a change of their factors: by password, and by a second factor
// if the account has one; or by a passkey, which is both.
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { FormButtons } from '../ui/form-buttons.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { asFieldError } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { WideButton } from '../ui/wide-button.tsx';
import { words } from '../words/index.ts';
import { GuardedForm } from './guarded-form.tsx';
import { askForPasskeyOf } from './passkeys.ts';

/** Without the password, the service accepts a passkey of the last minutes, or a recent sign-in without a password. */
export type OwnerProof = { currentPassword?: string };

export function ProofForm(props: {
  label: string;
  submitLabel: string;
  isDestructive?: boolean;
  /** Whether the account can confirm with a passkey. */
  hasPasskey: boolean;
  /** The password of the sign-in a moment ago. The form then submits itself. */
  password?: string;
  /** The call that needs the proof. */
  run: (proof: OwnerProof) => Promise<unknown>;
  children?: ReactNode;
}) {
  const { label, submitLabel, isDestructive = false, hasPasskey, password = '', run, children } = props;
  const texts = words.factors.proof;
  const [currentPassword, setPassword] = useState(password);
  const { submit, isBusy, problem } = useSubmit(async (how: 'password' | 'passkey') => {
    if (how === 'passkey') {
      await latchkey.reauthenticate(await askForPasskeyOf(latchkey.call('TokenAuth/GetReauthenticationOptions')));
      return run({});
    }
    const proof = currentPassword === '' ? {} : { currentPassword };
    return run(proof)
      .catch(asFieldError('currentPassword', 'password.incorrect'))
      .catch(asFieldError('currentPassword', 'factor.reauthenticationRequired'));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: submits a known password once.
  useEffect(() => {
    if (password !== '') void submit('password');
  }, []);
  if (password !== '' && !problem) return <Text role="status">{words.common.loading}</Text>;
  return (
    <Stack gap="md">
      <GuardedForm label={label} onSubmit={() => submit('password')} problem={problem}>
        {children}
        <PasswordField
          name="currentPassword"
          label={texts.password}
          description={texts.passwordHint}
          kind="current-password"
          isFirst
          value={currentPassword}
          onChange={setPassword}
          problem={problem}
        />
        <FormButtons submit={submitLabel} isBusy={isBusy} isDanger={isDestructive} />
      </GuardedForm>
      {hasPasskey && !problem?.needsSecondFactor && (
        <WideButton disabled={isBusy} onClick={() => submit('passkey')}>
          {texts.passkey}
        </WideButton>
      )}
    </Stack>
  );
}
