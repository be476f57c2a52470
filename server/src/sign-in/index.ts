// Signing in: the journey from a proof of identity to a session, and out again.
export { createSignIn, signInDefinitions } from './slice.ts';
