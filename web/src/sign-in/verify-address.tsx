// Verification of the address to register with: the service sends a pin, and the user types it or opens its link.
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Form } from '../ui/form.tsx';
import { PinField } from '../ui/pin-field.tsx';
import { InputError, requireFields } from '../ui/problem.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { dropMessage, type Kept, keepMessage, orKeptMessage } from './kept-message.ts';
import type { Means } from './registration.ts';
import { ResendButton } from './resend-button.tsx';

/** The numbers that the call expects. */
const sendTypes = { mobile: 1, email: 2 } as const;

/** The label and input type of an address of this kind. */
const fieldOf = (means: Means) =>
  means === 'email'
    ? ({ type: 'email', autoComplete: 'email', label: words.register.email } as const)
    : ({ type: 'tel', autoComplete: 'tel', label: words.register.mobile } as const);

export function AddressInput(props: {
  means: Means;
  name: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { means, onChange, ...rest } = props;
  return (
    <TextInput
      {...fieldOf(means)}
      {...rest}
      autoCapitalize="none"
      spellCheck="false"
      required
      withAsterisk={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function RequestAddressPin(props: { means: Means; onSent: (sent: Kept) => void }) {
  const { means, onSent } = props;
  const [address, setAddress] = useState('');
  const { submit, isBusy, problem } = useSubmit(async () => {
    const sendTo = address.trim();
    requireFields({ ...(sendTo === '' && { sendTo: words.common.required }) });
    const send = async () => {
      const { operationId, sentTo } = await latchkey.call('Otp/SendPin', { sendTo, sendType: sendTypes[means] });
      return keepMessage('register', { name: sendTo, operationId, detail: sentTo });
    };
    onSent(await send().catch(orKeptMessage('register', sendTo)));
  });
  return (
    <CardPage title={words.register.title}>
      <Form label={words.register.title} onSubmit={submit} problem={problem}>
        <AddressInput
          means={means}
          name="sendTo"
          description={means === 'email' ? words.register.emailReason : words.register.mobileReason}
          value={address}
          onChange={setAddress}
          error={problem?.fields.sendTo}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.register.send}
        </Button>
      </Form>
      <BackLinks />
    </CardPage>
  );
}

export function EnterAddressPin({ sent, onProven }: { sent: Kept; onProven: () => void }) {
  const { operationId, detail: sentTo } = sent;
  const [pin, setPin] = useState('');
  const { submit, isBusy, problem, setProblem } = useSubmit(async () => {
    requireFields({ ...(pin.trim() === '' && { pin: words.common.required }) });
    const { isSuccess } = await latchkey.call('Otp/VerifyPin', { operationId, pin: pin.trim() });
    if (!isSuccess) throw new InputError({ pin: words.register.wrongPin });
    dropMessage('register');
    onProven();
  });
  const resend = async () => {
    await latchkey.call('Otp/ResendPin', { operationId });
    keepMessage('register', sent);
    setPin('');
    setProblem(undefined);
  };
  return (
    <CardPage title={sentTo.includes('@') ? words.forgot.checkMail : words.forgot.checkPhone}>
      <Form label={words.register.title} onSubmit={submit} problem={problem}>
        <PinField
          name="pin"
          label={words.register.pin}
          description={words.register.sent(sentTo)}
          value={pin}
          onChange={setPin}
          problem={problem}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.register.verify}
        </Button>
      </Form>
      <ResendButton sentAt={sent.sentAt} send={resend} />
      <BackLinks begin="/register" />
    </CardPage>
  );
}

/** Opening the link does not use up its pin: programs that scan mail open links too. Pressing the button does. */
export function VerifyByLink(props: { given: { operationId: string; pin: string }; onProven: () => void }) {
  const { given, onProven } = props;
  const [isBad, setBad] = useState(false);
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { isSuccess } = await latchkey.call('Otp/VerifyPin', given);
    if (isSuccess) onProven();
    else setBad(true);
  });
  return (
    <CardPage title={words.register.title}>
      <Text role="status">{isBad ? words.register.bad : words.register.ready}</Text>
      {!isBad && (
        <Button onClick={submit} loading={isBusy} fullWidth>
          {words.register.verify}
        </Button>
      )}
      <ProblemNotice problem={problem} />
      <BackLinks begin="/register" />
    </CardPage>
  );
}
