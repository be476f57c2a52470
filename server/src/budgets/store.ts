// The interface of the store of budgets.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { Budget } from './budget.ts';

/**
 * What a budget counts in a day: requests for a name, messages to an address or account, wrong tries of pins, or changes of
 * an account.
 */
export type BudgetKind = 'asked' | 'sent' | 'tried' | 'changed';

export interface BudgetStore {
  /** Returns the budget, and locks it until the transaction ends. */
  claim(on: Statements, kind: BudgetKind, subject: string, now: Instant): Promise<Budget>;
  /** Stores a budget that the same transaction has claimed. */
  save(on: Statements, kind: BudgetKind, subject: string, budget: Budget): Promise<void>;
  /** Deletes up to `limit` budgets whose day began, and which were last used, before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}
