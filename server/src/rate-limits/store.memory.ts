// The windows in one process' memory, for the embedded database: there is one node, and nothing to write to disk per
// request.
import { createRecent } from '../foundation/recent.ts';
import type { RateLimitStore } from './store.ts';
import { endOf, standingRefusal, take, type Window } from './window.ts';

/** Addresses and networks remembered at most: some 20 MB. */
const CAPACITY = 100_000;

/**
 * Windows that a restart forgets.
 *
 * The bound is no way past the limit: to be forgotten before its window ends, an address must stay silent while
 * requests come from half of `capacity` other addresses (IPv6: other /64 networks, of which a /48 brings no more than its
 * own budget lets through), and who has those gets far more requests from their own budgets than the few that the
 * forgotten window gives back. Asking again while refused keeps an address remembered.
 */
export function createMemoryRateLimitStore(capacity = CAPACITY): RateLimitStore {
  const windows = createRecent<Window>(capacity);
  return {
    async take(policy, address, limits, now) {
      const key = `${policy} ${address}`;
      const { window, decision } = take(windows.get(key), limits, now);
      windows.keep(key, window, endOf(window, limits), now);
      return decision;
    },
    standingRefusal(policy, address, limits, now) {
      const key = `${policy} ${address}`;
      const known = windows.get(key);
      if (!known) return undefined;
      const standing = standingRefusal(known, limits, now);
      if (standing) windows.keep(key, known, endOf(known, limits), now);
      return standing;
    },
    deleteExpired: async (now) => windows.sweep(now),
  };
}
