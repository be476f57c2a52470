// Budgets: how often something may happen in a day, and how soon after the last time.
export type { Allowance } from './budget.ts';
export { type Budgets, createBudgets } from './budgets.ts';
export { type CountChange, createCountChange } from './change-limit.ts';
export { budgetsSlice } from './slice.ts';
export { createBudgetStore } from './store.sql.ts';
