// Settings: security policy that is changed at run time, for all or for one front end.
export { settingErrors } from './errors.ts';
export { settingActions } from './events.ts';
export { settingRoutes } from './routes.ts';
export { securitySettings } from './security.ts';
export { findBrokenBounds, proposeValue } from './setting.ts';
export { createSettings } from './settings.ts';
export { createSettingStore } from './store.sql.ts';
