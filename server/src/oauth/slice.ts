// How applications authenticate, as a slice of the service.
import type { Applications } from '../applications/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AssertionStore } from './store.sql.ts';

const BATCH = 500;

export const oauthSlice = {
  create: (deps: { assertionStore: AssertionStore; applications: Applications; clock: Clock }) => ({
    jobs: [
      async () => {
        if (deps.applications.isUsed()) await deps.assertionStore.deleteExpired(deps.clock.now(), BATCH);
      },
    ],
  }),
};
