// The error and the cleanup job of budgets.
import type { Budgets } from './budgets.ts';
import { changeErrors } from './errors.ts';

export const budgetDefinitions = { errors: [changeErrors] };

export const createBudgetSlice = ({ budgets }: { budgets: Budgets }) => ({ jobs: [budgets.deleteExpired] });
