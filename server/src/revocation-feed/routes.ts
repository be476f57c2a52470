// The call of the revocation feed.
import { type FeedDeps, feedEndpoint } from '../contract/feed.ts';

export const revocationFeedEndpoint = (deps: FeedDeps) => feedEndpoint('/api/revocations', deps);
