// Sign-outs that are confirmed: applications are told, and people learn what came of it.
export { createSignOutDeliveries } from './deliveries.ts';
export { createSignOuts, type SignOuts } from './sign-outs.ts';
export { signOutsSlice } from './slice.ts';
export { createSignOutStore } from './store.sql.ts';
