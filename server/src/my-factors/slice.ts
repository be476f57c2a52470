// The slice of what account owners do with their second factors.
import type { Capabilities, Slice } from '../slice.ts';
import { myFactorActions } from './events.ts';
import { createMyFactors } from './my-factors.ts';
import { createMyPasskeys } from './my-passkeys.ts';
import { myPasskeyRoutes } from './routes.passkeys.ts';
import { myFactorRoutes } from './routes.ts';

export const myFactorDefinitions = { actions: [myFactorActions] };

export function createMyFactorSlice(capabilities: Capabilities, issuer: string) {
  const myFactors = createMyFactors({ ...capabilities, issuer });
  const myPasskeys = createMyPasskeys(capabilities);
  return { routes: [...myFactorRoutes({ myFactors }), ...myPasskeyRoutes({ myPasskeys })] } satisfies Slice;
}
