// The errors of the revocation feed.
import { defineErrors } from '../foundation/errors.ts';

export const feedErrors = defineErrors('feed', {
  cursorInvalid: {
    status: 400,
    message: 'The parameter after is no cursor of this feed. Send one that it gave, or none.',
  },
  cursorGone: {
    status: 410,
    message: 'The revocations after this cursor are not known any more. Begin again with an empty after.',
  },
});
