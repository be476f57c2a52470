// The dialog to add or edit a role. It sends changed members only, so that it does not undo another administrator's change.
import { Alert, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { asFieldError, requireFields } from '../../ui/problem.ts';
import { TagsField } from '../../ui/tags-field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { servicePermissions } from '../me.ts';
import { findChanges } from '../settings/definition.ts';
import { applicationPermissions, type Role, rolesKey } from './role.ts';
import { ServicePermissions } from './service-permissions.tsx';
import type { RoleChange } from './undo.ts';

type Typed = Pick<Role, 'name' | 'displayName' | 'description' | 'grantedPermissions'>;

const toMembers = ({ displayName, description, grantedPermissions }: Typed) => ({
  displayName: displayName.trim(),
  description,
  grantedPermissions,
});

const emptyRole: Typed = { name: '', displayName: '', description: '', grantedPermissions: [] };

/** As the service accepts a permission: visible ASCII characters. */
const permissionPattern = /^[!-~]{1,128}$/;

export function RoleDialog(props: {
  edited: Role | 'new';
  onClose: () => void;
  /** @param change absent for a new role. */
  onSaved: (text: string, change?: RoleChange) => Promise<void>;
}) {
  const { edited, onClose, onSaved } = props;
  const { fields } = words.roles;
  const isNew = edited === 'new';
  const before: Typed = isNew ? emptyRole : edited;
  const [typed, setTyped] = useState(before);
  const own = applicationPermissions(typed.grantedPermissions);
  const { submit, isBusy, problem } = useSubmit(async () => {
    const name = typed.name.trim();
    requireFields({
      ...(name === '' && { name: words.common.required }),
      ...(!own.every((one) => permissionPattern.test(one)) && { grantedPermissions: fields.wrongPermission }),
    });
    const members = toMembers(typed);
    const text = words.roles.saved(name);
    if (isNew) {
      await latchkey.call('Role/Create', { name, ...members }).catch(asFieldError('name', 'role.duplicate'));
      return onSaved(text);
    }
    const { id } = edited;
    const present = await latchkey.call('Role/Get', { id });
    const after = findChanges(toMembers(before), members, toMembers(present));
    await latchkey.call('Role/Update', { id, ...after });
    return onSaved(text, { id, before: present, after });
  });
  const field = (name: 'name' | 'displayName' | 'description', maxLength: number) => ({
    name,
    maxLength,
    label: fields[name],
    value: typed[name],
    autoComplete: 'off',
    error: problem?.fields[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  });
  const title = isNew ? words.roles.add : words.roles.editOne(edited.name);
  return (
    <Dialog isOpen onClose={onClose} title={title} isWide>
      <Form label={title} onSubmit={submit} problem={problem}>
        {!isNew && edited.isStatic && (
          <Alert color="blue" variant="light">
            {words.roles.protected}
          </Alert>
        )}
        {isNew && (
          <TextInput
            {...field('name', 100)}
            description={fields.nameHint}
            required
            withAsterisk={false}
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
          />
        )}
        <TextInput {...field('displayName', 100)} description={fields.displayNameHint} />
        <Textarea {...field('description', 500)} autosize minRows={2} />
        <ServicePermissions
          granted={typed.grantedPermissions}
          isFixed={!isNew && edited.isStatic}
          onChange={(granted) => setTyped({ ...typed, grantedPermissions: [...granted, ...own] })}
        />
        <ApplicationPermissions
          value={own}
          error={problem?.fields.grantedPermissions}
          onChange={(names) => {
            const kept = servicePermissions.filter((one) => typed.grantedPermissions.includes(one));
            setTyped({ ...typed, grantedPermissions: [...kept, ...applicationPermissions(names)] });
          }}
        />
        <FormButtons submit={isNew ? words.common.create : words.common.save} isBusy={isBusy} />
      </Form>
    </Dialog>
  );
}

function ApplicationPermissions(props: {
  value: string[];
  error: string | undefined;
  onChange: (names: string[]) => void;
}) {
  const { value, error, onChange } = props;
  const { data } = useQuery({
    queryKey: [...rolesKey, 'permissions'],
    queryFn: () => latchkey.call('Role/GetAllPermissions'),
  });
  return (
    <TagsField
      name="grantedPermissions"
      label={words.roles.fields.applicationPermissions}
      description={words.roles.fields.applicationPermissionsHint}
      data={applicationPermissions((data?.items ?? []).map(({ name }) => name))}
      limit={20}
      maxTags={190}
      maxLength={128}
      value={value}
      error={error}
      // Below it are the buttons of the dialog.
      comboboxProps={{ position: 'top' }}
      onChange={onChange}
    />
  );
}
