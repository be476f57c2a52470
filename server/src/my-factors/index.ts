// My factors: what account owners do with their second factors.
export { createMyFactorSlice, myFactorDefinitions } from './slice.ts';
