// A form with my password, whose call may need a second factor first. If the service asks for one, the form does, and then
// submits again.
import { Button, Stack, Text } from '@mantine/core';
import type { FactorProvider } from 'latchkey-sdk';
import type { ComponentProps } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { MyAccountName } from '../ui/account-name.tsx';
import { FocusedText } from '../ui/focused-text.tsx';
import { Form } from '../ui/form.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useLoad } from '../ui/use-load.ts';
import { words } from '../words/index.ts';
import { askForPasskeyOf } from './passkeys.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import { readFactorSettings } from './settings.ts';

export function GuardedForm({ children, ...form }: ComponentProps<typeof Form>) {
  const { onSubmit, problem, label } = form;
  const isAsking = problem?.needsSecondFactor === true;
  return (
    <>
      {/* It stays in the page: the dialog around it asks before it drops what was typed. */}
      <div hidden={isAsking}>
        <Form label={label} onSubmit={onSubmit} problem={isAsking ? undefined : problem}>
          <MyAccountName />
          {children}
        </Form>
      </div>
      {isAsking && <ConfirmFactor onConfirmed={onSubmit} />}
    </>
  );
}

/** Returns the second factors that I can give. A recovery code replaces another one, and counts only beside it. */
export async function readMine(): Promise<readonly FactorProvider[]> {
  const [mine, offered] = await Promise.all([latchkey.call('Factor/GetAll'), readFactorSettings()]);
  const { passkeys, authenticator, recoveryCodesLeft } = mine;
  const usable = [
    ...(offered.passkeys && passkeys.length > 0 ? (['Passkey'] as const) : []),
    ...(offered.authenticator && authenticator.enrolled ? (['Authenticator'] as const) : []),
  ];
  return usable.length > 0 && recoveryCodesLeft > 0 ? [...usable, 'RecoveryCode'] : usable;
}

/** Proves a second factor again, which raises the session. */
export async function confirmFactor(provider: FactorProvider, code: string) {
  if (provider === 'Authenticator') return latchkey.reauthenticate({ code });
  if (provider === 'RecoveryCode') return latchkey.reauthenticate({ recoveryCode: code });
  return latchkey.reauthenticate(await askForPasskeyOf(latchkey.call('TokenAuth/GetReauthenticationOptions')));
}

/** Asks for a second factor of mine. */
export function ConfirmFactor({ onConfirmed }: { onConfirmed: () => void }) {
  const mine = useLoad(readMine);
  return (
    <Stack gap="md">
      <FocusedText text={words.factors.proof.secondFactor} />
      {mine.state === 'loading' && <Text role="status">{words.common.loading}</Text>}
      {mine.state === 'failed' && (
        <>
          <ProblemNotice problem={mine.problem} />
          <Button variant="default" onClick={mine.retry}>
            {words.common.retry}
          </Button>
        </>
      )}
      {mine.state === 'loaded' && (
        <SecondFactorForm
          has={mine.value}
          submitsItself
          verify={async (provider, code) => {
            await confirmFactor(provider, code);
            onConfirmed();
          }}
        />
      )}
    </Stack>
  );
}
