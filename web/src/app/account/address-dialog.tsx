// Another address, or the present one verified: the password is proven, then a pin that was sent there.
import { Button, Group, Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Form } from '../../ui/form.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { InputError, requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/index.ts';
import { meKey } from '../me.ts';

type Member = 'emailAddress' | 'mobileNumber';

/** Which address, and what it is to be at first: the present one, to be verified, or nothing yet. */
export type WantedAddress = { readonly member: Member; readonly value: string };

export function AddressDialog({ wanted, onClose }: { wanted: WantedAddress; onClose: () => void }) {
  const { member } = wanted;
  const { profile } = words.account;
  const [sent, setSent] = useState<{ operationId: string; sentTo: string }>();
  const title = wanted.value === '' ? profile.change[member] : profile.verify[member];
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': words.common.close }}>
      {sent ? (
        <PinStep {...sent} label={title} onAgain={() => setSent(undefined)} onDone={onClose} />
      ) : (
        <SendStep wanted={wanted} label={title} onSent={setSent} />
      )}
    </Modal>
  );
}

function SendStep(props: {
  wanted: WantedAddress;
  label: string;
  onSent: (sent: { operationId: string; sentTo: string }) => void;
}) {
  const { wanted, label, onSent } = props;
  const { member } = wanted;
  const texts = words.account.address;
  const [value, setValue] = useState(wanted.value);
  const [currentPassword, setPassword] = useState('');
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({
      ...(value.trim() === '' && { [member]: words.common.required }),
      ...(currentPassword === '' && { currentPassword: words.common.required }),
    });
    onSent(await latchkey.call('User/ChangeMyAddress', { currentPassword, [member]: value.trim() }));
  });
  return (
    <Form label={label} onSubmit={submit} problem={problem}>
      <TextInput
        name={member}
        label={wanted.value === '' ? texts[member].label : words.account.profile[member]}
        description={texts[member].hint}
        type={member === 'emailAddress' ? 'email' : 'tel'}
        autoComplete={member === 'emailAddress' ? 'email' : 'tel'}
        readOnly={wanted.value !== ''}
        required
        withAsterisk={false}
        data-autofocus={wanted.value === '' || undefined}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        error={problem?.fields[member]}
      />
      <PasswordInput
        name="currentPassword"
        label={words.change.current}
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus={wanted.value !== '' || undefined}
        value={currentPassword}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={problem?.fields['currentPassword']}
        visibilityToggleButtonProps={{ 'aria-label': words.common.showPassword }}
      />
      <Group justify="flex-end">
        <Button type="submit" loading={isBusy}>
          {texts.send}
        </Button>
      </Group>
    </Form>
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
  const queries = useQueryClient();
  const notify = useNotify();
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(pin.trim() === '' ? { pin: words.common.required } : {});
    const { isSuccess } = await latchkey.call('User/VerifyMyAddress', { operationId, pin: pin.trim() });
    if (!isSuccess) throw new InputError({ pin: texts.wrongPin });
    await queries.invalidateQueries({ queryKey: meKey });
    notify(texts.done(sentTo));
    onDone();
  });
  return (
    <Form label={label} onSubmit={submit} problem={problem}>
      <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
        {texts.sent(sentTo)}
      </Text>
      <TextInput
        name="pin"
        label={texts.pin}
        autoComplete="one-time-code"
        inputMode="text"
        required
        withAsterisk={false}
        // biome-ignore lint/a11y/noAutofocus: the step before has just gone, and the focus with it.
        autoFocus
        value={pin}
        onChange={(event) => setPin(event.currentTarget.value)}
        error={problem?.fields['pin']}
      />
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
