// The endpoints, settings and actions of brands.
import type { Brands } from './brands.ts';
import { brandActions } from './declarations.ts';
import { logoEndpoints } from './routes.logos.ts';
import { brandRoutes } from './routes.ts';
import { applicationSetting, brandSetting } from './settings.ts';

export const brandsSlice = {
  declarations: { settings: [applicationSetting, brandSetting], actions: [brandActions] },
  create: ({ brands, frontEnds }: { brands: Brands; frontEnds: { resolve(appKey: string): string } }) => ({
    routes: brandRoutes({ brands, resolveFrontEnd: frontEnds.resolve }),
    endpoints: logoEndpoints(brands),
  }),
};
