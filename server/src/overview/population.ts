// Population: how many accounts and open sessions there are. Many readers share one count, which is a few seconds old.
import type { AccountCounts } from '../accounts/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Lockouts } from '../lockout/index.ts';
import type { Sessions } from '../tokens/index.ts';

/** Open sessions and locked accounts are counted up to this number. */
export const MOST_COUNTED = 100_000;

/** How long a count is used again. */
const FRESH_MS = 10_000;

export type Population = AccountCounts & { readonly locked: number; readonly openSessions: number };

/** Returns a function that counts. It rejects when the database is out of reach, and counts again the next time. */
export function createPopulation(deps: {
  countAccounts: () => Promise<AccountCounts>;
  lockouts: Lockouts;
  sessions: Sessions;
  clock: Clock;
}): () => Promise<Population> {
  const { countAccounts, lockouts, sessions, clock } = deps;
  let latest: { at: number; counted: Promise<Population> } | undefined;

  async function count(): Promise<Population> {
    const accounts = await countAccounts();
    const locked = await lockouts.countLockedAccounts(MOST_COUNTED);
    return { ...accounts, locked, openSessions: await sessions.countOpen(MOST_COUNTED) };
  }

  return () => {
    const now = clock.elapsed();
    if (latest && now - latest.at < FRESH_MS) return latest.counted;
    const counted = count();
    const mine = { at: now, counted };
    latest = mine;
    counted.catch(() => {
      if (latest === mine) latest = undefined;
    });
    return counted;
  };
}
