// The dialog to edit a provider. Its type and its name have no fields here, and its secret only when it would go to another address.
import { Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import {
  type Change,
  findMissing,
  type Provider,
  type ProviderType,
  sendsSecretElsewhere,
  type Typed,
  toChanges,
  toTyped,
} from './provider.ts';
import { MainFields, MoreFields, SecretFields } from './provider-form.tsx';

export function EditDialog(props: {
  provider: Provider;
  type: ProviderType;
  onClose: () => void;
  onSaved: (change: Change) => Promise<void>;
}) {
  const { provider, type, onClose, onSaved } = props;
  const [before] = useState(() => toTyped(provider, type));
  const [typed, setTyped] = useState(before);
  const isMoved = provider.hasClientSecret && sendsSecretElsewhere(before, typed);
  const { submit, isBusy, problem } = useSubmit(async () => {
    const isSecretMissing = isMoved && typed.clientSecret === '';
    const missing = isSecretMissing ? { clientSecret: words.common.required } : {};
    requireFields({ ...findMissing(type, typed, false), ...missing });
    const { id } = provider;
    const present = await latchkey.call('ExternalProvider/Get', { id });
    const changes = toChanges(before, isMoved ? typed : { ...typed, clientSecret: '' }, toTyped(present, type));
    const after = await latchkey.call('ExternalProvider/Update', { ...changes, id });
    await onSaved({ before: present, after, changed: Object.keys(changes) });
  });
  const fields = { type, typed, change: (changes: Partial<Typed>) => setTyped({ ...typed, ...changes }), problem };
  const title = words.externalProviders.editOne(provider.displayName);
  return (
    <Dialog isOpen onClose={onClose} title={title} isWide>
      <Form label={title} onSubmit={submit} problem={problem}>
        <MainFields {...fields} isNew={false} />
        {isMoved && (
          <>
            <Text size="sm">{words.externalProviders.secret.movedReason}</Text>
            <SecretFields {...fields} />
          </>
        )}
        <MoreFields {...fields} />
        <FormButtons submit={words.common.save} isBusy={isBusy} />
      </Form>
    </Dialog>
  );
}
