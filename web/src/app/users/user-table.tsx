// The list of accounts: a table whose headings sort, and rows with what matters most on a narrow screen.
import { Anchor, Box, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useLocation } from 'react-router';
import { Line } from '../../ui/line.tsx';
import { Moment } from '../../ui/moment.tsx';
import { type Choice, type Column, Records } from '../../ui/records.tsx';
import { words } from '../../words/more.ts';
import { Initials } from './initials.tsx';
import { Status } from './status.tsx';
import { displayName, type User } from './user.ts';
import type { UserSearch } from './user-search.ts';

/** Below this width, the table has no room for mobile numbers and the day of creation. */
const CROWDED = '(max-width: 90em)';

export function UserTable(props: {
  users: readonly User[];
  order: UserSearch['order'];
  onOrder: (order: UserSearch['order']) => void;
  choice: Choice<User>;
  isStale: boolean;
}) {
  const { users, order, onOrder, choice, isStale } = props;
  const { search } = useLocation();
  const isCrowded = useMediaQuery(CROWDED, undefined, { getInitialValueInEffect: false });
  const columns = columnsOf(search).filter(({ isOptional }) => !(isCrowded && isOptional));
  return (
    <Records
      label={words.users.title}
      columns={columns}
      records={users}
      keyOf={({ id }) => String(id)}
      order={order}
      onOrder={onOrder}
      choice={choice}
      row={(user) => <Row user={user} search={search} />}
      isStale={isStale}
    />
  );
}

/** @param search the query string of the list, to which the page of an account leads back. */
export function columnsOf(search: string): readonly (Column<User> & { isOptional?: true })[] {
  const { columns } = words.users;
  return [
    {
      key: 'userName',
      label: columns.userName,
      width: 15,
      isSortable: true,
      cell: (user) => (
        <Group gap="sm" wrap="nowrap">
          <Initials user={user} />
          <Anchor
            component={Link}
            to={`/users/${user.id}`}
            state={{ search }}
            size="sm"
            fw={500}
            truncate
            title={user.userName}
          >
            {user.userName}
          </Anchor>
        </Group>
      ),
    },
    {
      key: 'surname',
      label: columns.name,
      width: 14,
      isSortable: true,
      cell: ({ name, surname }) => <Line text={`${name} ${surname}`.trim()} />,
    },
    {
      key: 'emailAddress',
      label: columns.emailAddress,
      width: 19,
      isSortable: true,
      cell: ({ emailAddress }) => <Line text={emailAddress} />,
    },
    {
      key: 'mobileNumber',
      label: columns.mobileNumber,
      width: 11,
      isOptional: true,
      cell: ({ mobileNumber }) => <Line text={mobileNumber} />,
    },
    {
      key: 'roleNames',
      label: columns.roles,
      width: 11,
      cell: ({ roleNames }) => <Line text={roleNames.join(', ')} />,
    },
    {
      key: 'lastLoginTime',
      label: columns.lastLogin,
      width: 10,
      isSortable: true,
      cell: ({ lastLoginTime }) =>
        lastLoginTime === null ? <Line text={words.users.never} c="dimmed" /> : <Moment at={lastLoginTime} />,
    },
    {
      key: 'creationTime',
      label: columns.created,
      width: 8,
      isOptional: true,
      isSortable: true,
      cell: ({ creationTime }) => <Moment at={creationTime} />,
    },
    { key: 'status', label: columns.status, width: 16, cell: (user) => <Status user={user} /> },
  ];
}

/** Name, address and exceptions: all that a narrow screen has room for in one row. */
function Row({ user, search }: { user: User; search: string }) {
  return (
    <>
      <Initials user={user} size={36} />
      <Box flex={1} miw={0} py="xs">
        <Anchor
          component={Link}
          to={`/users/${user.id}`}
          state={{ search }}
          size="sm"
          fw={500}
          truncate
          display="block"
          title={displayName(user)}
        >
          {displayName(user)}
        </Anchor>
        <Line text={user.emailAddress ?? user.mobileNumber ?? user.userName} size="xs" c="dimmed" />
      </Box>
      <Box maw="40%">
        <Status user={user} />
      </Box>
    </>
  );
}
