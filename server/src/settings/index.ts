// Settings: policy values that administrators change at run time, in general or for one front end.
export { compatibilitySetting } from './compatibility.ts';
export { resetMethodErrors, settingErrors } from './declarations.ts';
export { securitySettings } from './security.ts';
export { completeValue, findBrokenBounds, mendValue, proposeValue } from './setting.ts';
export { createSettings, type Settings } from './settings.ts';
export { settingsSlice } from './slice.ts';
export { createSettingStore } from './store.sql.ts';
export { findWeaknesses } from './weaknesses.ts';
