// The change limit: how often an owner may change in a day what protects the account. Each change costs messages and entries.
import { type Clock, secondsUntil } from '../foundation/clock.ts';
import type { Tx } from '../storage/database.ts';
import type { Budgets } from './budgets.ts';
import { changeErrors } from './declarations.ts';

/** More than a person needs in a day. Removals do not count: additions bound them, and they must always be possible. */
const CHANGES_PER_DAY = 30;

/**
 * Counts a change of an account in its transaction: a new factor, recovery codes, security answers or an external login.
 * Of parallel changes, at most 30 succeed in a day. @throws AuthError `account.tooManyChanges`.
 */
export type CountChange = (tx: Tx, accountId: number) => Promise<void>;

export function createCountChange({ budgets, clock }: { budgets: Budgets; clock: Clock }): CountChange {
  return async (tx, accountId) => {
    const allowance = { perDay: CHANGES_PER_DAY, cooldownSeconds: 0 };
    const { exhaustion, spend } = await budgets.claim(tx, 'changed', `account:${accountId}`, allowance);
    if (exhaustion) {
      throw changeErrors.tooManyChanges({ retryAfterSeconds: secondsUntil(exhaustion.until, clock.now()) });
    }
    await spend();
  };
}
