// The door of the rate limits.

export { rateLimitErrors } from './errors.ts';
export { rateLimitActions } from './events.ts';
export { rateLimitHeaders } from './headers.ts';
export { createRateLimits } from './limits.ts';
export { type Policy, rateLimitingSetting } from './settings.ts';
export { createMemoryRateLimitStore } from './store.memory.ts';
export { createSqlRateLimitStore } from './store.sql.ts';
export type { Decision } from './window.ts';
