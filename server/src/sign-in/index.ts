// Signing in: the journey from a proof to a session, refresh and sign-off.
export { signInActions } from './events.ts';
export { createSignIn, signInDefinitions } from './slice.ts';
