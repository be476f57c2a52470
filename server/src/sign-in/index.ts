// Signing in: the journey from a proof of identity to a session, and out again.
export { signInErrors } from './errors.ts';
export { signInActions } from './events.ts';
export { createPasswordProof } from './password-proof.ts';
export { signInRoutes } from './routes.ts';
export { createSignIn } from './sign-in.ts';
