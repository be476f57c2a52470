// Factors: authenticators, passkeys, recovery codes and trusted devices of accounts.
export type { Authenticators, NewAuthenticator } from './authenticators.ts';
export type { EnrolledFactorReader, EnrolledFactors } from './enrolled.ts';
export { factorErrors } from './errors.ts';
export { createFactors } from './factors.ts';
export type { FactorOperations } from './operations.ts';
export type { RecoveryCodes } from './recovery-codes.ts';
export { factorSettings, secondFactorSetting } from './settings.ts';
export { createFactorSlice, factorDefinitions } from './slice.ts';
export type { TrustedDevices } from './trusted-devices.ts';
