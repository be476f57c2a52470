// The call of the audit feed.
import { type FeedDeps, feedEndpoint } from '../contract/feed.ts';

export const auditFeedEndpoint = (deps: FeedDeps) => feedEndpoint('/api/audit-feed', deps);
