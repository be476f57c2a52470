// The filters of the audit trail as pickers. On a narrow screen they open by a button.
import { Box, Button, Collapse, Group, MultiSelect, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDown, ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import { useTyped } from '../../ui/use-typed.ts';
import { words } from '../../words/all.ts';
import { byLabel, groupsOfActions, type Option } from './action-groups.ts';
import { countFilters, type Filter, noFilter, splitActions } from './audit-search.ts';
import { describeReason, nameOf } from './entry.ts';
import { useFrontEnds } from './names.tsx';
import { RangePicker } from './range-picker.tsx';
import { UserPicker } from './user-picker.tsx';

type FilterProps = {
  readonly filter: Filter;
  readonly onChange: (changes: Partial<Filter>, options?: { replace: boolean }) => void;
};

export function Filters({ filter, onChange }: FilterProps) {
  const { filters } = words.audit;
  const [isOpen, { toggle }] = useDisclosure();
  const count = countFilters(filter);
  const leftOut = splitActions(filter.exceptAction);
  const [clearings, setClearings] = useState(0);
  const clearAll = () => {
    // New fields: a text that is typed and not applied yet goes too.
    setClearings(clearings + 1);
    onChange(noFilter);
  };
  const clear = count > 0 && (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<X size={14} aria-hidden />}
      onClick={() => fromTitle(clearAll)}
    >
      {filters.clearAll}
    </Button>
  );
  return (
    <Stack component="section" aria-label={filters.title} gap="xs">
      <Group hiddenFrom="md" justify="space-between">
        <Button
          variant="default"
          leftSection={<ListFilter size={16} aria-hidden />}
          rightSection={<ChevronDown size={16} aria-hidden />}
          onClick={toggle}
          aria-expanded={isOpen}
        >
          {words.audit.filtering.open(count)}
        </Button>
        {clear}
      </Group>
      <Box hiddenFrom="md">
        <Collapse expanded={isOpen} keepMountedMode="display-none">
          {isOpen && <Pickers key={clearings} filter={filter} onChange={onChange} isWide={false} />}
        </Collapse>
      </Box>
      <Box visibleFrom="md">
        <Pickers key={clearings} filter={filter} onChange={onChange} isWide />
      </Box>
      <Group gap="xs" {...(leftOut.length === 0 && { visibleFrom: 'md' })}>
        <LeftOut actions={leftOut} onChange={onChange} />
        <Box visibleFrom="md">{clear}</Box>
      </Group>
    </Stack>
  );
}

/** Changes the filter by a button that goes with it: the title of the page gets the focus. */
function fromTitle(change: () => void) {
  document.querySelector('h1')?.focus();
  change();
}

/** The events that are left out, which an entry of each has added. A button takes one in again. */
function LeftOut({ actions, onChange }: Pick<FilterProps, 'onChange'> & { actions: readonly string[] }) {
  const { filters, filtering } = words.audit;
  return actions.map((action) => {
    const text = words.common.labelled(filters.exceptAction, nameOf(action));
    return (
      <Button
        key={action}
        variant="default"
        size="compact-sm"
        rightSection={<X size={14} aria-hidden />}
        aria-label={filtering.remove(text)}
        onClick={() => fromTitle(() => onChange({ exceptAction: actions.filter((one) => one !== action).join(',') }))}
      >
        {text}
      </Button>
    );
  });
}

/** @param props.isWide whether there is room for several chosen events in one line. */
function Pickers({ filter, onChange, isWide }: FilterProps & { isWide: boolean }) {
  const { filters, outcomes } = words.audit;
  const { action, outcome, reason, frontEnd, ipAddress, userId } = filter;
  const [address, setAddress] = useTyped(ipAddress, (text) => onChange({ ipAddress: text }, { replace: true }));
  const actions = splitActions(action);
  const clearing = (name: string) => ({ 'aria-label': words.audit.filtering.remove(name) });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" verticalSpacing="xs">
      <RangePicker filter={filter} onChange={onChange} />
      <Box style={{ gridColumn: isWide ? 'span 2' : undefined }}>
        <MultiSelect
          label={filters.action}
          placeholder={actions.length === 0 ? filters.anyAction : ''}
          data={groupsOfActions(actions)}
          value={actions}
          onChange={(chosen) => onChange({ action: chosen.join(',') })}
          searchable
          nothingFoundMessage={filters.noAction}
          clearable
          clearButtonProps={clearing(filters.action)}
          styles={{ pill: { maxWidth: '100%' } }}
        />
      </Box>
      <UserPicker value={userId} onChange={(id, options) => onChange({ userId: id }, options)} />
      <Select
        label={filters.outcome}
        placeholder={filters.anyOutcome}
        data={Object.entries(outcomes).map(([value, label]) => ({ value, label }))}
        value={outcome || null}
        onChange={(chosen) => onChange({ outcome: chosen ?? '', ...(chosen !== 'refused' && { reason: '' }) })}
        clearable
        clearButtonProps={clearing(filters.outcome)}
      />
      <Select
        label={filters.reason}
        placeholder={filters.anyReason}
        data={withOwn(reason, optionsOfReasons())}
        value={reason || null}
        onChange={(chosen) => onChange({ reason: chosen ?? '' })}
        searchable
        nothingFoundMessage={filters.noReason}
        clearable
        clearButtonProps={clearing(filters.reason)}
      />
      <FrontEndPicker value={frontEnd} onChange={(chosen) => onChange({ frontEnd: chosen })} />
      <TextInput
        label={filters.ipAddress}
        placeholder={filters.anyAddress}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
    </SimpleGrid>
  );
}

function FrontEndPicker({ value, onChange }: { value: string; onChange: (chosen: string) => void }) {
  const { filters } = words.audit;
  const { data } = useFrontEnds();
  const options = (data?.items ?? []).map(({ appKey, name }) => ({ value: appKey, label: name }));
  return (
    <Select
      label={filters.frontEnd}
      placeholder={filters.anyFrontEnd}
      data={withOwn(value, options)}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      clearable
      clearButtonProps={{ 'aria-label': words.audit.filtering.remove(filters.frontEnd) }}
    />
  );
}

/** Adds the chosen value if it is none of the options, so that it is shown. */
const withOwn = (value: string, options: readonly Option[]): Option[] =>
  value === '' || options.some((one) => one.value === value) ? [...options] : [{ value, label: value }, ...options];

const optionsOfReasons = () =>
  Object.keys(words.audit.reasons)
    .map((reason) => ({ value: reason, label: describeReason(reason) }))
    .toSorted(byLabel);
