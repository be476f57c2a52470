// The filters of the list of accounts: a text to search for, a form behind a button, and chips that show what is set.
import { Button, Checkbox, Group, NativeSelect, Popover, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { ListFilter, X } from 'lucide-react';
import { Dialog } from '../../ui/dialog.tsx';
import { formatDay } from '../../ui/format.ts';
import { NARROW, OrderChoice } from '../../ui/records.tsx';
import { useTyped } from '../../ui/use-typed.ts';
import { words } from '../../words/more.ts';
import { isDay, startOf } from '../audit/audit-search.ts';
import { useRoles } from '../roles/role.ts';
import { LONGEST_KEYWORD } from './user.ts';
import { factors, flags, noFilter, pick, states, type UserFilter, type UserSearch } from './user-search.ts';
import { columnsOf } from './user-table.tsx';

type SearchProps = { search: UserSearch; onChange: (changes: Partial<UserSearch>) => void };

/** On a narrow screen, the button opens a sheet, which also sorts. */
export function Filters({ search, onChange }: SearchProps) {
  const { users } = words;
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [isOpen, { toggle, close: hide }] = useDisclosure();
  const close = () => {
    // A day applies when its field loses the focus.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    hide();
  };
  const form = <FilterForm search={search} onChange={onChange} />;
  const button = (
    <Button
      variant="default"
      flex="none"
      leftSection={<ListFilter size={16} aria-hidden />}
      onClick={toggle}
      aria-expanded={isOpen}
    >
      {isNarrow ? users.filterButton : users.filter}
    </Button>
  );
  return (
    <Stack component="search" gap="xs">
      <Group align="flex-end" gap="sm">
        <Keyword search={search} onChange={onChange} />
        {isNarrow ? (
          button
        ) : (
          <Popover opened={isOpen} onChange={close} position="bottom-start" width={360} trapFocus returnFocus>
            <Popover.Target>{button}</Popover.Target>
            <Popover.Dropdown aria-label={users.filter}>{form}</Popover.Dropdown>
          </Popover>
        )}
      </Group>
      <Chips search={search} onChange={onChange} />
      <Dialog isOpen={isOpen && isNarrow === true} onClose={close} title={users.filterButton}>
        <Stack gap="md">
          {form}
          <OrderChoice columns={columnsOf('')} order={search.order} onOrder={(order) => onChange({ order, page: 1 })} />
          <Group grow className="dialog-buttons">
            <Button onClick={close}>{words.common.close}</Button>
          </Group>
        </Stack>
      </Dialog>
    </Stack>
  );
}

function Keyword({ search, onChange }: SearchProps) {
  const { users } = words;
  const [typed, type] = useTyped(search.keyword, (keyword) => onChange({ keyword, page: 1 }));
  return (
    <TextInput
      type="search"
      label={users.search}
      placeholder={users.searchHint}
      maxLength={LONGEST_KEYWORD}
      flex="1 1 180px"
      maw={420}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/** Each choice applies at once. */
function FilterForm({ search, onChange }: SearchProps) {
  const { users } = words;
  const { labels } = users;
  const known = useRoles().map(({ name }) => name);
  // A role of the address may be one of the many that the call does not return.
  const roles = search.role === '' || known.includes(search.role) ? known : [...known, search.role];
  const set = (changes: Partial<UserFilter>) => onChange({ ...changes, page: 1 });
  const day = (name: 'since' | 'from' | 'to') => (
    <Day label={labels[name]} value={search[name]} onChange={(value) => set({ [name]: value })} />
  );
  return (
    <Stack gap="sm">
      <NativeSelect
        label={labels.state}
        data={states.map((value) => ({ value, label: users.states[value] }))}
        value={search.state}
        onChange={({ currentTarget }) => set({ state: pick(states, currentTarget.value) })}
      />
      <NativeSelect
        label={labels.role}
        data={[{ value: '', label: users.anyRole }, ...roles]}
        value={search.role}
        onChange={({ currentTarget }) => set({ role: currentTarget.value })}
      />
      <NativeSelect
        label={labels.factor}
        data={factors.map((value) => ({ value, label: users.factorStates[value] }))}
        value={search.factor}
        onChange={({ currentTarget }) => set({ factor: pick(factors, currentTarget.value) })}
      />
      {flags.map((flag) => (
        <Checkbox
          key={flag}
          label={users.flags[flag]}
          checked={search[flag]}
          onChange={({ currentTarget }) => set({ [flag]: currentTarget.checked })}
        />
      ))}
      {day('since')}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {day('from')}
        {day('to')}
      </SimpleGrid>
    </Stack>
  );
}

/** While the year is typed, each digit makes a valid day of the first centuries. Browsers take more than four. */
const isWhole = (day: string) => day === '' || (isDay(day) && day >= '1000');

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  const [typed, type, settle] = useTyped(value, onChange, isWhole);
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      // A day of which a part is missing is told as none.
      onChange={({ currentTarget }) => currentTarget.validity.badInput || type(currentTarget.value)}
      onBlur={({ currentTarget }) => {
        if (currentTarget.validity.badInput) currentTarget.value = typed;
        settle();
      }}
    />
  );
}

type Chip = { readonly label: string; readonly removed: Partial<UserFilter> };

/** Returns what is set, in the order of the form. */
function findChips({ state, role, factor, since, from, to, ...search }: UserSearch): Chip[] {
  const { users } = words;
  const day = (text: string) => formatDay(startOf(text));
  const all: (Chip & { isSet: boolean })[] = [
    { isSet: state !== 'all', label: users.states[state], removed: { state: noFilter.state } },
    { isSet: role !== '', label: users.chips.role(role), removed: { role: '' } },
    { isSet: factor !== 'any', label: users.chips.factor[factor], removed: { factor: noFilter.factor } },
    ...flags.map((flag) => ({ isSet: search[flag], label: users.flags[flag], removed: { [flag]: false } })),
    { isSet: since !== '', label: since && users.chips.since(day(since)), removed: { since: '' } },
    { isSet: from !== '', label: from && users.chips.from(day(from)), removed: { from: '' } },
    { isSet: to !== '', label: to && users.chips.to(day(to)), removed: { to: '' } },
  ];
  return all.filter(({ isSet }) => isSet);
}

function Chips({ search, onChange }: SearchProps) {
  const chips = findChips(search);
  if (chips.length === 0) return null;
  const set = (changes: Partial<UserFilter>) => {
    // What is pressed goes.
    document.querySelector('h1')?.focus();
    onChange({ ...changes, page: 1 });
  };
  return (
    <Group gap="xs" role="group" aria-label={words.users.chips.title}>
      {chips.map(({ label, removed }) => (
        <Button
          key={label}
          variant="light"
          size="compact-sm"
          rightSection={<X size={14} aria-hidden />}
          aria-label={words.users.chips.remove(label)}
          onClick={() => set(removed)}
        >
          {label}
        </Button>
      ))}
      {chips.length > 1 && (
        <Button variant="subtle" size="compact-sm" onClick={() => set(noFilter)}>
          {words.users.chips.clear}
        </Button>
      )}
    </Group>
  );
}
