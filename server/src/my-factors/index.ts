// My factors: what account owners do with their second factors.
export { myFactorsSlice } from './slice.ts';
