// The slice of authentication.
import type { Authentication } from './authentication.ts';
import { signInErrors } from './errors.ts';
import { authenticationActions } from './events.ts';

export const authenticationDefinitions = { errors: [signInErrors], actions: [authenticationActions] };

export const createAuthenticationSlice = ({ authentication }: { authentication: Authentication }) => ({
  jobs: [authentication.deleteExpired],
});
