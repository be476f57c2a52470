// The revocation feed: how verifiers in other services learn of tokens that they must refuse.
export { createRevocationFeed } from './feed.ts';
export type { FeedItem, FeedPage } from './page.ts';
export { revocationFeedSlice } from './slice.ts';
export { createRevocationStore } from './store.sql.ts';
