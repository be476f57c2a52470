// The search for accounts, in the query string and as input of the call.
import { useSearchParams } from 'react-router';
import { pageSizes } from '../../ui/pager.tsx';
import type { Order } from '../../ui/records.tsx';

export const filters = ['all', 'active', 'inactive'] as const;

/** The columns that the service sorts by. */
const sortable = ['userName', 'surname', 'emailAddress', 'lastLoginTime', 'creationTime'];

const firstOrder: Order = { column: 'userName', isDescending: false };

/** `page` counts from 1. */
export type UserSearch = {
  readonly keyword: string;
  readonly filter: (typeof filters)[number];
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

/** Default values stay out of the query string. */
export function useUserSearch(): [UserSearch, (search: UserSearch) => void] {
  const [query, setQuery] = useSearchParams();
  const page = Number(query.get('page'));
  const search = {
    keyword: query.get('keyword') ?? '',
    filter: pick(filters, query.get('filter')),
    order: toOrder(query.get('sort')),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    size: pageSizes.find((size) => String(size) === query.get('size')) ?? pageSizes[0],
  };
  const setSearch = (next: UserSearch) => {
    const sorting = toSorting(next.order);
    setQuery(
      {
        ...(next.keyword && { keyword: next.keyword }),
        ...(next.filter !== filters[0] && { filter: next.filter }),
        ...(sorting !== toSorting(firstOrder) && { sort: sorting }),
        ...(next.size !== pageSizes[0] && { size: String(next.size) }),
        ...(next.page > 1 && { page: String(next.page) }),
      },
      // A typed letter adds no entry to the browser's history.
      { replace: next.keyword !== search.keyword },
    );
  };
  return [search, setSearch];
}

/** Returns which accounts match, as the calls of the service take it. */
export function toFilter({ keyword, filter }: Pick<UserSearch, 'keyword' | 'filter'>) {
  const trimmed = keyword.trim();
  return { ...(trimmed && { keyword: trimmed }), ...(filter !== 'all' && { isActive: filter === 'active' }) };
}

export const toInput = (search: UserSearch) => ({
  ...toFilter(search),
  sorting: toSorting(search.order),
  skipCount: (search.page - 1) * search.size,
  maxResultCount: search.size,
});
