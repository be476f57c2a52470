// External logins: the identities at providers that accounts are linked to.
export { createExternalLogins, type ExternalLogins } from './external-logins.ts';
export { externalLoginsSlice } from './slice.ts';
export type { ExternalIdentity, ExternalLogin, ExternalLoginStore } from './store.sql.ts';
export { createExternalLoginStore } from './store.sql.ts';
