// The slice of what account owners do with their second factors.
import type { Capabilities, Slice } from '../slice.ts';
import { myFactorActions } from './events.ts';
import { createMyFactors } from './my-factors.ts';
import { myFactorRoutes } from './routes.ts';

export const myFactorDefinitions = { actions: [myFactorActions] };

export const createMyFactorSlice = (capabilities: Capabilities, issuer: string) =>
  ({ routes: myFactorRoutes({ myFactors: createMyFactors({ ...capabilities, issuer }) }) }) satisfies Slice;
