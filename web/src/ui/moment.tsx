// A moment in the past or future: in words such as "5 minutes ago", with the exact time and its zone beside the pointer.
import { Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readLocale } from './format.ts';

const REFRESH_MS = 30_000;

/** Up to which distance in seconds a unit is used, and its length in seconds. */
const units = [
  ['second', 60, 1],
  ['minute', 3600, 60],
  ['hour', 86_400, 3600],
  ['day', 604_800, 86_400],
] as const;

/** Returns the distance in words. A moment more than a week away is shown as a date. */
function describeMoment(at: Date, now: Date): string {
  const language = document.documentElement.lang;
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const unit = units.find(([, limit]) => Math.abs(seconds) < limit);
  if (!unit) return new Intl.DateTimeFormat(readLocale(), { dateStyle: 'medium' }).format(at);
  const [name, , length] = unit;
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(seconds / length), name);
}

/** Returns the exact time with the reader's time zone. */
export const describeExactly = (at: Date) =>
  new Intl.DateTimeFormat(readLocale(), { dateStyle: 'medium', timeStyle: 'long' }).format(at);

/** @param props.at a time of the API (ISO 8601). */
export function Moment({ at }: { at: string }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(at);
  return (
    <Tooltip label={describeExactly(moment)} events={{ hover: true, focus: true, touch: true }}>
      <Text component="time" size="sm" dateTime={at} tabIndex={0} style={{ whiteSpace: 'nowrap' }}>
        {describeMoment(moment, now)}
      </Text>
    </Tooltip>
  );
}
