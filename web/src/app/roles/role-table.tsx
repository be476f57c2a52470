// The list of roles: what each is called, and what it grants.
import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { DangerButton } from '../../ui/danger-button.tsx';
import { readLocale } from '../../ui/format.ts';
import { type Column, Records } from '../../ui/records.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { translate, words } from '../../words/more.ts';
import { may, servicePermissions, useMe } from '../me.ts';
import { applicationPermissions, isCovered, type Role } from './role.ts';

/** The most names of applications that a row shows. */
const MOST_NAMES = 10;

type Handlers = { readonly onEdit: (role: Role) => void; readonly onRemove: (role: Role) => void };
type Count = (role: Role) => number | undefined;

export function RoleTable(props: Handlers & { roles: readonly Role[]; isStale: boolean; countUsers: Count }) {
  const { roles, isStale, countUsers, ...handlers } = props;
  const { columns, title } = words.roles;
  const me = useMe();
  const mayChange = may(me, 'pages:maintenance');
  const list: Column<Role>[] = [
    {
      key: 'name',
      label: columns.name,
      isLead: true,
      cell: (role) => <Name role={role} {...(isCovered(me, role) && mayChange && { onEdit: handlers.onEdit })} />,
    },
    { key: 'users', label: columns.users, width: 10, cell: (role) => <Users role={role} count={countUsers(role)} /> },
    { key: 'grants', label: columns.grants, cell: (role) => <Grants role={role} /> },
  ];
  const actions: Column<Role> = {
    key: 'actions',
    label: columns.actions,
    width: 24,
    isLead: true,
    cell: (role) => (isCovered(me, role) ? <Actions {...handlers} role={role} /> : null),
  };
  return (
    <Records
      label={title}
      columns={mayChange ? [...list, actions] : list}
      records={roles}
      keyOf={({ id }) => String(id)}
      isStale={isStale}
    />
  );
}

/** @param props.onEdit absent if the reader may not change the role. */
function Name({ role, onEdit }: { role: Role; onEdit?: Handlers['onEdit'] }) {
  const { name, displayName, description, isStatic } = role;
  return (
    <Stack gap={4} align="flex-start">
      {onEdit ? (
        <Anchor component="button" type="button" size="sm" fw={600} ta="start" onClick={() => onEdit(role)}>
          {name}
        </Anchor>
      ) : (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      )}
      {displayName !== name && <Text size="sm">{displayName}</Text>}
      {isStatic && <StatusBadge colour="gray">{words.roles.builtIn}</StatusBadge>}
      {description && (
        <Text size="sm" c="dimmed">
          {translate(words.roles.descriptions, description)}
        </Text>
      )}
    </Stack>
  );
}

/** How many have the role, as a link to them. */
function Users({ role: { name }, count }: { role: Role; count: number | undefined }) {
  if (count === undefined) return null;
  return (
    <Anchor
      component={Link}
      to={`/users?${new URLSearchParams({ role: name })}`}
      size="sm"
      aria-label={words.roles.usersOf(name, count)}
    >
      {new Intl.NumberFormat(readLocale()).format(count)}
    </Anchor>
  );
}

/** What the role grants: permissions of this service in words, those of applications by their names. */
function Grants({ role: { grantedPermissions } }: { role: Role }) {
  const here = servicePermissions.filter((one) => grantedPermissions.includes(one));
  const others = applicationPermissions(grantedPermissions);
  const hidden = others.length - MOST_NAMES;
  if (grantedPermissions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {words.roles.grantsNothing}
      </Text>
    );
  }
  return (
    <>
      {here.length > 0 && (
        <List size="sm" listStyleType="none">
          {here.map((one) => (
            <List.Item key={one}>{words.roles.permissions[one].label}</List.Item>
          ))}
        </List>
      )}
      {others.length > 0 && (
        <Text size="sm">
          {words.roles.inApplications} {others.slice(0, MOST_NAMES).join(', ')}
          {hidden > 0 && ` ${words.roles.more(hidden)}`}
        </Text>
      )}
    </>
  );
}

function Actions({ role, onEdit, onRemove }: Handlers & { role: Role }) {
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={() => onEdit(role)} aria-label={words.roles.editOne(role.name)}>
        {words.roles.edit}
      </Button>
      {!role.isStatic && (
        <DangerButton size="xs" onClick={() => onRemove(role)} aria-label={words.roles.removeTitle(role.name)}>
          {words.roles.remove}
        </DangerButton>
      )}
    </Group>
  );
}
