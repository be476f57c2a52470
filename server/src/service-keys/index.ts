// Service keys: what other services authenticate with.
export {
  createServiceKeys,
  SERVICE_KEY_PERMISSIONS,
  type ServiceKeyPermission,
  type ServiceKeys,
} from './service-keys.ts';
export { serviceKeyDefinitions } from './slice.ts';
export { createServiceKeyStore } from './store.sql.ts';
export type { ServiceKey } from './store.ts';
