// The revocation feed: how verifiers in other services learn of tokens that they must refuse.
export { createRevocationFeed, type FeedItem, type FeedPage } from './feed.ts';
export { createFeedSlice, feedDefinitions } from './slice.ts';
export { createRevocationStore } from './store.sql.ts';
