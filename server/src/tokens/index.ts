// Tokens and sessions: signed bearer tokens that the service can revoke immediately.
export type { IssuedToken, TokenSubject, VerifiedToken } from './access-tokens.ts';
export { type ApplicationClaims, type ApplicationTokens, createApplicationTokens } from './application-tokens.ts';
export { sessionActions, tokenErrors } from './declarations.ts';
export { type ListedSession, sessionMembers, toListed, toSessionMembers } from './dtos.ts';
export { createIdTokens, type IdTokens } from './id-tokens.ts';
export { findRotation, type KeyRotation } from './key-age.ts';
export { createKeyRings } from './key-rings.ts';
export { createKeyRing, openKey, SecretMismatch } from './keys.ts';
export { createRevocations, type Revocation, type Revocations } from './revocations.ts';
export type { Session } from './session.ts';
export { createSessions, type Renewal, type SessionStart, type Sessions } from './sessions.ts';
export { MAX_TOKEN_LIFETIME_SECONDS, tokenSettings } from './settings.ts';
export { tokensSlice } from './slice.ts';
export { createKeyStore } from './store.keys.sql.ts';
export { createSessionStore } from './store.sql.ts';
export type { Claims } from './token.ts';
