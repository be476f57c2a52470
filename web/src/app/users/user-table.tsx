// The list of accounts: a table whose headings sort, and cards on a narrow screen.
import { Anchor, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useLocation } from 'react-router';
import { Moment } from '../../ui/moment.tsx';
import { type Choice, type Column, Records } from '../../ui/records.tsx';
import { words } from '../../words/all.ts';
import { Status } from './status.tsx';
import type { User } from './user.ts';
import type { UserSearch } from './user-search.ts';

/** Between these widths, names stand below user names, and the table has no room for the day of creation. */
const CROWDED = '(min-width: 62em) and (max-width: 80em)';

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
  const columns = isCrowded ? toCrowded(columnsOf(search)) : columnsOf(search);
  return (
    <Records
      label={words.users.title}
      columns={columns}
      records={users}
      keyOf={({ id }) => String(id)}
      order={order}
      onOrder={onOrder}
      choice={choice}
      isStale={isStale}
    />
  );
}

/** @param search the query string of the list, to which the page of an account leads back. */
function columnsOf(search: string): readonly Column<User>[] {
  const { columns } = words.users;
  return [
    {
      key: 'userName',
      label: columns.userName,
      width: 17,
      isLead: true,
      isSortable: true,
      cell: ({ id, userName }) => (
        <Anchor component={Link} to={`/users/${id}`} state={{ search }} size="sm" fw={600}>
          {userName}
        </Anchor>
      ),
    },
    {
      key: 'surname',
      label: columns.name,
      width: 16,
      isSortable: true,
      cell: ({ name, surname }) => toText(`${name} ${surname}`.trim()),
    },
    {
      key: 'emailAddress',
      label: columns.addresses,
      width: 22,
      isSortable: true,
      cell: ({ emailAddress, mobileNumber }) =>
        emailAddress === null && mobileNumber === null ? null : (
          <>
            {toText(emailAddress)}
            {toText(mobileNumber)}
          </>
        ),
    },
    { key: 'roleNames', label: columns.roles, width: 12, cell: ({ roleNames }) => toText(roleNames.join(', ')) },
    {
      key: 'lastLoginTime',
      label: columns.lastLogin,
      width: 14,
      isSortable: true,
      cell: ({ lastLoginTime }) => (lastLoginTime === null ? toText(words.users.never) : <Moment at={lastLoginTime} />),
    },
    {
      key: 'creationTime',
      label: columns.created,
      width: 11,
      isSortable: true,
      cell: ({ creationTime }) => <Moment at={creationTime} />,
    },
    { key: 'status', label: columns.status, width: 16, cell: (user) => <Status user={user} /> },
  ];
}

/** The columns of a crowded table, with their widths. */
const crowdedWidths: Readonly<Record<string, number>> = {
  userName: 20,
  emailAddress: 32,
  roleNames: 16,
  lastLoginTime: 17,
  status: 15,
};

function toCrowded(columns: readonly Column<User>[]): Column<User>[] {
  const name = columns.find(({ key }) => key === 'surname');
  return columns.flatMap((column) => {
    const width = crowdedWidths[column.key];
    if (width === undefined) return [];
    if (!column.isLead) return { ...column, width };
    const cell = (user: User) => (
      <>
        {column.cell(user)}
        {name?.cell(user)}
      </>
    );
    return { ...column, width, cell };
  });
}

const toText = (text: string | null) => (text ? <Text size="sm">{text}</Text> : null);
