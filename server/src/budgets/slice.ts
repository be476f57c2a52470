// The error and the cleanup job of budgets.
import type { Budgets } from './budgets.ts';
import { changeErrors } from './declarations.ts';

export const budgetsSlice = {
  declarations: { errors: [changeErrors] },
  create: ({ budgets }: { budgets: Budgets }) => ({ jobs: [budgets.deleteExpired] }),
};
