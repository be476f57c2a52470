// The table of accounts. A narrow screen shows the main columns only.
import { Anchor, Paper, Table, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { formatTime } from '../../ui/format.ts';
import { words } from '../../words/index.ts';
import { Status } from './status.tsx';
import type { User } from './user.ts';

/** Long names wrap within their column. */
const wrap = { overflowWrap: 'anywhere' } as const;

export function UserTable({ users }: { users: readonly User[] }) {
  const { columns } = words.users;
  return (
    <Paper withBorder>
      <Table layout="fixed" verticalSpacing="xs" aria-label={words.users.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="22%">{columns.userName}</Table.Th>
            <Table.Th w="26%" visibleFrom="md">
              {columns.addresses}
            </Table.Th>
            <Table.Th w="17%" visibleFrom="md">
              {columns.roles}
            </Table.Th>
            <Table.Th w="14%" visibleFrom="md">
              {columns.lastLogin}
            </Table.Th>
            <Table.Th w="21%">{columns.status}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function UserRow({ user }: { user: User }) {
  const { search } = useLocation();
  const { id, userName, name, surname, emailAddress, mobileNumber, roleNames, lastLoginTime } = user;
  return (
    <Table.Tr>
      <Table.Td style={wrap}>
        <Anchor component={Link} to={`/users/${id}`} state={{ search }} fw={600}>
          {userName}
        </Anchor>
        <Text size="sm" c="dimmed">
          {`${name} ${surname}`.trim()}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md" style={wrap}>
        <Text size="sm">{emailAddress}</Text>
        <Text size="sm">{mobileNumber}</Text>
      </Table.Td>
      <Table.Td visibleFrom="md" style={wrap}>
        <Text size="sm">{roleNames.join(', ')}</Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm">{lastLoginTime === null ? words.users.never : formatTime(lastLoginTime)}</Text>
      </Table.Td>
      <Table.Td>
        <Status user={user} />
      </Table.Td>
    </Table.Tr>
  );
}
