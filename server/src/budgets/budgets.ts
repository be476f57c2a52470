// Budgets: claims one in a transaction, so that parallel uses count one after the other.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Tx } from '../storage/database.ts';
import { type Allowance, budgetAt, type Exhaustion, findExhaustion, useOnce } from './budget.ts';
import type { BudgetKind, BudgetStore } from './store.sql.ts';

/** The service deletes budgets this long after their last use. */
const KEPT_SECONDS = 2 * 86_400;
/** One requested pin uses up to four budgets, and the service deletes 500 pins at a time. */
const REMOVAL_BATCH = 2000;

/** A budget that a transaction has locked. */
export type Claim = {
  /** Why it allows no use now. */
  readonly exhaustion: Exhaustion | null;
  /** Stores one more use. */
  spend(): Promise<void>;
  /** Stores no use, and takes the same time. */
  keep(): Promise<void>;
};

export interface Budgets {
  /** Locks a budget until the transaction ends, and reads its state. */
  claim(tx: Tx, kind: BudgetKind, subject: string, allowance: Allowance): Promise<Claim>;
  /** Cleanup job: deletes one batch of unused budgets. */
  deleteExpired(): Promise<void>;
}

export function createBudgets({ store, clock }: { store: BudgetStore; clock: Clock }): Budgets {
  return {
    async claim(tx, kind, subject, allowance) {
      const claimed = await store.claim(tx.sql, kind, subject, clock.now());
      // Read after the lock is granted: another transaction may have used the budget since this one began.
      const now = clock.now();
      const budget = budgetAt(claimed, now);
      return {
        exhaustion: findExhaustion(budget, allowance, now),
        spend: () => store.save(tx.sql, kind, subject, useOnce(budget, allowance, now)),
        // Mutation: `store.save(tx.sql, kind, subject, budget)` becomes `undefined`. It writes the stored value, only to take as long.
        keep: () => store.save(tx.sql, kind, subject, budget),
      };
    },
    deleteExpired: () => store.deleteExpired(addSeconds(clock.now(), -KEPT_SECONDS), REMOVAL_BATCH),
  };
}
