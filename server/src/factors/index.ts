// Factors: authenticators, passkeys, recovery codes and trusted devices of accounts.
export type { Authenticators, NewAuthenticator } from './authenticators.ts';
export { factorErrors, passkeyErrors } from './declarations.ts';
export { ClientData, CredentialId, PasskeyDescriptor } from './dtos.ts';
export type { EnrolledFactorReader, EnrolledFactors, FactorKinds } from './enrolled.ts';
export { createFactors } from './factors.ts';
export { ENROLLMENT_SECONDS, type FactorOperations } from './operations.ts';
export { type AdoptedPasskey, type GivenAssertion, MAX_PASSKEYS, type Passkeys } from './passkeys.ts';
export { type RecoveryCodes, readRecoveryCode } from './recovery-codes.ts';
export { factorSettings, findUnmetRequirements, secondFactorSetting } from './settings.ts';
export { factorsSlice } from './slice.ts';
export type { Passkey } from './store.passkeys.sql.ts';
export { readTotpCode, readTotpSecret, secretEncodings } from './totp.ts';
export type { TrustedDevices } from './trusted-devices.ts';
export type { RegistrationCredential, RelyingParty } from './webauthn.ts';
