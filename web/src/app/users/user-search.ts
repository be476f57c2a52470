// The search for accounts, in the query string and as input of the call.
import { useSearchParams } from 'react-router';
import { pageSizes } from '../../ui/pager.tsx';
import type { Order } from '../../ui/records.tsx';
import { isDay, startOf } from '../audit/audit-search.ts';

export const states = ['all', 'active', 'inactive'] as const;
export const factors = ['any', 'with', 'without'] as const;

/** What accounts can be filtered by that either holds or is not asked for. */
export const flags = ['signedIn', 'locked', 'mustChange', 'never', 'unverified'] as const;
export type Flag = (typeof flags)[number];

/** Which accounts to show. `role` is empty for any, like the days, which are `YYYY-MM-DD` and included. */
export type UserFilter = Readonly<Record<Flag, boolean>> & {
  readonly state: (typeof states)[number];
  readonly factor: (typeof factors)[number];
  readonly role: string;
  /** The day since which there was no sign-in. */
  readonly since: string;
  readonly from: string;
  readonly to: string;
};

export const noFilter: UserFilter = {
  state: 'all',
  factor: 'any',
  role: '',
  signedIn: false,
  locked: false,
  mustChange: false,
  never: false,
  unverified: false,
  since: '',
  from: '',
  to: '',
};

/** The columns that the service sorts by. */
const sortable = ['userName', 'surname', 'emailAddress', 'lastLoginTime', 'creationTime'];

const firstOrder: Order = { column: 'userName', isDescending: false };

/** `page` counts from 1. */
export type UserSearch = UserFilter & {
  readonly keyword: string;
  readonly order: Order;
  readonly page: number;
  readonly size: number;
};

/** Returns the value that the text names, or the first value. */
export const pick = <Value extends string>(values: readonly [Value, ...Value[]], text: string | null): Value =>
  values.find((value) => value === text) ?? values[0];

/** Reads "userName asc" or "creationTime desc". */
function toOrder(text: string | null): Order {
  const [column = '', direction] = text?.split(' ') ?? [];
  return sortable.includes(column) ? { column, isDescending: direction === 'desc' } : firstOrder;
}

const toSorting = ({ column, isDescending }: Order) => `${column} ${isDescending ? 'desc' : 'asc'}`;

/** The query string names the state `filter`. Members that mean nothing are ignored. */
function readSearch(query: URLSearchParams): UserSearch {
  const page = Number(query.get('page'));
  const read = (name: string) => query.get(name)?.trim() ?? '';
  const day = (name: string) => (isDay(read(name)) ? read(name) : '');
  return {
    keyword: query.get('keyword') ?? '',
    state: pick(states, query.get('filter')),
    factor: pick(factors, query.get('factor')),
    role: read('role'),
    signedIn: query.get('signedIn') === '1',
    locked: query.get('locked') === '1',
    mustChange: query.get('mustChange') === '1',
    never: query.get('never') === '1',
    unverified: query.get('unverified') === '1',
    since: day('since'),
    from: day('from'),
    to: day('to'),
    order: toOrder(query.get('sort')),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    size: pageSizes.find((size) => String(size) === query.get('size')) ?? pageSizes[0],
  };
}

/**
 * Default values stay out of the query string. Changes apply to what the address holds then: a typed text settles later, and
 * may come before a choice made meanwhile is drawn.
 */
export function useUserSearch(): [UserSearch, (changes: Partial<UserSearch>) => void] {
  const [query, setQuery] = useSearchParams();
  const change = (changes: Partial<UserSearch>) => {
    const former = readSearch(new URLSearchParams(location.search));
    const next = { ...former, ...changes };
    const sorting = toSorting(next.order);
    setQuery(
      {
        ...(next.keyword && { keyword: next.keyword }),
        ...(next.state !== states[0] && { filter: next.state }),
        ...(next.factor !== factors[0] && { factor: next.factor }),
        ...(next.role && { role: next.role }),
        ...Object.fromEntries(flags.filter((flag) => next[flag]).map((flag) => [flag, '1'])),
        ...(next.since && { since: next.since }),
        ...(next.from && { from: next.from }),
        ...(next.to && { to: next.to }),
        ...(sorting !== toSorting(firstOrder) && { sort: sorting }),
        ...(next.size !== pageSizes[0] && { size: String(next.size) }),
        ...(next.page > 1 && { page: String(next.page) }),
      },
      // A typed letter adds no entry to the browser's history.
      { replace: next.keyword !== former.keyword },
    );
  };
  return [readSearch(query), change];
}

/** Returns which accounts match, as the calls of the service take it. Days are those of the reader's time zone. */
export function toFilter(search: UserSearch) {
  const { keyword, state, factor, role, signedIn, locked, mustChange, never, unverified, since, from, to } = search;
  const trimmed = keyword.trim();
  return {
    ...(trimmed && { keyword: trimmed }),
    ...(state !== 'all' && { isActive: state === 'active' }),
    ...(factor !== 'any' && { hasSecondFactor: factor === 'with' }),
    ...(role && { roleName: role }),
    ...(signedIn && { hasOpenSession: true }),
    ...(locked && { isLockedOut: true }),
    ...(mustChange && { requireChangePassword: true }),
    ...(never && { hasSignedIn: false }),
    ...(unverified && { hasUnverifiedAddress: true }),
    ...(since && { notSignedInSince: startOf(since).toISOString() }),
    ...(from && { createdFrom: startOf(from).toISOString() }),
    ...(to && { createdTo: startOf(to, 1).toISOString() }),
  };
}

export const toInput = (search: UserSearch) => ({
  ...toFilter(search),
  sorting: toSorting(search.order),
  skipCount: (search.page - 1) * search.size,
  maxResultCount: search.size,
});
