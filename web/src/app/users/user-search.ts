// The search for accounts, in the query string and as input of the call.
import { useSearchParams } from 'react-router';

export const filters = ['all', 'active', 'inactive'] as const;
export const sorts = [
  'userName asc',
  'surname asc',
  'emailAddress asc',
  'lastLoginTime desc',
  'creationTime desc',
] as const;

/** `page` counts from 1. */
export type UserSearch = {
  readonly keyword: string;
  readonly filter: (typeof filters)[number];
  readonly sort: (typeof sorts)[number];
  readonly page: number;
};

/** Returns the value that the text names, or the first value. */
export const pick = <Value extends string>(values: readonly [Value, ...Value[]], text: string | null): Value =>
  values.find((value) => value === text) ?? values[0];

/** Default values stay out of the query string. */
export function useUserSearch(): [UserSearch, (search: UserSearch) => void] {
  const [query, setQuery] = useSearchParams();
  const page = Number(query.get('page'));
  const search = {
    keyword: query.get('keyword') ?? '',
    filter: pick(filters, query.get('filter')),
    sort: pick(sorts, query.get('sort')),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
  const setSearch = (next: UserSearch) =>
    setQuery(
      {
        ...(next.keyword && { keyword: next.keyword }),
        ...(next.filter !== filters[0] && { filter: next.filter }),
        ...(next.sort !== sorts[0] && { sort: next.sort }),
        ...(next.page > 1 && { page: String(next.page) }),
      },
      // A typed letter adds no entry to the browser's history.
      { replace: next.keyword !== search.keyword },
    );
  return [search, setSearch];
}

export function toInput({ keyword, filter, sort, page }: UserSearch, size: number) {
  const trimmed = keyword.trim();
  return {
    ...(trimmed && { keyword: trimmed }),
    ...(filter !== 'all' && { isActive: filter === 'active' }),
    sorting: sort,
    skipCount: (page - 1) * size,
    maxResultCount: size,
  };
}
