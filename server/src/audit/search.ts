// Searching the trail: bounded work for every filter, in small slices between which the service answers other requests.
import { createTurnEnd } from '../foundation/turn.ts';
import type { AuditEntry, AuditFilter, AuditStore } from './store.ts';

/** Entries that one statement looks at. On SQLite nothing else runs meanwhile: a few milliseconds. */
const SLICE = 500;

/** Entries that one search looks at. */
export const MAX_LOOKED_AT = 100_000;

/** Matches are counted up to here; one more says "more than that". */
export const MAX_COUNTED = 10_000;

/** What a search found. */
export type Found = {
  /** The page that was asked for, newest first. */
  entries: AuditEntry[];
  /** How many match in all; `MAX_COUNTED` + 1 when there are more. */
  total: number;
  /** The number of the entry at which the search stopped because it had looked at enough; else null. */
  searchedTo: number | null;
};

/** Which entries to find, and, with `beforeId`, only those older than that one. */
export type Search = AuditFilter & { beforeId?: number };

/** Finds entries by scanning the trail in slices. */
export function createSearch(store: AuditStore) {
  const endOfTurn = createTurnEnd();

  /** The numbers of the newest entries that match, until there are `enough` of them. */
  async function findMatches({ beforeId, ...filter }: Search, enough: number) {
    const matches: number[] = [];
    const start = beforeId === undefined ? undefined : await store.findPlace(beforeId);
    if (beforeId !== undefined && !start) return { matches, searchedTo: null };
    let before = start && { ...start, id: beforeId as number };
    for (let lookedAt = SLICE; ; lookedAt += SLICE) {
      const slice = await store.scan(filter, before, SLICE);
      matches.push(...slice.matches);
      if (!slice.last || matches.length >= enough) return { matches, searchedTo: null };
      if (lookedAt >= MAX_LOOKED_AT) return { matches, searchedTo: slice.last.id };
      before = slice.last;
      await endOfTurn();
    }
  }

  return async (search: Search, { skip, take }: { skip: number; take: number }): Promise<Found> => {
    const { matches, searchedTo } = await findMatches(search, Math.max(MAX_COUNTED + 1, skip + take));
    const entries = await store.read(matches.slice(skip, skip + take));
    return { entries, total: Math.min(matches.length, MAX_COUNTED + 1), searchedTo };
  };
}
