// Following the audit trail: the entries that were added while the page is live.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import type { toFilters } from './audit-search.ts';
import type { Entry } from './entry.ts';

const POLL_MS = 3000;

/** The service returns at most so many, so that there may be more that it left out. */
const MOST_NEW = 100;

/** The entries that the page shows and keeps at once. */
const MOST_SHOWN = 100;

type Followed = { readonly next: string; readonly items: readonly Entry[] };

/**
 * Returns the entries since the page became live, newest first. Polls while the tab is visible. Polling is no activity of
 * the user, so that automatic log-off still comes.
 * @param onGap is called when entries may have been left out.
 */
export function useLive(filters: ReturnType<typeof toFilters>, isLive: boolean, onGap: () => void) {
  const queries = useQueryClient();
  const queryKey = ['audit', 'live', filters];
  const { data, isError } = useQuery({
    queryKey,
    queryFn: async (): Promise<Followed> => {
      const before = queries.getQueryData<Followed>(queryKey);
      const { items, next } = await latchkey.call('Audit/GetNew', {
        ...filters,
        ...(before && { since: before.next }),
      });
      if (items.length < MOST_NEW) return { next, items: merge(items, before?.items ?? []) };
      onGap();
      return { next, items };
    },
    enabled: isLive,
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return { added: isLive ? (data?.items ?? []) : [], hasFailed: isLive && isError };
}

/** Returns the entries of both lists, each once, newest first. */
export function merge(newer: readonly Entry[], older: readonly Entry[]): Entry[] {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))]
    .toSorted((one, other) => other.at.localeCompare(one.at) || other.id - one.id)
    .slice(0, MOST_SHOWN);
}
