// Authentication: the flow of every sign-in, and the proof before an owner changes what protects the account.
export { type Attempts, Refusal } from './attempts.ts';
export type { Authentication } from './authentication.ts';
export { createAuthenticationCore } from './core.ts';
export { signInErrors } from './declarations.ts';
export { AuthenticateResult, ExternalAuthenticateResult, factorProviders, toAuthenticateResult } from './dtos.ts';
export type { FactorEndings } from './factor-endings.ts';
export type { AuthenticationMethod, Factor, Identified } from './method.ts';
export type { OwnerProof, OwnerVerification, VerifiedOwner } from './owner-verification.ts';
export { readSignInStatus, refuseWith } from './refusal-status.ts';
export { readRequirement, type SecondFactors } from './second-factors.ts';
export type { SignInResult } from './sign-in-result.ts';
export type { SignOff } from './sign-off.ts';
export { authenticationSlice } from './slice.ts';
