// The page to sign in with a one-time pin.
import { Anchor, Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { keepSignedIn, latchkey } from '../api/latchkey.ts';
import { CardPage } from '../ui/card-page.tsx';
import { Form } from '../ui/form.tsx';
import { PinField } from '../ui/pin-field.tsx';
import { asFieldError, requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { withTarget } from './after-sign-in.ts';
import { FinishSignIn } from './finish-sign-in.tsx';
import { dropMessage, type Kept, keepMessage, orKeptMessage, readBeforeReload } from './kept-message.ts';
import { keepLastMethod } from './last-method.ts';
import { NameField } from './name-field.tsx';
import { type Remaining, remainingAfter } from './remaining.ts';
import { ResendButton } from './resend-button.tsx';
import { StaySignedIn } from './stay-signed-in.tsx';

async function send(name: string): Promise<Kept> {
  const { operationId } = await latchkey.call('TokenAuth/OtpAuthenticateSendPin', { userNameOrMobileNo: name });
  return keepMessage('pin', { name, operationId, detail: '' });
}

export function PinPage() {
  const [sent, setSent] = useState(() => readBeforeReload('pin'));
  const [remaining, setRemaining] = useState<Remaining>();
  const [isPersistent, setPersistent] = useState(false);
  useEffect(() => {
    if (latchkey.isSignedIn) location.replace(withTarget('/login'));
  }, []);
  if (remaining) return <FinishSignIn remaining={remaining} />;
  if (!sent) return <RequestPin isPersistent={isPersistent} onPersistentChange={setPersistent} onSent={setSent} />;
  return (
    <EnterPin
      sent={sent}
      isPersistent={isPersistent}
      onSent={setSent}
      onOther={() => setSent(undefined)}
      onSignedIn={setRemaining}
    />
  );
}

function RequestPin(props: {
  isPersistent: boolean;
  onPersistentChange: (isPersistent: boolean) => void;
  onSent: (sent: Kept) => void;
}) {
  const { isPersistent, onPersistentChange, onSent } = props;
  const [name, setName] = useState('');
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({ ...(name.trim() === '' && { userNameOrMobileNo: words.common.required }) });
    onSent(await send(name.trim()).catch(orKeptMessage('pin', name.trim())));
  });
  return (
    <CardPage title={words.pin.title}>
      <Form label={words.pin.title} onSubmit={submit} problem={problem}>
        <NameField name="userNameOrMobileNo" label={words.pin.name} value={name} onChange={setName} problem={problem} />
        <StaySignedIn value={isPersistent} onChange={onPersistentChange} />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.pin.request}
        </Button>
      </Form>
      <Anchor size="sm" href={withTarget('/login')}>
        {words.pin.withPassword}
      </Anchor>
    </CardPage>
  );
}

function EnterPin(props: {
  sent: Kept;
  isPersistent: boolean;
  onSent: (sent: Kept) => void;
  onOther: () => void;
  onSignedIn: (remaining: Remaining) => void;
}) {
  const { sent, isPersistent, onSent, onOther, onSignedIn } = props;
  const [code, setCode] = useState('');
  const { submit, isBusy, problem, setProblem } = useSubmit(async () => {
    requireFields({ ...(code.trim() === '' && { code: words.common.required }) });
    const given = { operationId: sent.operationId, code: code.trim() };
    keepSignedIn(isPersistent);
    const result = await latchkey.call('TokenAuth/OtpAuthenticate', given).catch(asFieldError('code', 'pin.invalid'));
    dropMessage('pin');
    keepLastMethod('pin');
    onSignedIn(remainingAfter(result));
  });
  const resend = async () => {
    onSent(await send(sent.name));
    setCode('');
    setProblem(undefined);
  };
  return (
    <CardPage title={words.pin.title}>
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
      <Group justify="space-between">
        <Anchor size="sm" href={withTarget('/login')}>
          {words.pin.withPassword}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onOther}>
          {words.pin.otherName}
        </Anchor>
      </Group>
    </CardPage>
  );
}
