// Compatibility with ABP's and Shesha's clients, as a slice of the service.
import type { Capabilities, Slice } from '../slice.ts';
import { abpCompatibilityRoutes } from './routes.ts';

export const abpCompatibilitySlice = {
  create: (capabilities: Capabilities) => ({ routes: abpCompatibilityRoutes(capabilities) }),
} satisfies Slice;
