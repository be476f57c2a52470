// How applications authenticate, as a slice of the service.
import { inRounds } from '../foundation/batch.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AssertionStore } from './store.sql.ts';

export const oauthSlice = {
  create: ({ assertionStore, clock }: { assertionStore: AssertionStore; clock: Clock }) => ({
    jobs: [() => inRounds((most) => assertionStore.deleteExpired(clock.now(), most))],
  }),
};
