// The slice of authentication.
import type { Challenges } from './challenges.ts';
import { authenticationActions, signInErrors } from './declarations.ts';

export const authenticationSlice = {
  declarations: { errors: [signInErrors], actions: [authenticationActions] },
  create: ({ challenges }: { challenges: Challenges }) => ({
    jobs: [challenges.deleteExpired],
  }),
};
