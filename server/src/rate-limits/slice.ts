// The settings, errors, actions and cleanup job of the rate limits.
import { rateLimitActions, rateLimitErrors } from './declarations.ts';
import type { RateLimits } from './limits.ts';
import { rateLimitingSetting } from './settings.ts';

export const rateLimitsSlice = {
  declarations: {
    settings: [rateLimitingSetting],
    errors: [rateLimitErrors],
    actions: [rateLimitActions],
  },
  create: ({ rateLimits }: { rateLimits: RateLimits }) => ({
    jobs: [rateLimits.deleteExpired],
  }),
};
