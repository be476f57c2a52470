// The errors of the revocation feed.
import { defineErrors } from '../foundation/errors.ts';

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
