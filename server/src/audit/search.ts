// Search in the audit trail: bounded work for every filter, in small batches. Between them the service answers requests.
import { createTurnEnd } from '../foundation/turn.ts';
import type { AuditEntry, AuditFilter, AuditStore, Place } from './store.sql.ts';

/** Entries that one statement scans. On SQLite this blocks everything else for a few milliseconds. */
const BATCH = 500;

/** Entries that one search scans. */
export const MAX_SCANNED = 100_000;

/** A search counts matches up to this number. One more means "more than that". */
export const MAX_COUNTED = 10_000;

/** The result of a search. */
export type Found = {
  /** The requested page, newest first. */
  entries: AuditEntry[];
  /** How many entries match in all. `MAX_COUNTED` + 1 if there are more. */
  total: number;
  /** The number of the entry at which the search stopped at its limit. Null if it reached the end. */
  searchedTo: number | null;
};

/** A filter that, with `beforeId`, matches only entries older than that one. */
export type Search = AuditFilter & { beforeId?: number };

/** Searches that scan the trail in batches. */
export interface AuditSearch {
  /** Returns a page of the matching entries, newest first. Scans at most 100,000 entries. */
  list(search: Search, page: { skip: number; take: number }): Promise<Found>;
  /** Returns the newest matching entries, at most `take`, newest first. Counts nothing. */
  readNewest(filter: AuditFilter, take: number): Promise<AuditEntry[]>;
  /** Returns all matching entries, newest first, in batches. Holds one batch in memory. Some batches are empty. */
  readAll(filter: AuditFilter): AsyncIterable<AuditEntry[]>;
}

export function createSearch(store: AuditStore): AuditSearch {
  const endOfTurn = createTurnEnd();

  /** Returns the numbers of the newest matching entries, at least `enough` if there are so many. */
  async function findMatches({ beforeId, ...filter }: Search, enough: number) {
    const matches: number[] = [];
    let before: Place | undefined;
    if (beforeId !== undefined) {
      const place = await store.findPlace(beforeId);
      if (!place) return { matches, searchedTo: null };
      before = { ...place, id: beforeId };
    }
    for (let scanned = BATCH; ; scanned += BATCH) {
      const batch = await store.scan(filter, before, BATCH);
      matches.push(...batch.matches);
      if (!batch.last || matches.length >= enough) return { matches, searchedTo: null };
      if (scanned >= MAX_SCANNED) return { matches, searchedTo: batch.last.id };
      before = batch.last;
      await endOfTurn();
    }
  }

  return {
    async list(search, { skip, take }) {
      const { matches, searchedTo } = await findMatches(search, Math.max(MAX_COUNTED + 1, skip + take));
      const entries = await store.read(matches.slice(skip, skip + take));
      return { entries, total: Math.min(matches.length, MAX_COUNTED + 1), searchedTo };
    },

    async readNewest(filter, take) {
      const { matches } = await findMatches(filter, take);
      return store.read(matches.slice(0, take));
    },

    async *readAll(filter) {
      for (let before: Place | undefined, isMore = true; isMore; ) {
        const { matches, last } = await store.scan(filter, before, BATCH);
        yield await store.read(matches);
        before = last;
        isMore = last !== undefined;
        await endOfTurn();
      }
    },
  };
}
