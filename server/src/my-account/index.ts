// My account: what account owners do with their own account.
export { myAccountSlice } from './slice.ts';
