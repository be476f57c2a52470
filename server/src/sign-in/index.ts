// Signing in: the journey from a proof of identity to a session, and out again.
export { createAttempts } from '../authentication/attempts.ts';
export { signInErrors } from '../authentication/errors.ts';
export { signInActions } from './events.ts';
export { createExternalRegistration } from './external-registration.ts';
export { createExternalSignIn } from './external-sign-in.ts';
export { createFindLockoutPolicy } from '../authentication/lockout-policy.ts';
export { createOpening } from '../authentication/session-issuer.ts';
export { createPasswordProof } from '../authentication/password-verification.ts';
export { createPinRequests } from './pin-request.ts';
export { createPinSignIn } from './pin-sign-in.ts';
export { signInRoutes } from './routes.ts';
export { createSignIn } from './sign-in.ts';
export { signInPinMessage } from './templates.ts';
