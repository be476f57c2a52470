// The rate limit store in memory, for the embedded database: it has one node, and writes nothing to disk per request.
import { createRecent } from '../foundation/recent.ts';
import type { RateLimitStore } from './store.ts';
import { endOf, giveBack, standingRefusal, take, type Window } from './window.ts';

/** Most addresses and networks in memory. They take about 20 MB. */
// Mutation: `100_000` becomes `100001`. A limit of memory with one more address.
const CAPACITY = 100_000;

/**
 * Creates a store whose windows end with the process.
 *
 * The capacity does not let an attacker bypass the limit. A window is removed early only if its address sends nothing
 * while requests come from half of `capacity` other addresses (IPv6: other /64 networks, and each /48 network has a
 * budget of its own). An attacker with so many addresses gets far more requests from their budgets than from the removed
 * window. An address that repeats a refused request stays in memory.
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
    async giveBack(policy, address, limits, takenAt) {
      const key = `${policy} ${address}`;
      const known = windows.get(key);
      if (known) windows.keep(key, giveBack(known, takenAt), endOf(known, limits), takenAt);
    },
    standingRefusal(policy, address, limits, now) {
      const key = `${policy} ${address}`;
      const known = windows.get(key);
      if (!known) return undefined;
      windows.keep(key, known, endOf(known, limits), now);
      return standingRefusal(known, limits, now);
    },
    deleteExpired: async (now) => windows.sweep(now),
  };
}
