// Applications: the programs that people sign in to with this service.
export {
  type Application,
  type ApplicationKind,
  DEVICE_CODE_GRANT,
  type GrantType,
  matchesRedirectUri,
  STANDARD_SCOPES,
} from './application.ts';
export { type Applications, createApplications, type Ending, type WhenEnding } from './applications.ts';
export { applicationsSlice } from './slice.ts';
export { createApplicationStore } from './store.sql.ts';
