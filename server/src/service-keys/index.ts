// Service keys: what other services authenticate with.
export { serviceKeyErrors } from './declarations.ts';
export { ServiceKeyMembers } from './routes.ts';
export { findUnused, type ServiceKeyPermission, UNUSED_DAYS } from './service-key.ts';
export { createServiceKeys, type ServiceKeys } from './service-keys.ts';
export { serviceKeysSlice } from './slice.ts';
export { createServiceKeyStore } from './store.sql.ts';
