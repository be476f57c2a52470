// The page to sign in with a one-time pin.
import { Anchor, Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { keepSignedIn, latchkey } from '../api/latchkey.ts';
import { Form } from '../ui/form.tsx';
import { requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { carriedName, withName, withTarget } from './after-sign-in.ts';
import { CardPage } from './card-page.tsx';
import { EnterPin, sendPin } from './enter-pin.tsx';
import { FinishSignIn } from './finish-sign-in.tsx';
import { type Kept, orKeptMessage, readBeforeReload } from './kept-message.ts';
import { keepLastMethod } from './last-method.ts';
import { NameField } from './name-field.tsx';
import { type Remaining, remainingAfter } from './remaining.ts';
import { StaySignedIn, useStaySignedIn } from './stay-signed-in.tsx';

export function PinPage() {
  const [sent, setSent] = useState(() => readBeforeReload('pin'));
  const [remaining, setRemaining] = useState<Remaining>();
  const [isPersistent, setPersistent] = useStaySignedIn();
  useEffect(() => {
    if (latchkey.isSignedIn) location.replace(withTarget('/login'));
  }, []);
  if (remaining) return <FinishSignIn remaining={remaining} />;
  if (!sent) return <RequestPin isPersistent={isPersistent} onPersistentChange={setPersistent} onSent={setSent} />;
  const verify = async (given: { operationId: string; code: string }) => {
    keepSignedIn(isPersistent);
    const result = await latchkey.call('TokenAuth/OtpAuthenticate', given);
    keepLastMethod('pin');
    setRemaining(remainingAfter(result));
  };
  return (
    <EnterPin sent={sent} onSent={setSent} verify={verify}>
      <Group justify="space-between">
        <Anchor size="sm" href={withName('/login', sent.name)}>
          {words.pin.withPassword}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={() => setSent(undefined)}>
          {words.pin.otherName}
        </Anchor>
      </Group>
    </EnterPin>
  );
}

function RequestPin(props: {
  isPersistent: boolean;
  onPersistentChange: (isPersistent: boolean) => void;
  onSent: (sent: Kept) => void;
}) {
  const { isPersistent, onPersistentChange, onSent } = props;
  const [name, setName] = useState(carriedName);
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({ ...(name.trim() === '' && { userNameOrMobileNo: words.common.required }) });
    onSent(await sendPin(name.trim()).catch(orKeptMessage('pin', name.trim())));
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
      <Anchor size="sm" href={withName('/login', name.trim())}>
        {words.pin.withPassword}
      </Anchor>
    </CardPage>
  );
}
