// The pin to sign in with: the service sends it, and the person types it.
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Form } from '../ui/form.tsx';
import { PinField } from '../ui/pin-field.tsx';
import { asFieldError, requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { CardPage } from './card-page.tsx';
import { dropMessage, type Kept, keepMessage } from './kept-message.ts';
import { ResendButton } from './resend-button.tsx';

export async function sendPin(name: string): Promise<Kept> {
  const { operationId } = await latchkey.call('TokenAuth/OtpAuthenticateSendPin', { userNameOrMobileNo: name });
  return keepMessage('pin', { name, operationId, detail: '' });
}

/** @param props.verify gives the pin to the service, and goes on. `children`: the ways to leave the form. */
export function EnterPin(props: {
  sent: Kept;
  onSent: (sent: Kept) => void;
  verify: (given: { operationId: string; code: string }) => Promise<void>;
  children: ReactNode;
}) {
  const { sent, onSent, verify, children } = props;
  const [code, setCode] = useState('');
  const { submit, isBusy, problem, setProblem } = useSubmit(async () => {
    requireFields({ ...(code.trim() === '' && { code: words.common.required }) });
    await verify({ operationId: sent.operationId, code: code.trim() }).catch(asFieldError('code', 'pin.invalid'));
    dropMessage('pin');
  });
  const resend = async () => {
    onSent(await sendPin(sent.name));
    setCode('');
    setProblem(undefined);
  };
  return (
    <CardPage title={words.pin.check}>
      <Form label={words.pin.title} onSubmit={submit} problem={problem}>
        <PinField
          name="code"
          label={words.pin.code}
          description={words.pin.sent}
          value={code}
          onChange={setCode}
          problem={problem}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.pin.submit}
        </Button>
      </Form>
      <ResendButton sentAt={sent.sentAt} send={resend} />
      {children}
    </CardPage>
  );
}
