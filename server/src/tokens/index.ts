// Tokens and sessions: signed bearer tokens that can really be taken back.
export { sessionErrors, tokenErrors } from './errors.ts';
export { keyActions, sessionActions } from './events.ts';
export { createKeyRing, openKey, SecretMismatch } from './keys.ts';
export { createSessions, type IssuedToken, type Sessions, type TokenSubject } from './sessions.ts';
export { tokenSettings } from './settings.ts';
export { createKeyStore, createSessionStore } from './store.sql.ts';
export type { Session } from './store.ts';
