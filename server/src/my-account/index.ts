// My account: what account owners do with their own account.
export { createMyAccount, myAccountDefinitions } from './slice.ts';
