// The errors and audit actions of the rate limits.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

// The errors of the rate limits.
/** Status 429 (RFC 6585, 4), always with `retryAfterSeconds`. */
export const rateLimitErrors = defineErrors('rateLimit', {
  exceeded: {
    status: 429,
    message: 'Too many requests came from your network address. Please wait a moment and try again.',
  },
});

/** The audit actions of the rate limits. */
export const rateLimitActions = defineActions('rateLimit', {
  exceeded: 'An address exceeded a rate limit. Only the first refusal is recorded; details hold the policy.',
});
