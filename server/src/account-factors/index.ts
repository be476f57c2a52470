// Account factors: what every change of an account's second factors does, and what owner and administrators see of them.
export { type AccountFactors, createAccountFactors, type FactorChange, type FactorState } from './account-factors.ts';
export { AccountFactorsDto, toAccountFactorsDto } from './dtos.ts';
export { accountFactorsSlice } from './slice.ts';
