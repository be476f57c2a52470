// The permissions of this service, to choose those that a role or a service key gets.
import { Checkbox, Stack } from '@mantine/core';
import { words } from '../../words/more.ts';
import { may, type ServicePermission, servicePermissions, useMe } from '../me.ts';

/** @param props.isFixed whether they belong to a role: what a built-in role grants here never changes. */
export function ServicePermissions(props: {
  granted: readonly string[];
  isFixed?: boolean;
  error?: string | undefined;
  onChange: (granted: ServicePermission[]) => void;
}) {
  const { granted, isFixed = false, error, onChange } = props;
  const me = useMe();
  return (
    <Checkbox.Group
      label={words.roles.fields.servicePermissions}
      description={words.roles.fields.servicePermissionsHint}
      value={servicePermissions.filter((one) => granted.includes(one))}
      error={error}
      onChange={(chosen) => onChange(servicePermissions.filter((one) => chosen.includes(one)))}
    >
      <Stack gap="xs" mt="xs">
        {servicePermissions.map((permission) => (
          <Checkbox
            key={permission}
            value={permission}
            label={words.roles.permissions[permission].label}
            description={words.roles.permissions[permission].hint}
            disabled={isFixed || !may(me, permission)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
