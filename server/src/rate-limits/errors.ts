// The errors of the rate limits.
import { defineErrors } from '../foundation/errors.ts';

/** Status 429 (RFC 6585, 4), always with `retryAfterSeconds`. */
export const rateLimitErrors = defineErrors('rateLimit', {
  exceeded: {
    status: 429,
    message: 'Too many requests came from your network address. Please wait a moment and try again.',
  },
});
