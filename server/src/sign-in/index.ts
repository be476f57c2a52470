// Signing in: the journey from a proof to a session, refresh and sign-off.
export { signInSlice } from './slice.ts';
