// The dialog to make a service key. It shows the key when it is made, and a first call with it.
import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { at } from '../../api/base-path.ts';
import { latchkey } from '../../api/latchkey.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { asFieldError, requireFields } from '../../ui/problem.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import type { ServicePermission } from '../me.ts';
import { ServicePermissions } from '../roles/service-permissions.tsx';
import { serviceKeyPermissions } from './service-key.ts';

export function CreateDialog(props: { onClose: () => void; onCreated: () => Promise<void> }) {
  const { onClose, onCreated } = props;
  const texts = words.serviceKeys;
  const [name, setName] = useState('');
  const [allowed, setAllowed] = useState<(typeof serviceKeyPermissions)[number][]>([]);
  const [managed, setManaged] = useState<ServicePermission[]>([]);
  const isManaging = allowed.includes('manage');
  const [key, setKey] = useState<string>();
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({
      ...(name.trim() === '' && { name: words.common.required }),
      ...(allowed.length === 0 && { permissions: texts.noPermission }),
      ...(isManaging && managed.length === 0 && { managed: texts.noManaged }),
    });
    const call = latchkey.call('ServiceKey/Create', {
      name: name.trim(),
      permissions: isManaging ? [...allowed, ...managed] : allowed,
    });
    const created = await call.catch(asFieldError('name', 'serviceKey.duplicate'));
    setKey(created.key);
    await onCreated();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={key ? texts.created.title(name.trim()) : texts.add}
      isHeld={Boolean(key)}
      showsOnce
      isWide
    >
      {key ? (
        <ShownOnce value={key} texts={texts.created} onDone={onClose}>
          <Example serviceKey={key} permissions={[...allowed, ...managed]} />
        </ShownOnce>
      ) : (
        <Form label={texts.add} onSubmit={submit} problem={problem}>
          <TextInput
            name="name"
            label={texts.columns.name}
            description={texts.nameHint}
            value={name}
            error={problem?.fields.name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={64}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            withAsterisk={false}
            data-autofocus
          />
          <Checkbox.Group
            label={texts.columns.permissions}
            value={allowed}
            error={problem?.fields.permissions}
            onChange={(chosen) => setAllowed(serviceKeyPermissions.filter((one) => chosen.includes(one)))}
          >
            <Stack gap="xs" mt="xs">
              {serviceKeyPermissions.map((permission) => (
                <Checkbox
                  key={permission}
                  name="permissions"
                  value={permission}
                  label={texts.permissions[permission].label}
                  description={texts.permissions[permission].hint}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          {isManaging && <ServicePermissions granted={managed} error={problem?.fields.managed} onChange={setManaged} />}
          <FormButtons submit={words.common.create} isBusy={isBusy} />
        </Form>
      )}
    </Dialog>
  );
}

/** A call for each permission that allows one without an input. */
const calls: Readonly<Record<string, string>> = {
  introspect: '/oauth/introspect',
  revocations: '/api/revocations',
  audit: '/api/audit-feed',
  'Pages.Users': '/api/services/app/User/GetAll',
  'pages:maintenance': '/api/services/app/Settings/GetConfigurations',
};

/** A command that makes the first of these calls that the key allows. */
function Example({ serviceKey, permissions }: { serviceKey: string; permissions: readonly string[] }) {
  const [permission, path] = Object.entries(calls).find(([name]) => permissions.includes(name)) ?? [];
  if (path === undefined) return null;
  const form = permission === 'introspect' ? '  --data token=TOKEN \\\n' : '';
  return (
    <>
      <Text size="sm">{words.serviceKeys.created.example}</Text>
      <CodeBlock
        text={`curl --header 'Authorization: Bearer ${serviceKey}' \\\n${form}  ${location.origin}${at(path)}`}
      />
    </>
  );
}
