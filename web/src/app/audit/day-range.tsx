// The choice of a first and a last day in a calendar. Loaded when it is opened.
import '@mantine/dates/styles.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { DatePicker, type DatesRangeValue } from '@mantine/dates';
import { useState } from 'react';
import { readLocale } from '../../ui/format.ts';
import { words } from '../../words/all.ts';
import { startOf } from './audit-search.ts';

const inWords = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(readLocale(), options);
  return (day: string) => format.format(startOf(day));
};

export function DayRange(props: { from: string; to: string; onChoose: (from: string, to: string) => void }) {
  const { ranges } = words.audit;
  const [days, setDays] = useState<DatesRangeValue<string>>([props.from || null, props.to || null]);
  const [from, to] = days;
  const month = inWords({ month: 'long', year: 'numeric' });
  const year = inWords({ year: 'numeric' });
  return (
    <Stack>
      <Text size="sm">{ranges.hint}</Text>
      <DatePicker
        type="range"
        allowSingleDateInRange
        value={days}
        onChange={setDays}
        defaultDate={props.to || props.from || new Date()}
        maxDate={new Date()}
        // Their colours have too little contrast (WCAG 2.2, 1.4.3).
        hideOutsideDates
        weekendDays={[]}
        monthLabelFormat={month}
        yearLabelFormat={year}
        monthsListFormat={inWords({ month: 'short' })}
        yearsListFormat={year}
        weekdayFormat={inWords({ weekday: 'short' })}
        getDayAriaLabel={inWords({ dateStyle: 'full' })}
        ariaLabels={{ previousMonth: ranges.previous, nextMonth: ranges.next }}
        mx="auto"
      />
      <Group justify="flex-end">
        <Button disabled={from === null || to === null} onClick={() => props.onChoose(from ?? '', to ?? '')}>
          {ranges.apply}
        </Button>
      </Group>
    </Stack>
  );
}
