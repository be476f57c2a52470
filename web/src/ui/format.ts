// Times and numbers as the reader writes them.

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of the API (ISO 8601). */
export function formatTime(text: string | null): string {
  return text === null ? '–' : moment.format(new Date(text));
}
