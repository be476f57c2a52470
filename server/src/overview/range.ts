// Ranges: the hours or days that the overview shows, in the reader's time zone.
import { HOUR_MS, startOfHour } from '../counters/index.ts';
import { addSeconds, type Instant, toInstant } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';

/** The ranges, and how many days each has. */
export const RANGE_DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const;
export type Range = keyof typeof RANGE_DAYS;

const DAY_HOURS = 24;

/**
 * Intervals that follow each other: hours of the range `24h`, else days of the time zone. The last one contains now. An
 * hour belongs to the day in which it begins.
 */
export type Intervals = { readonly starts: readonly Instant[]; readonly end: Instant };

/** Returns the intervals of a range. @throws AuthError `request.invalid` if the time zone is unknown. */
export function findIntervals(range: Range, timeZone: string, now: Instant): Intervals {
  const dayOf = createDayReader(timeZone);
  const hour = startOfHour(now);
  const end = toInstant(hour + HOUR_MS);
  if (range === '24h') {
    return { starts: Array.from({ length: DAY_HOURS }, (_, index) => hourBefore(hour, DAY_HOURS - 1 - index)), end };
  }
  const starts: Instant[] = [];
  let day = dayOf(hour);
  for (let start = hour; starts.length < RANGE_DAYS[range]; ) {
    const before = hourBefore(start, 1);
    const dayBefore = dayOf(before);
    if (dayBefore !== day) starts.unshift(start);
    [start, day] = [before, dayBefore];
  }
  return { starts, end };
}

/** Returns the interval of the same length as a whole range, that many days before it. */
export function findPeriodBefore({ starts, end }: Intervals, range: Range): { from: Instant; to: Instant } {
  const seconds = -RANGE_DAYS[range] * DAY_HOURS * 3600;
  return { from: addSeconds(starts[0] ?? end, seconds), to: addSeconds(end, seconds) };
}

const hourBefore = (hour: Instant, count: number) => toInstant(hour - count * HOUR_MS);

/** Returns a function that returns the date of an instant in the time zone. */
function createDayReader(timeZone: string): (at: Instant) => string {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' });
    return (at) => format.format(at);
  } catch {
    throw invalidMember('timeZone', 'Give a time zone of the IANA database, such as Europe/Berlin.');
  }
}
