// The slice of what account owners do with their second factors.
import type { Capabilities, Slice } from '../slice.ts';
import { createCompleteEnrollment } from './complete-enrollment.ts';
import { myFactorActions } from './declarations.ts';
import { createMyFactors } from './my-factors.ts';
import { createMyPasskeys } from './my-passkeys.ts';
import { myPasskeyRoutes } from './routes.passkeys.ts';
import { myFactorRoutes } from './routes.ts';

export const myFactorsSlice = {
  declarations: { actions: [myFactorActions] },
  create(capabilities: Capabilities) {
    const completeEnrollment = createCompleteEnrollment(capabilities);
    const myFactors = createMyFactors({ ...capabilities, completeEnrollment });
    const myPasskeys = createMyPasskeys({ ...capabilities, completeEnrollment });
    return { routes: [...myFactorRoutes({ myFactors }), ...myPasskeyRoutes({ myPasskeys })] };
  },
} satisfies Slice;
