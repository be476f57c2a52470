// Times and numbers in the reader's format.

/** Returns the reader's variant of the language of the page, such as en-GB, which writes hours and dates in its own way. */
export function readLocale(): string {
  const { lang } = document.documentElement;
  return navigator.languages.find((language) => language.split('-')[0] === lang.split('-')[0]) ?? lang;
}

/** Formats a time of the API (ISO 8601). */
export function formatTime(text: string | null): string {
  if (text === null) return '–';
  return new Intl.DateTimeFormat(readLocale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(text));
}

/** Formats a time of the API to the minute. */
export const formatMinute = (text: string) =>
  new Intl.DateTimeFormat(readLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));

/** Formats a day. */
export const formatDay = (date: Date) => new Intl.DateTimeFormat(readLocale(), { dateStyle: 'medium' }).format(date);

/** Returns the day of a time of the API in words. Secrets expire by days of UTC. */
export const describeDay = (time: string): string =>
  new Intl.DateTimeFormat(readLocale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(time));

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns a duration in words: "1 hour 30 minutes". */
export function describeDuration(seconds: number): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, length] of units) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0 || (unit === 'second' && parts.length === 0)) parts.push(countUnits(count, unit));
  }
  return parts.join(' ');
}

/** Returns days, or hours and minutes, for a countdown of an hour or more. Shorter ones show each second. */
export function describeTimeLeft(seconds: number): string | undefined {
  if (seconds < 3600) return undefined;
  if (seconds < 86_400) return describeDuration(seconds - (seconds % 60));
  return countUnits(Math.floor(seconds / 86_400), 'day');
}

const inUnits = (unit: string) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit, unitDisplay: 'long' });

/** Returns a count with its unit in the reader's language: "3 minutes". */
export const countUnits = (count: number, unit: string) => inUnits(unit).format(count);

/** Returns the unit as it follows the count: "minute" after 1, "minutes" after 3. */
export const nameUnit = (count: number, unit: string) =>
  inUnits(unit)
    .formatToParts(count)
    .find(({ type }) => type === 'unit')?.value ?? unit;
