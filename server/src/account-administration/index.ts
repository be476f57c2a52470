// Account administration: what administrators do to accounts.
export { createAdministration } from './slice.ts';
