// The page "Users": all accounts. The service searches, filters, sorts and pages; the query string holds the search.
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { words } from '../../words/index.ts';
import { usersKey } from './user.ts';
import { filters, pick, sorts, toInput, type UserSearch, useUserSearch } from './user-search.ts';
import { UserTable } from './user-table.tsx';

const SIZE = 25;

/** On a narrow screen, both selects share a line. */
const select = { base: '1 1 110px', sm: '0 1 auto' };

/** The pause in typing after which the search starts. */
const PAUSE_MS = 300;

export function UserList() {
  const [search, setSearch] = useUserSearch();
  const input = toInput(search, SIZE);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...usersKey, input],
    queryFn: () => latchkey.call('User/GetAll', input),
    placeholderData: keepPreviousData,
  });
  const create = (
    <Button component={Link} to="/users/new" state={{ search: location.search }}>
      {words.users.create}
    </Button>
  );
  return (
    <Page title={words.users.title} actions={create}>
      <Filters search={search} onChange={setSearch} />
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && !error && (
        <>
          {data.items.length === 0 ? <Empty>{words.users.empty}</Empty> : <UserTable users={data.items} />}
          <Pager
            page={search.page}
            size={SIZE}
            total={data.totalCount}
            onChange={(page) => setSearch({ ...search, page })}
          />
        </>
      )}
    </Page>
  );
}

function Filters({ search, onChange }: { search: UserSearch; onChange: (search: UserSearch) => void }) {
  const { users } = words;
  const [typed, setTyped] = useState(search.keyword);
  // The browser's back and forward buttons change the search.
  useEffect(() => setTyped(search.keyword), [search.keyword]);
  const find = useDebouncedCallback((keyword: string) => onChange({ ...search, keyword, page: 1 }), PAUSE_MS);
  return (
    <Group component="search" align="flex-end" gap="sm">
      <TextInput
        type="search"
        label={users.search}
        placeholder={users.searchHint}
        maxLength={100}
        flex="1 1 220px"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          find(event.currentTarget.value);
        }}
      />
      <NativeSelect
        label={users.filter}
        flex={select}
        data={filters.map((value) => ({ value, label: users.filters[value] }))}
        value={search.filter}
        onChange={(event) => onChange({ ...search, filter: pick(filters, event.currentTarget.value), page: 1 })}
      />
      <NativeSelect
        label={users.sort}
        flex={select}
        data={sorts.map((value) => ({ value, label: users.sorts[value] }))}
        value={search.sort}
        onChange={(event) => onChange({ ...search, sort: pick(sorts, event.currentTarget.value), page: 1 })}
      />
    </Group>
  );
}
