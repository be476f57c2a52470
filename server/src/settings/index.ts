// Settings: security policy that is changed at run time, for all or for one front end.
export { securitySettings } from './security.ts';
export { findBrokenBounds, proposeValue } from './setting.ts';
export { createSettings, type Settings } from './settings.ts';
export { createSettingSlice, settingDefinitions } from './slice.ts';
export { createSettingStore } from './store.sql.ts';
