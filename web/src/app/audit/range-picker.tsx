// The filter by time: a span that ends now, or days of the reader's choice.
import { Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { readLocale } from '../../ui/format.ts';
import { LazyArea, Loading } from '../../ui/page.tsx';
import { words } from '../../words/all.ts';
import { lazyPart, ownStyles } from '../lazy-part.ts';
import { type Filter, type Span, spans, startOf } from './audit-search.ts';

const DayRange = lazyPart(async () => (await import('./day-range.tsx')).DayRange, ownStyles);

const OWN = 'own';

export function RangePicker({ filter, onChange }: { filter: Filter; onChange: (changes: Partial<Filter>) => void }) {
  const { ranges, filters } = words.audit;
  const { range, from, to } = filter;
  const [isOpen, { open, close }] = useDisclosure();
  const hasDays = from !== '' || to !== '';
  const choices = [
    { value: '', label: ranges.all },
    // The keys of an object are strings to the compiler.
    ...Object.keys(spans).map((span) => ({ value: span, label: ranges[span as Span] })),
    { value: OWN, label: ranges.own },
  ];
  return (
    <>
      <Select
        label={filters.range}
        data={hasDays ? [...choices, { value: 'days', label: describeDays(from, to) }] : choices}
        value={hasDays ? 'days' : range}
        allowDeselect={false}
        maxDropdownHeight={400}
        onChange={(chosen) => {
          if (chosen === OWN) open();
          else if (chosen !== 'days') onChange({ range: chosen ?? '', from: '', to: '' });
        }}
        comboboxProps={{ withinPortal: true }}
      />
      <Dialog isOpen={isOpen} onClose={close} title={ranges.title}>
        <LazyArea waiting={<Loading />}>
          <DayRange
            from={from}
            to={to}
            onChoose={(first, last) => {
              close();
              onChange({ range: '', from: first, to: last });
            }}
          />
        </LazyArea>
      </Dialog>
    </>
  );
}

/** Returns "1 – 7 Jan 2026". */
function describeDays(from: string, to: string): string {
  const { ranges } = words.audit;
  const format = new Intl.DateTimeFormat(readLocale(), { dateStyle: 'medium' });
  if (to === '') return ranges.since(format.format(startOf(from)));
  if (from === '') return ranges.until(format.format(startOf(to)));
  return format.formatRange(startOf(from), startOf(to));
}
