// The page "Users": all accounts. The service searches, filters, sorts and pages; the query string holds the search.
import { Button, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { words } from '../../words/more.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { useSelection } from './bulk/use-selection.ts';
import { usersKey } from './user.ts';
import { Filters } from './user-filters.tsx';
import { toFilter, toInput, type UserSearch, useUserSearch } from './user-search.ts';
import { UserTable } from './user-table.tsx';

/** Two buttons fit beside each other on a narrow screen. */
const narrowPadding = { base: 'sm', sm: 'lg' } as const;

export function UserList() {
  const [search, changeSearch] = useUserSearch();
  const input = toInput(search);
  const {
    data,
    error,
    isPending,
    isPlaceholderData: isStale,
    refetch,
  } = useQuery({
    queryKey: [...usersKey, input],
    queryFn: () => latchkey.call('User/GetAll', input),
    placeholderData: keepPreviousData,
  });
  const { choice, ...selection } = useSelection(data, input, isStale);
  const { exports } = words.users;
  const here = { state: { search: location.search } };
  const actions = (
    <Group gap="xs">
      <ExportMenu
        call="User/Export"
        query={toExport(search)}
        fileName="users"
        total={data?.totalCount}
        texts={{ ...exports, running: (done, total = done) => exports.running(done, total) }}
      />
      <Button component={Link} to="/users/import" {...here} variant="default" px={narrowPadding}>
        {words.users.imports.open}
      </Button>
      <Button component={Link} to="/users/new" {...here} px={narrowPadding}>
        {words.users.create}
      </Button>
    </Group>
  );
  return (
    <Page title={words.users.title} actions={actions}>
      <Filters search={search} onChange={changeSearch} />
      {isPending && <Loading rows={8} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && (
        <>
          {data.items.length === 0 ? (
            <Empty>{words.users.empty}</Empty>
          ) : (
            <UserTable
              users={data.items}
              order={search.order}
              onOrder={(order) => changeSearch({ order, page: 1 })}
              choice={choice}
              isStale={isStale}
            />
          )}
          <Pager
            page={search.page}
            size={search.size}
            total={data.totalCount}
            describe={words.users.total}
            onChange={(page) => changeSearch({ page })}
            onSize={(size) => changeSearch({ size, page: 1 })}
          />
        </>
      )}
      <BulkBar {...selection} />
    </Page>
  );
}

/** The query of the export: what the list finds. */
const toExport = (search: UserSearch) =>
  Object.fromEntries(Object.entries(toFilter(search)).map(([name, value]) => [name, String(value)]));
