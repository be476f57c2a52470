// The endpoints, settings and actions of brands.
import type { Brands } from './brands.ts';
import { brandActions } from './events.ts';
import { logoEndpoints } from './routes.logos.ts';
import { brandRoutes } from './routes.ts';
import { applicationSetting, brandSetting } from './settings.ts';

export const brandDefinitions = { settings: [applicationSetting, brandSetting], actions: [brandActions] };

export const createBrandSlice = (deps: { brands: Brands; resolveFrontEnd: (appKey: string) => string }) => ({
  routes: brandRoutes(deps),
  endpoints: logoEndpoints(deps.brands),
});
