// The slice of what account owners do with their second factors.
import type { Capabilities, Slice } from '../slice.ts';
import { myFactorActions } from './events.ts';
import { createMyFactors } from './my-factors.ts';
import { myFactorRoutes } from './routes.ts';
import { factorsChangedMessage } from './templates.ts';

export const myFactorDefinitions = { settings: [factorsChangedMessage], actions: [myFactorActions] };

export const createMyFactorSlice = (capabilities: Capabilities, issuer: string) =>
  ({ routes: myFactorRoutes({ myFactors: createMyFactors({ ...capabilities, issuer }) }) }) satisfies Slice;
