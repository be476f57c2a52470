// The page "Audit trail": the entries, newest first, with filters.
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { words } from '../../words/index.ts';
import { AuditTable } from './audit-table.tsx';

const SIZE = 25;
/** The greatest number that the service counts to. It returns no page beyond. */
const MOST = 10_000;
const filters = ['userId', 'action', 'outcome', 'ipAddress', 'from', 'to'] as const;

export function AuditPage() {
  const [search, setSearch] = useSearchParams();
  const page = Number(search.get('page')) || 1;
  const given = Object.fromEntries(filters.map((name) => [name, search.get(name) ?? '']));
  const beforeId = search.get('beforeId') ?? '';
  const input = {
    ...toInput(given),
    ...(beforeId && { beforeId: Number(beforeId) }),
    skipCount: (page - 1) * SIZE,
    maxResultCount: SIZE,
  };
  const entries = useQuery({
    queryKey: ['audit', input],
    queryFn: () => latchkey.call('Audit/GetAll', input),
    placeholderData: keepPreviousData,
  });
  const show = (next: Record<string, string>) =>
    setSearch(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')));
  return (
    <Page title={words.audit.title}>
      <Filters given={given} onChange={show} />
      {entries.isPending && <Loading />}
      {entries.error && <LoadFailure error={entries.error} retry={entries.refetch} />}
      {entries.data && (
        <>
          {entries.data.items.length === 0 ? (
            <Empty>{words.audit.empty}</Empty>
          ) : (
            <AuditTable entries={entries.data.items} />
          )}
          <Pager
            page={page}
            size={SIZE}
            total={entries.data.totalCount}
            most={MOST}
            onChange={(next) => show({ ...given, beforeId, page: String(next) })}
          />
          {page * SIZE >= Math.min(entries.data.totalCount, MOST) && (
            <Older found={entries.data} onShow={(id) => show({ ...given, beforeId: String(id) })} />
          )}
        </>
      )}
    </Page>
  );
}

/** The button for older entries, after the last page, if the service has not counted or searched all entries. */
function Older({ found, onShow }: { found: Calls['Audit/GetAll']['result']; onShow: (beforeId: number) => void }) {
  const { items, totalCount, searchedTo } = found;
  const beforeId = searchedTo ?? (totalCount > MOST ? items.at(-1)?.id : undefined);
  if (beforeId === undefined) return null;
  return (
    <Stack gap="xs" align="flex-start">
      {searchedTo !== null && <Text size="sm">{words.audit.stopped}</Text>}
      <Button variant="default" onClick={() => onShow(beforeId)}>
        {words.audit.older}
      </Button>
    </Stack>
  );
}

/** Returns the input of the call. Days in the reader's time zone become times. */
function toInput(given: Readonly<Record<string, string>>) {
  const { userId, action, outcome, ipAddress, from, to } = given;
  const endOf = (day: string) => new Date(new Date(`${day}T00:00`).getTime() + 86_400_000);
  return {
    ...(userId && { userId: Number(userId) }),
    ...(action && { action }),
    ...(outcome && { outcome }),
    ...(ipAddress && { ipAddress }),
    ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { to: endOf(to).toISOString() }),
  };
}

function Filters({
  given,
  onChange,
}: {
  given: Record<string, string>;
  onChange: (next: Record<string, string>) => void;
}) {
  const [typed, setTyped] = useState(given);
  const field = (name: (typeof filters)[number]) => ({
    label: words.audit.columns[name],
    value: typed[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  });
  return (
    <form
      aria-label={words.audit.filter}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed);
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput {...field('action')} flex="1 1 150px" />
        <Select
          label={words.audit.columns.outcome}
          data={Object.entries(words.audit.outcomes).map(([value, label]) => ({ value, label }))}
          value={typed.outcome || null}
          onChange={(outcome) => setTyped({ ...typed, outcome: outcome ?? '' })}
          clearable
          clearButtonProps={{ 'aria-label': words.audit.clear }}
          flex="1 1 130px"
        />
        <TextInput {...field('userId')} inputMode="numeric" pattern="[0-9]*" flex="1 1 90px" />
        <TextInput {...field('ipAddress')} flex="1 1 130px" />
        <TextInput {...field('from')} type="date" flex="1 1 140px" maw={{ sm: 170 }} />
        <TextInput {...field('to')} type="date" flex="1 1 140px" maw={{ sm: 170 }} />
        <Button type="submit" variant="default">
          {words.audit.filter}
        </Button>
      </Group>
    </form>
  );
}
