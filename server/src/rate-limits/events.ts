// The audit actions of the rate limits.
import { defineActions } from '../foundation/events.ts';

export const rateLimitActions = defineActions('rateLimit', {
  exceeded: 'An address exceeded a rate limit. Only the first refusal is recorded; details hold the policy.',
});
