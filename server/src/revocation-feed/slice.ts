// The revocation feed, as a slice of the service.
import type { Clock } from '../foundation/clock.ts';
import type { ServiceKeys } from '../service-keys/index.ts';
import { feedErrors } from './declarations.ts';
import type { RevocationFeed } from './feed.ts';
import { feedEndpoints } from './routes.ts';

export const revocationFeedSlice = {
  declarations: { errors: [feedErrors] },
  create: (deps: { feed: RevocationFeed; serviceKeys: ServiceKeys; clock: Clock }) => ({
    endpoints: feedEndpoints({
      feed: deps.feed,
      authenticate: (key) => deps.serviceKeys.authenticate(key, 'revocations'),
      clock: deps.clock,
    }),
    jobs: [deps.feed.deleteExpired],
  }),
};
