// The revocation feed, as a slice of the service.
import type { Clock } from '../foundation/clock.ts';
import { feedErrors } from '../foundation/feed.ts';
import type { ServiceKeys } from '../service-keys/index.ts';
import type { RevocationFeed } from './feed.ts';
import { revocationFeedEndpoint } from './routes.ts';

export const revocationFeedSlice = {
  declarations: { errors: [feedErrors] },
  create: (deps: { feed: RevocationFeed; serviceKeys: ServiceKeys; clock: Clock }) => ({
    endpoints: revocationFeedEndpoint({
      feed: deps.feed,
      authenticate: (key) => deps.serviceKeys.authenticate(key, 'revocations'),
      clock: deps.clock,
    }),
    jobs: [deps.feed.deleteExpired],
  }),
};
