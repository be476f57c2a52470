// The slice of authentication.
import type { Challenges } from './challenges.ts';
import { signInErrors } from './errors.ts';
import { authenticationActions } from './events.ts';

export const authenticationDefinitions = { errors: [signInErrors], actions: [authenticationActions] };

export const createAuthenticationSlice = ({ challenges }: { challenges: Challenges }) => ({
  jobs: [challenges.deleteExpired],
});
