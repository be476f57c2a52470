// Authentication: the flow of every sign-in, and the password check before an owner changes the account.
export { type Attempts, createAttempts } from './attempts.ts';
export { type Authentication, createAuthentication, type SignInResult } from './authentication.ts';
export { AuthenticateResult, ExternalAuthenticateResult, factorProviders, toAuthenticateResult } from './dtos.ts';
export { createRequiresSecondFactor, readRequirement } from './enrollment-policy.ts';
export { signInErrors } from './errors.ts';
export { createFactorEndings, type FactorEndings } from './factor-endings.ts';
export {
  createFindFactorLockoutPolicy,
  createFindLockoutPolicy,
  type FindFactorLockoutPolicy,
  type FindLockoutPolicy,
} from './lockout-policy.ts';
export type { AuthenticationMethod } from './method.ts';
export {
  createOwnerVerification,
  type OwnerProof,
  type OwnerVerification,
  type VerifiedOwner,
} from './owner-verification.ts';
export { createPasswordVerification, type PasswordVerification } from './password-verification.ts';
export { refuseWith400 } from './refusal-status.ts';
export { createSecondFactors, type SecondFactors } from './second-factors.ts';
export { createSessionIssuer, toTokenSubject } from './session-issuer.ts';
export { authenticationDefinitions, createAuthenticationSlice } from './slice.ts';
export { createLoginFlowStore } from './store.sql.ts';
