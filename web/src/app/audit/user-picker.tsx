// The filter by user: found by a part of the name, or by id for readers who may not see users.
import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { describeProblem } from '../../ui/problem.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { words } from '../../words/all.ts';
import { may, useMe } from '../me.ts';
import { displayName, toKeyword, type User } from '../users/user.ts';

/** The most users of the list. */
const MOST = 8;

/** Typing settles for this long before the service is asked, in milliseconds. */
const SETTLED_MS = 200;

type PickerProps = { value: string; onChange: (userId: string, options?: { replace: boolean }) => void };

export function UserPicker(props: PickerProps) {
  return may(useMe(), 'Pages.Users') ? <ByName {...props} /> : <ById {...props} />;
}

const includes = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase());

const toOption = (user: User) => ({ value: String(user.id), label: `${displayName(user)} (${user.userName})` });

function ByName({ value, onChange }: PickerProps) {
  const { filters, userOf } = words.audit;
  const [typed, setTyped] = useState('');
  const [keyword] = useDebouncedValue(toKeyword(typed), SETTLED_MS);
  const chosen = useChosen(value);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['audit', 'users', keyword],
    queryFn: () => latchkey.call('User/GetAll', { keyword, maxResultCount: MOST }),
    placeholderData: keepPreviousData,
  });
  const isStale = isPlaceholderData || keyword !== toKeyword(typed);
  // Of the former answer, only what matches may be chosen.
  const found = (data?.items ?? []).map(toOption).filter(({ label }) => !isStale || includes(label, typed));
  const own =
    value === '' || found.some((one) => one.value === value) ? [] : [{ value, label: chosen ?? userOf(Number(value)) }];
  return (
    <Select
      label={filters.userId}
      placeholder={filters.anyUser}
      data={[...own, ...found]}
      // The service has searched.
      filter={({ options }) => options}
      searchable
      onSearchChange={(text) => setTyped(text === chosen ? '' : text)}
      nothingFoundMessage={error ? describeProblem(error).message : isStale ? words.common.loading : filters.noUser}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      clearable
      clearButtonProps={{ 'aria-label': words.audit.filtering.remove(filters.userId) }}
    />
  );
}

/** Returns the name of the chosen user. `undefined` while it loads, and for a deleted user. */
function useChosen(value: string): string | undefined {
  const { data } = useQuery({
    queryKey: ['audit', 'user', value],
    queryFn: () => latchkey.call('User/Get', { id: Number(value) }),
    enabled: value !== '',
    retry: false,
  });
  return data && toOption(data).label;
}

function ById({ value, onChange }: PickerProps) {
  const { filters } = words.audit;
  const [typed, setTyped] = useTyped(value, (text) => onChange(text, { replace: true }), isId);
  return (
    <TextInput
      label={filters.userId}
      placeholder={filters.userIdHint}
      inputMode="numeric"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      error={isId(typed) ? undefined : filters.wrongId}
    />
  );
}

const isId = (text: string) => /^([1-9]\d{0,14})?$/.test(text.trim());
