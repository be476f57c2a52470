// The endpoints, settings, errors and actions of front ends.
import { frontEndActions, frontEndErrors } from './declarations.ts';
import type { FrontEnds } from './front-ends.ts';
import { frontEndRoutes } from './routes.ts';
import { baseAddressSetting, linkSetting, signInPageSetting } from './settings.ts';

export const frontEndsSlice = {
  declarations: {
    settings: [linkSetting, baseAddressSetting, signInPageSetting],
    errors: [frontEndErrors],
    actions: [frontEndActions],
  },
  create: (needs: Needs) => ({ routes: frontEndRoutes(needs) }),
};

type Needs = {
  frontEnds: FrontEnds;
  issuer: string;
  corsOrigins: readonly string[];
  passkeyOrigins: readonly string[];
};
