// Account administration: what administrators do to accounts.
export { createAccountAdministration } from './account-administration.ts';
export { accountAdministrationSlice } from './slice.ts';
