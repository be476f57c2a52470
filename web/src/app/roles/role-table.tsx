// The table of roles. A narrow screen shows what a role grants under its name.
import { Button, Group, List, Paper, Stack, Table, Text } from '@mantine/core';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { translate, words } from '../../words/index.ts';
import { may, useMe } from '../me.ts';
import { applicationPermissions, isCovered, type Role, servicePermissions } from './role.ts';

/** Long names wrap within their column. */
const wrap = { overflowWrap: 'anywhere' } as const;

/** The most names of applications that a row shows. */
const MOST_NAMES = 10;

export function RoleTable(props: {
  roles: readonly Role[];
  onEdit: (role: Role) => void;
  onRemove: (role: Role) => void;
}) {
  const { columns } = words.roles;
  const me = useMe();
  const isMaintainer = may(me, 'pages:maintenance');
  return (
    <Paper withBorder>
      <Table layout="fixed" verticalSpacing="xs" aria-label={words.roles.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.name}</Table.Th>
            <Table.Th visibleFrom="sm">{columns.grants}</Table.Th>
            {isMaintainer && <Table.Th w={130}>{columns.actions}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {props.roles.map((role) => (
            <Table.Tr key={role.id} style={{ verticalAlign: 'top' }}>
              <Table.Td style={wrap}>
                <Stack gap={4} align="flex-start">
                  <Text fw={600}>{role.name}</Text>
                  {role.displayName !== role.name && <Text size="sm">{role.displayName}</Text>}
                  {role.isStatic && <StatusBadge colour="gray">{words.roles.builtIn}</StatusBadge>}
                  <Text size="sm" c="dimmed">
                    {translate(words.roles.descriptions, role.description)}
                  </Text>
                  <Stack gap={4} hiddenFrom="sm">
                    <Grants role={role} />
                  </Stack>
                </Stack>
              </Table.Td>
              <Table.Td visibleFrom="sm" style={wrap}>
                <Grants role={role} />
              </Table.Td>
              {isMaintainer && <Table.Td>{isCovered(me, role) && <Actions {...props} role={role} />}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
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
        <List size="sm" withPadding={false}>
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

function Actions({ role, onEdit, onRemove }: { role: Role } & Omit<Parameters<typeof RoleTable>[0], 'roles'>) {
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={() => onEdit(role)} aria-label={words.roles.editOne(role.name)}>
        {words.roles.edit}
      </Button>
      {!role.isStatic && (
        <Button
          size="xs"
          variant="default"
          onClick={() => onRemove(role)}
          aria-label={words.roles.removeTitle(role.name)}
        >
          {words.roles.remove}
        </Button>
      )}
    </Group>
  );
}
