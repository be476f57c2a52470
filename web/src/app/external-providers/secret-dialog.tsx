// The dialog to replace the secret of a provider, which is never shown, or to take it away from a public client.
import { Checkbox, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import { type Provider, type ProviderType, type Typed, toTime, toTyped } from './provider.ts';
import { type FieldProps, plain, SecretFields } from './provider-form.tsx';

/** Returns the typed secret as members of the provider. A public client has none. */
function readSecret({ clientSecret, privateKey, keyId, secretExpiresAt }: Typed, isApple: boolean, isPublic: boolean) {
  if (isPublic) return { clientSecret: null, secretExpiresAt: null };
  const secret = isApple ? { privateKey: privateKey.trim(), keyId: keyId.trim() } : { clientSecret };
  const empty = Object.entries(secret).filter(([, text]) => text === '');
  requireFields(Object.fromEntries(empty.map(([name]) => [name, words.common.required])));
  return { ...secret, secretExpiresAt: toTime(secretExpiresAt) };
}

export function SecretDialog(props: {
  provider: Provider;
  type: ProviderType;
  onClose: () => void;
  onSaved: () => Promise<void>;
}) {
  const { provider, type, onClose, onSaved } = props;
  const texts = words.externalProviders.secret;
  const [typed, setTyped] = useState(() => ({ ...toTyped(provider, type), secretExpiresAt: '' }));
  const [isPublic, setPublic] = useState(false);
  const isApple = type.needs.includes('privateKey');
  const { submit, isBusy, problem } = useSubmit(async () => {
    await latchkey.call('ExternalProvider/Update', { id: provider.id, ...readSecret(typed, isApple, isPublic) });
    await onSaved();
  });
  const title = texts.title(provider.displayName);
  const fields = { type, typed, change: (changes: Partial<Typed>) => setTyped({ ...typed, ...changes }), problem };
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Form label={title} onSubmit={submit} problem={problem}>
        <Text size="sm">{texts.reason}</Text>
        {type.may.includes('clientSecret') && provider.hasClientSecret && (
          <Checkbox
            label={texts.isPublic}
            description={texts.isPublicHint}
            checked={isPublic}
            onChange={(event) => setPublic(event.currentTarget.checked)}
          />
        )}
        {!isPublic && <NewSecret {...fields} hasKeyId={isApple} />}
        <FormButtons submit={texts.yes} isBusy={isBusy} />
      </Form>
    </Dialog>
  );
}

function NewSecret({ hasKeyId, ...props }: FieldProps & { hasKeyId: boolean }) {
  const { typed, change, problem } = props;
  const { fields, hints } = words.externalProviders;
  return (
    <>
      {hasKeyId && (
        <TextInput
          name="keyId"
          label={fields.keyId}
          value={typed.keyId}
          error={problem?.fields.keyId}
          onChange={(event) => change({ keyId: event.currentTarget.value })}
          {...plain}
        />
      )}
      <SecretFields {...props} />
      <TextInput
        name="secretExpiresAt"
        type="date"
        label={fields.secretExpiresAt}
        description={hints.secretExpiresAt}
        value={typed.secretExpiresAt}
        error={problem?.fields.secretExpiresAt}
        onChange={(event) => change({ secretExpiresAt: event.currentTarget.value })}
      />
    </>
  );
}
