// The dialog for a new address, or to verify the present one: it asks for the password, then for the pin.
import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHref } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { GuardedForm } from '../../factors/guarded-form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { PinField } from '../../ui/pin-field.tsx';
import { asFieldError, InputError, requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { may, meKey, useMe } from '../me.ts';
import { MAINTENANCE } from '../sections.ts';
import { useReread } from './ending.ts';

type Member = 'emailAddress' | 'mobileNumber';

/** The address to verify. `value` is the present address, or '' for a new one. */
export type WantedAddress = { readonly member: Member; readonly value: string };

/** A code that was sent. */
type Sent = { readonly operationId: string; readonly sentTo: string };

/** Returns whether I have such an address. */
function useHas(member: Member): boolean {
  const { email, mobileNumber } = useMe();
  return (member === 'emailAddress' ? email : mobileNumber) !== null;
}

/** Stays in the page when closed, so that the focus returns to the button that opened it. */
export function AddressDialog(props: { wanted: WantedAddress; isOpen: boolean; onClose: () => void }) {
  const { wanted, isOpen, onClose } = props;
  const { member, value } = wanted;
  const has = useHas(member);
  const { profile } = words.account;
  const title = (value !== '' ? profile.verify : has ? profile.change : profile.add)[member];
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <Steps wanted={wanted} label={title} onDone={onClose} />
    </Dialog>
  );
}

function Steps({ wanted, label, onDone }: { wanted: WantedAddress; label: string; onDone: () => void }) {
  const [value, setValue] = useState(wanted.value);
  const [sent, setSent] = useState<Sent>();
  const [isSending, setSending] = useState(true);
  if (sent && !isSending) return <PinStep {...sent} label={label} onAgain={() => setSending(true)} onDone={onDone} />;
  const onSent = (next: Sent) => {
    setSent(next);
    setSending(false);
  };
  return (
    <SendStep
      wanted={wanted}
      value={value}
      onChange={setValue}
      label={label}
      onSent={onSent}
      // The code that was sent before works until another one is sent, which the service refuses for a while.
      onBack={sent && (() => setSending(false))}
    />
  );
}

function SendStep(props: {
  wanted: WantedAddress;
  value: string;
  onChange: (value: string) => void;
  label: string;
  onSent: (sent: Sent) => void;
  /** Leads back to the code that was sent before, if one was. */
  onBack: (() => void) | undefined;
}) {
  const { wanted, value, onChange, label, onSent, onBack } = props;
  const { member } = wanted;
  const has = useHas(member);
  const texts = words.account.address;
  const [currentPassword, setPassword] = useState('');
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({
      ...(value.trim() === '' && { [member]: words.common.required }),
      ...(currentPassword === '' && { currentPassword: words.common.required }),
    });
    const sent = await latchkey
      .call('User/ChangeMyAddress', { currentPassword, [member]: value.trim() })
      .catch(asFieldError('currentPassword', 'password.incorrect'));
    onSent(sent);
  });
  return (
    <GuardedForm label={label} onSubmit={submit} problem={problem}>
      <TextInput
        name={member}
        label={wanted.value === '' && has ? texts[member].label : words.account.profile[member]}
        description={texts[member].hint}
        type={member === 'emailAddress' ? 'email' : 'tel'}
        autoComplete={member === 'emailAddress' ? 'email' : 'tel'}
        readOnly={wanted.value !== ''}
        required
        withAsterisk={false}
        data-autofocus={wanted.value === '' || undefined}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={problem?.fields[member]}
      />
      <PasswordField
        name="currentPassword"
        label={words.change.current}
        kind="current-password"
        isFirst={wanted.value !== ''}
        value={currentPassword}
        onChange={setPassword}
        problem={problem}
      />
      {onBack && (
        <Button variant="subtle" disabled={isBusy} onClick={onBack}>
          {words.common.back}
        </Button>
      )}
      <FormButtons submit={texts.send} isBusy={isBusy} />
    </GuardedForm>
  );
}

function PinStep(props: {
  operationId: string;
  sentTo: string;
  label: string;
  onAgain: () => void;
  onDone: () => void;
}) {
  const { operationId, sentTo, label, onAgain, onDone } = props;
  const texts = words.account.address;
  const [pin, setPin] = useState('');
  const reread = useReread(meKey);
  const notify = useNotify();
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(pin.trim() === '' ? { pin: words.common.required } : {});
    const { isSuccess } = await latchkey.call('User/VerifyMyAddress', { operationId, pin: pin.trim() });
    if (!isSuccess) throw new InputError({ pin: texts.wrongPin });
    await reread();
    notify(texts.done(sentTo));
    onDone();
  });
  return (
    <Form label={label} onSubmit={submit} problem={problem}>
      <PinField
        name="pin"
        label={texts.pin}
        description={texts.sent(sentTo)}
        value={pin}
        onChange={setPin}
        problem={problem}
      />
      <OutboxHint />
      <Group justify="space-between">
        <Button variant="default" onClick={onAgain}>
          {texts.again}
        </Button>
        <Button type="submit" loading={isBusy}>
          {texts.verify}
        </Button>
      </Group>
    </Form>
  );
}

/** On the first day there may be no mail server yet: an administrator finds the code in the outbox. */
function OutboxHint() {
  const href = useHref('/outbox');
  const { outbox, openOutbox } = words.account.address;
  // The service refuses this where gateways send all messages.
  const { isSuccess } = useQuery({
    queryKey: ['has-outbox'],
    queryFn: () => latchkey.call('Outbox/GetAll', { maxResultCount: 1 }),
    enabled: may(useMe(), MAINTENANCE),
  });
  if (!isSuccess) return null;
  return (
    <Text size="sm" c="dimmed">
      {outbox}{' '}
      <Anchor href={href} target="_blank">
        {openOutbox}
      </Anchor>
    </Text>
  );
}
