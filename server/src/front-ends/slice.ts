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
  create: ({ frontEnds }: { frontEnds: FrontEnds }) => ({ routes: frontEndRoutes(frontEnds) }),
};
