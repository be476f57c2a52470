// Applications: the programs that people sign in to with this service.
export {
  type Application,
  admits,
  DEVICE_CODE_GRANT,
  GRANT_TYPES,
  ID_TOKEN_ALGORITHMS,
  matchesPostLogoutRedirectUri,
  matchesRedirectUri,
  STANDARD_SCOPES,
  spellScopes,
} from './application.ts';
export { type Applications, createApplications } from './applications.ts';
export { ApplicationMembers } from './dtos.ts';
export { applicationsSlice } from './slice.ts';
export { createApplicationStore } from './store.sql.ts';
