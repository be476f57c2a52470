// The page "Users": all accounts. The service searches, filters, sorts and pages; the query string holds the search.
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { NARROW, OrderChoice } from '../../ui/records.tsx';
import { words } from '../../words/all.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { useSelection } from './bulk/use-selection.ts';
import { usersKey } from './user.ts';
import { filters, pick, toFilter, toInput, type UserSearch, useUserSearch } from './user-search.ts';
import { columnsOf, UserTable } from './user-table.tsx';

/** Two buttons fit beside each other on a narrow screen. */
const narrowPadding = { base: 'sm', sm: 'lg' } as const;

/** The pause in typing after which the search starts. */
const PAUSE_MS = 300;

export function UserList() {
  const [search, setSearch] = useUserSearch();
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
      <Filters search={search} onChange={setSearch} />
      {isPending && <Loading rows={8} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && !error && (
        <>
          {data.items.length === 0 ? (
            <Empty>{words.users.empty}</Empty>
          ) : (
            <UserTable
              users={data.items}
              order={search.order}
              onOrder={(order) => setSearch({ ...search, order, page: 1 })}
              choice={choice}
              isStale={isStale}
            />
          )}
          <Pager
            page={search.page}
            size={search.size}
            total={data.totalCount}
            describe={words.users.total}
            onChange={(page) => setSearch({ ...search, page })}
            onSize={(size) => setSearch({ ...search, size, page: 1 })}
          />
          <BulkBar {...selection} />
        </>
      )}
    </Page>
  );
}

/** The query of the export: what the list finds. */
function toExport(search: UserSearch): Record<string, string> {
  const { keyword, isActive } = toFilter(search);
  return { ...(keyword && { keyword }), ...(isActive !== undefined && { isActive: String(isActive) }) };
}

type SearchProps = { search: UserSearch; onChange: (search: UserSearch) => void };

/** On a narrow screen, a button opens all but the text to search for. */
function Filters({ search, onChange }: SearchProps) {
  const { users } = words;
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [isOpen, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState(search.keyword);
  // The browser's back and forward buttons change the search.
  useEffect(() => setTyped(search.keyword), [search.keyword]);
  const find = useDebouncedCallback((keyword: string) => onChange({ ...search, keyword, page: 1 }), PAUSE_MS);
  return (
    <Group component="search" align="flex-end" gap="sm" wrap="nowrap">
      <TextInput
        type="search"
        label={users.search}
        placeholder={users.searchHint}
        maxLength={100}
        flex="1 1 auto"
        maw={420}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          find(event.currentTarget.value);
        }}
      />
      {isNarrow ? (
        <Button variant={search.filter === filters[0] ? 'default' : 'light'} onClick={open} flex="none">
          {users.filterButton}
        </Button>
      ) : (
        <StateChoice search={search} onChange={onChange} />
      )}
      <Dialog isOpen={isOpen && isNarrow === true} onClose={close} title={users.filterButton}>
        <Stack gap="md">
          <StateChoice search={search} onChange={onChange} />
          <OrderChoice
            columns={columnsOf('')}
            order={search.order}
            onOrder={(order) => onChange({ ...search, order, page: 1 })}
          />
          <Button onClick={close}>{words.common.close}</Button>
        </Stack>
      </Dialog>
    </Group>
  );
}

const StateChoice = ({ search, onChange }: SearchProps) => (
  <NativeSelect
    label={words.users.filter}
    data={filters.map((value) => ({ value, label: words.users.filters[value] }))}
    value={search.filter}
    onChange={(event) => onChange({ ...search, filter: pick(filters, event.currentTarget.value), page: 1 })}
  />
);
