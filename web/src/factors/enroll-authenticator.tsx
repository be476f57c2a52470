// Enrollment of an authenticator app: the proof of the owner, the QR code, and the first code of the app.
import { Anchor, Button, Center, Group, Text } from '@mantine/core';
import type { Calls } from 'latchkey-sdk';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { FocusedText } from '../ui/focused-text.tsx';
import { Form } from '../ui/form.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { asFieldError, requireFields } from '../ui/problem.ts';
import { useCopy } from '../ui/use-copy.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { AuthenticatorCode, findCodeFault } from './authenticator-code.tsx';
import { ProofForm } from './proof-form.tsx';
import { QrCode } from './qr-code.tsx';
import { type Enrollment, useEnrollment } from './use-enrollment.ts';

/** A phone cannot scan what it shows. */
const isPhone = matchMedia('(pointer: coarse)').matches;

type NewAuthenticator = Calls['Authenticator/Begin']['result'];

/** @param props.password the password of the sign-in a moment ago, if any. */
export function EnrollAuthenticator(props: {
  password?: string;
  hasPasskey: boolean;
  onEnrolled: (recoveryCodes: readonly string[]) => void;
}) {
  const { password, hasPasskey, onEnrolled } = props;
  const enrollment = useEnrollment<NewAuthenticator>();
  const { begun, over } = enrollment;
  const texts = words.factors.enroll;
  if (begun) return <FirstCode enrollment={enrollment} begun={begun} onEnrolled={onEnrolled} />;
  return (
    <ProofForm
      label={texts.authenticator}
      submitLabel={texts.submit}
      hasPasskey={hasPasskey}
      {...(password !== undefined && !over && { password })}
      run={async (proof) => enrollment.begin(await latchkey.call('Authenticator/Begin', proof))}
    >
      {over && <FocusedText text={over === 'expired' ? texts.authenticatorOver : texts.ended} />}
    </ProofForm>
  );
}

function FirstCode(props: {
  begun: NewAuthenticator;
  enrollment: Enrollment<NewAuthenticator>;
  onEnrolled: (recoveryCodes: readonly string[]) => void;
}) {
  const { begun, enrollment, onEnrolled } = props;
  const { endIfOver, endIfRefused } = enrollment;
  const { operationId, secret, uri } = begun;
  const texts = words.factors.enroll;
  const [code, setCode] = useState('');
  const { copy, isCopied } = useCopy(secret);
  const { submit, isBusy, problem } = useSubmit(async () => {
    const fault = findCodeFault(code);
    requireFields(fault ? { code: fault } : {});
    if (endIfOver()) return;
    const confirming = latchkey.call('Authenticator/Confirm', { operationId, code });
    const confirmed = await confirming.catch(endIfRefused).catch(asFieldError('code', 'factor.invalid'));
    if (confirmed) onEnrolled(confirmed.recoveryCodes);
  });
  return (
    <Form label={texts.authenticator} onSubmit={submit} problem={problem}>
      {isPhone && (
        <Button component="a" href={uri} variant="default" fullWidth>
          {texts.open}
        </Button>
      )}
      <Text size="sm">{texts.scan}</Text>
      <Center>
        <QrCode text={uri} label={texts.qrCode} />
      </Center>
      <Text size="sm" component="div">
        {texts.secret}
        <Text ff="monospace" fw={600} data-testid="secret">
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </Text>
        <Group gap="md">
          {copy && (
            <Anchor component="button" type="button" size="sm" onClick={copy}>
              {texts.copy}
            </Anchor>
          )}
          {!isPhone && (
            <Anchor size="sm" href={uri}>
              {texts.open}
            </Anchor>
          )}
          <span role="status">{isCopied && texts.copied}</span>
        </Group>
      </Text>
      <AuthenticatorCode submitsItself description={texts.first} value={code} onChange={setCode} problem={problem} />
      <FormButtons submit={texts.confirm} isBusy={isBusy} />
    </Form>
  );
}
