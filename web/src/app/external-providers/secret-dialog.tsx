// The dialog to replace the secret of a provider, which is never shown.
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import { type Provider, type ProviderType, toTime, toTyped } from './provider.ts';
import { plain, SecretFields } from './provider-form.tsx';

export function SecretDialog(props: {
  provider: Provider;
  type: ProviderType;
  onClose: () => void;
  onSaved: () => Promise<void>;
}) {
  const { provider, type, onClose, onSaved } = props;
  const texts = words.externalProviders;
  const isApple = type.needs.includes('privateKey');
  const [typed, setTyped] = useState(() => ({ ...toTyped(provider, type), secretExpiresAt: '' }));
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { clientSecret, privateKey, keyId } = typed;
    const secret = isApple ? { privateKey: privateKey.trim(), keyId: keyId.trim() } : { clientSecret };
    const empty = Object.entries(secret).filter(([, text]) => text === '');
    requireFields(Object.fromEntries(empty.map(([name]) => [name, words.common.required])));
    const secretExpiresAt = toTime(typed.secretExpiresAt);
    await latchkey.call('ExternalProvider/Update', { id: provider.id, ...secret, secretExpiresAt });
    await onSaved();
  });
  const change = (changes: object) => setTyped({ ...typed, ...changes });
  const title = texts.secret.title(provider.displayName);
  const shared = { problem, change, typed, type };
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Form label={title} onSubmit={submit} problem={problem}>
        <Text size="sm">{texts.secret.reason}</Text>
        {isApple && (
          <TextInput
            name="keyId"
            label={texts.fields.keyId}
            value={typed.keyId}
            error={problem?.fields.keyId}
            onChange={(event) => change({ keyId: event.currentTarget.value })}
            {...plain}
          />
        )}
        <SecretFields {...shared} />
        <TextInput
          name="secretExpiresAt"
          type="date"
          label={texts.fields.secretExpiresAt}
          description={texts.hints.secretExpiresAt}
          value={typed.secretExpiresAt}
          error={problem?.fields.secretExpiresAt}
          onChange={(event) => change({ secretExpiresAt: event.currentTarget.value })}
        />
        <FormButtons submit={texts.secret.yes} isBusy={isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
