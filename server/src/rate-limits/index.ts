// The door of the rate limits.

export { rateLimitErrors } from './errors.ts';
export { rateLimitActions } from './events.ts';
export { type RateLimitHeaders, rateLimitHeaders } from './headers.ts';
export { createRateLimits, type RateLimits, type RateLimitsDeps } from './limits.ts';
export { type Policy, rateLimitingSetting } from './settings.ts';
export { createMemoryRateLimitStore } from './store.memory.ts';
export { createSqlRateLimitStore } from './store.sql.ts';
export type { RateLimitStore } from './store.ts';
export type { Decision } from './window.ts';
