// The code or one-time pin of a password reset.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Form } from '../ui/form.tsx';
import { PinField } from '../ui/pin-field.tsx';
import { InputError, requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { fragment } from './fragment.ts';
import { dropMessage, type Kept, keepMessage } from './kept-message.ts';
import { ResendButton } from './resend-button.tsx';
import { type ProvenReset, readProvenReset } from './set-password.tsx';

/** @param props.sent `detail` is the method. 2: the code beside the mailed link. 4: the one-time pin by SMS. */
export function EnterCode({ sent, onProven }: { sent: Kept; onProven: (proven: ProvenReset) => void }) {
  const { name: username } = sent;
  const method = sent.detail === '4' ? 4 : 2;
  const isSms = method === 4;
  const [code, setCode] = useState('');
  // Another language loads the page again with the fragment. With a name in it, the page would begin again.
  useEffect(() => fragment.delete('name'), []);
  const { submit, isBusy, problem, setProblem } = useSubmit(async () => {
    requireFields({ ...(code.trim() === '' && { code: words.common.required }) });
    const proven = readProvenReset(
      await latchkey.call('User/ValidateResetCode', { username, method, code: code.trim() }),
    );
    if (!proven) throw new InputError({ code: words.forgot.wrong });
    dropMessage('reset');
    onProven(proven);
  });
  const resend = async () => {
    await latchkey.call(isSms ? 'User/SendSmsOtp' : 'User/SendEmailLink', { username });
    keepMessage('reset', sent);
    setCode('');
    setProblem(undefined);
  };
  return (
    <CardPage title={isSms ? words.forgot.checkPhone : words.forgot.checkMail}>
      <Form label={words.forgot.title} onSubmit={submit} problem={problem}>
        <PinField
          name="code"
          label={isSms ? words.forgot.oneTimePassword : words.forgot.code}
          description={isSms ? words.forgot.smsSent : words.forgot.linkSent}
          value={code}
          onChange={setCode}
          problem={problem}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.forgot.check}
        </Button>
      </Form>
      <ResendButton sentAt={sent.sentAt} send={resend} />
      <BackLinks begin="/forgot-password" name={username} />
    </CardPage>
  );
}
