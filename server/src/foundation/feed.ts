// A feed: what other systems read that must miss nothing, in pages after cursors that they keep.
import { defineErrors } from './errors.ts';
import type { FeedPage, Tail } from './tail.ts';

export const feedErrors = defineErrors('feed', {
  cursorInvalid: {
    status: 400,
    message: 'The value of `after` is not a cursor of this feed. Send a cursor that the feed returned, or none.',
  },
  cursorGone: {
    status: 410,
    message: 'This cursor is no longer valid. Read the feed again without `after`.',
  },
});

/** An item, with the cursor after it. */
export type FeedItem = { readonly cursor: string };

export interface Feed<Item extends FeedItem> {
  /**
   * Returns the items after a cursor. Without one, all that are kept.
   * @throws AuthError `feed.cursorInvalid`, `feed.cursorGone`.
   */
  read(after: string): Promise<FeedPage<Item>>;
  /** Gives the follower all items that a `read` does not return which begins now. See `Tail.follow`. */
  follow: Tail<Item>['follow'];
  /** Ends all followers, because the service stops. */
  stop(): void;
  /** See `Tail.state`. */
  state: Tail<Item>['state'];
}
