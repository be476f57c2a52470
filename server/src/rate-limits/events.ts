// What happens at the rate limits.
import { defineActions } from '../foundation/events.ts';

export const rateLimitActions = defineActions('rateLimit', {
  exceeded: 'An address went over a limit: told once for each time it is stopped; details hold the policy.',
});
