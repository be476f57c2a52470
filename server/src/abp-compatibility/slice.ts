// Compatibility with ABP's and Shesha's clients, as a slice of the service.
import type { Capabilities, Slice } from '../slice.ts';
import { abpCompatibilityRoutes, type Release } from './routes.ts';

export function createAbpCompatibility(capabilities: Capabilities, release: Release) {
  return { routes: abpCompatibilityRoutes({ ...capabilities, release }) } satisfies Slice;
}
