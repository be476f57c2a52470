// The endpoints, errors and actions of settings, and the security setting.
import { compatibilitySetting } from './compatibility.ts';
import { resetMethodErrors, settingActions, settingErrors } from './declarations.ts';
import { type SettingRouteDeps, settingRoutes } from './routes.ts';
import { securitySettings } from './security.ts';

export const settingsSlice = {
  declarations: {
    settings: [securitySettings, compatibilitySetting],
    errors: [settingErrors, resetMethodErrors],
    actions: [settingActions],
  },
  create: (deps: Omit<SettingRouteDeps, 'requireFrontEnd'> & { frontEnds: { require(appKey: string): string } }) => ({
    routes: settingRoutes({ ...deps, requireFrontEnd: deps.frontEnds.require }),
  }),
};
