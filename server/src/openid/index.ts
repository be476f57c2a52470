// Signing in to applications: the OpenID Connect provider.
export { openIdSlice } from './slice.ts';
