// The search in the audit trail: in the query string, so that it can be shared, and as input of the calls.
import { useSearchParams } from 'react-router';

/** The lengths of time that can be chosen, in milliseconds. */
export const spans = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const;
export type Span = keyof typeof spans;

/** The members of the query string that are sent as they are. */
const plain = ['action', 'exceptAction', 'outcome', 'reason', 'ipAddress', 'frontEnd'] as const;
const all = [...plain, 'userId', 'range', 'from', 'to'] as const;

/** What to show. Empty members match all. `range` excludes `from` and `to`, which are days as `YYYY-MM-DD`. */
export type Filter = Readonly<Record<(typeof all)[number], string>>;

/** `page` counts from 1. Pages after the entry `beforeId` begin anew. */
export type AuditView = {
  readonly filter: Filter;
  readonly page: number;
  readonly beforeId: number | undefined;
  readonly isLive: boolean;
};

export const noFilter: Filter = {
  action: '',
  exceptAction: '',
  outcome: '',
  reason: '',
  ipAddress: '',
  frontEnd: '',
  userId: '',
  range: '',
  from: '',
  to: '',
};

/** Returns the actions of a filter, which has commas between them. */
export const splitActions = (actions: string): string[] => (actions === '' ? [] : actions.split(','));

/** Whether the text is a day as `YYYY-MM-DD`. */
export const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const isPositive = (text: string | null) => text !== null && /^[1-9]\d{0,15}$/.test(text);

/** Members of the query string that mean nothing are ignored. */
function readFilter(query: URLSearchParams): Filter {
  const read = (name: string) => query.get(name)?.trim() ?? '';
  const range = Object.hasOwn(spans, read('range')) ? read('range') : '';
  const day = (name: string) => (range === '' && isDay(read(name)) ? read(name) : '');
  return {
    ...noFilter,
    ...Object.fromEntries(plain.map((name) => [name, read(name)])),
    userId: isPositive(read('userId')) ? read('userId') : '',
    range,
    from: day('from'),
    to: day('to'),
  };
}

function readView(query: URLSearchParams): AuditView {
  const filter = readFilter(query);
  return {
    filter,
    page: isPositive(query.get('page')) ? Number(query.get('page')) : 1,
    beforeId: isPositive(query.get('beforeId')) ? Number(query.get('beforeId')) : undefined,
    // New entries are later than any day that the list ends with.
    isLive: query.get('live') === '1' && filter.to === '',
  };
}

/** Changes apply to what the address holds then: a typed text settles later, and may come before a choice made meanwhile is drawn. */
export function useAuditView() {
  const [query, setQuery] = useSearchParams();
  const readAddress = () => readView(new URLSearchParams(location.search));

  /** @param options.replace for typed text, which adds no entries to the browser's history. */
  const show = (next: Partial<AuditView>, options?: { replace: boolean }) => {
    const shown = { ...readAddress(), ...next };
    const members = {
      ...shown.filter,
      page: shown.page > 1 ? String(shown.page) : '',
      beforeId: shown.beforeId === undefined ? '' : String(shown.beforeId),
      live: shown.isLive && shown.filter.to === '' ? '1' : '',
    };
    setQuery(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '')), options);
  };

  /** A new filter begins at the newest entry. */
  const narrow = (changes: Partial<Filter>, options?: { replace: boolean }) =>
    show({ filter: { ...readAddress().filter, ...changes }, page: 1, beforeId: undefined }, options);
  return { view: readView(query), show, narrow };
}

/** How many filters are in force. A range of days is one. */
export const countFilters = ({ to, ...filter }: Filter) =>
  Object.values({ ...filter, from: filter.from || to }).filter((value) => value !== '').length;

/** Returns the filters of a call, without the time. */
export function toFilters({ userId, range: _, from: _from, to: _to, ...texts }: Filter) {
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''));
  return { ...given, ...(userId !== '' && { userId: Number(userId) }) };
}

/** Returns the time of a call. Days in the reader's time zone become times. A span ends now, to the minute. */
export function toPeriod({ range, from, to }: Filter, now: number) {
  const minute = Math.floor(now / 60_000) * 60_000;
  const length = Object.entries(spans).find(([name]) => name === range)?.[1];
  if (length !== undefined) return { from: new Date(minute - length).toISOString() };
  return {
    ...(from && { from: startOf(from).toISOString() }),
    ...(to && { to: startOf(to, 1).toISOString() }),
  };
}

/** Returns the first moment of a day, or of the day `later` days after it, also where clocks were changed. */
export function startOf(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later);
}
