// Settings, as a slice of the service.
import { settingErrors } from './errors.ts';
import { settingActions } from './events.ts';
import { type SettingRouteDeps, settingRoutes } from './routes.ts';
import { securitySettings } from './security.ts';

export const settingDefinitions = { settings: [securitySettings], errors: [settingErrors], actions: [settingActions] };

export const createSettingSlice = (deps: SettingRouteDeps) => ({ routes: settingRoutes(deps) });
