// The slice of authentication.
import type { Challenges } from './challenges.ts';
import { signInErrors } from './errors.ts';
import { authenticationActions } from './events.ts';

export const authenticationSlice = {
  declarations: { errors: [signInErrors], actions: [authenticationActions] },
  create: ({ challenges }: { challenges: Challenges }) => ({
    jobs: [challenges.deleteExpired],
  }),
};
